'use strict';

// Context that follows asynchronous work needs V8's help; where the host gives
// none, a store says so instead of losing its value at the first await.

/* global host */
const { needFunction } = require('../lib/node-error.js');
const { unsupported, unsupportedError } = require('../lib/unsupported.js');
const { exists, moduleOf } = require('sw:library');

const { apply } = Reflect;
const EMPTY = Object.freeze({ __proto__: null });
const frame = () => host.getContinuation?.() ?? EMPTY;

function within(next, callback, self, args, before = frame()) {
  host.setContinuation?.(next);
  try {
    return apply(callback, self, args);
  } finally {
    host.setContinuation?.(before);
  }
}

/** `callback` bound to the context of now. */
function bind(callback, self = undefined) {
  needFunction(callback, 'fn');
  const bound = frame();
  return function (...args) {
    return within(bound, callback, self ?? this, args);
  };
}

class AsyncLocalStorage {
  #key = Symbol('store');
  #default;

  constructor({ defaultValue } = {}) {
    this.#default = defaultValue;
  }

  static bind(callback) {
    return bind(callback);
  }

  static snapshot() {
    const bound = frame();
    return (callback, ...args) => within(bound, callback, undefined, args);
  }

  #needHost(member) {
    if (host.setContinuation) return;
    throw unsupportedError('async_hooks', `AsyncLocalStorage.${member}`);
  }

  getStore() {
    const current = frame();
    return this.#key in current ? current[this.#key] : this.#default;
  }

  run(store, callback, ...args) {
    this.#needHost('run');
    const before = frame();
    const next = { __proto__: null, ...before, [this.#key]: store };
    return within(next, callback, undefined, args, before);
  }

  exit(callback, ...args) {
    this.#needHost('exit');
    const before = frame();
    const { [this.#key]: _left, ...next } = before;
    return within(next, callback, undefined, args, before);
  }

  enterWith(store) {
    this.#needHost('enterWith');
    const next = { __proto__: null, ...frame(), [this.#key]: store };
    host.setContinuation(next);
  }

  disable() {
    if (!host.setContinuation) return;
    const { [this.#key]: _left, ...next } = frame();
    host.setContinuation(next);
  }
}

// Node 24.22 and later have it.
const RUN_SCOPE = 'internal/async_local_storage/run_scope';
if (exists(RUN_SCOPE)) {
  const { withScope } = {
    withScope(store) {
      const RunScope = moduleOf(RUN_SCOPE);
      return new RunScope(this, store);
    },
  };
  Object.defineProperty(AsyncLocalStorage.prototype, 'withScope', {
    value: withScope,
    writable: true,
    configurable: true,
  });
}

let lastId = 0;

class AsyncResource {
  #frame = frame();
  #id;
  #type;

  constructor(type) {
    lastId += 1;
    this.#id = lastId;
    this.#type = type;
  }

  static bind(callback, _type = undefined, self = undefined) {
    return bind(callback, self);
  }

  bind(callback) {
    const resource = this;
    return function (...args) {
      return resource.runInAsyncScope(callback, this, ...args);
    };
  }

  runInAsyncScope(callback, self, ...args) {
    return within(this.#frame, callback, self, args);
  }

  emitDestroy() {
    return this;
  }

  asyncId() {
    return this.#id;
  }

  triggerAsyncId() {
    return 0;
  }

  get type() {
    return this.#type;
  }
}

module.exports = {
  AsyncLocalStorage,
  AsyncResource,
  asyncWrapProviders: EMPTY,
  createHook: unsupported('async_hooks', 'createHook'),
  executionAsyncId: () => 0,
  executionAsyncResource: () => EMPTY,
  triggerAsyncId: () => 0,
};
