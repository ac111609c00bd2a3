'use strict';

// Context that follows asynchronous work needs V8's help; where the host gives
// none, a store says so instead of losing its value at the first await.

/* global host */
const { since } = require('../lib/versions.js');
const { invalidArgument, needFunction, nodeError } =
  require('../lib/node-error.js');
const { unsupported, unsupportedError } = require('../lib/unsupported.js');
const { exists, moduleOf } = require('sw:library');

const { isArray } = Array;
const { apply } = Reflect;
const EMPTY = Object.freeze({ __proto__: null });
const { getContinuation, setContinuation } = host;

// A frame is what V8 carries along with promise reactions: a store, whose it
// is, and the rest. The last rest is what was there before any store: undefined,
// or the number of the job whose code this is (src/isolate/job_of_code.h).
class Frame {
  constructor(owner, store, rest) {
    this.owner = owner;
    this.store = store;
    this.rest = rest;
  }
}

function frameOf(owner, frame) {
  let each = frame;
  while (typeof each === 'object') {
    if (each.owner === owner) return each;
    each = each.rest;
  }
  return undefined;
}

// Each owner is in a chain once, so that it does not grow with its stores.
function without(owner, frame) {
  if (frameOf(owner, frame) === undefined) return frame;
  if (frame.owner === owner) return frame.rest;
  return new Frame(frame.owner, frame.store, without(owner, frame.rest));
}

// The frame itself changes, because what has captured it is to see that too.
function leave(owner, frame) {
  if (typeof frame !== 'object') return;
  if (frame.owner === owner) {
    frame.owner = undefined;
    frame.store = undefined;
  } else frame.rest = without(owner, frame.rest);
}

const current = () => getContinuation?.();

const exchange =
  host.exchangeContinuation ??
  ((next) => {
    const before = current();
    setContinuation?.(next);
    return before;
  });

function within(next, callback, self, args) {
  const before = exchange(next);
  try {
    return apply(callback, self, args);
  } finally {
    setContinuation?.(before);
  }
}

function needHost(member) {
  if (setContinuation) return;
  throw unsupportedError('async_hooks', `AsyncLocalStorage.${member}`);
}

// Until 24 stores are found by async hooks, which are off between disable() and
// the next store.
const hasSwitch = !since(24);

class AsyncLocalStorage {
  #default;
  #name = '';
  #isOn = !hasSwitch;

  constructor(options = {}) {
    const isPlain =
      typeof options === 'object' && options !== null && !isArray(options);
    if (since(24) && !isPlain) {
      throw invalidArgument('options', 'of type object', options);
    }
    this.#default = options?.defaultValue;
    if (since(24) && options.name !== undefined) this.#name = options.name;
  }

  static bind(callback) {
    return AsyncResource.bind(callback);
  }

  static snapshot() {
    return AsyncResource.bind((cb, ...args) => cb(...args));
  }

  get name() {
    return this.#name;
  }

  getStore() {
    if (!this.#isOn) return undefined;
    const found = frameOf(this, current());
    return found === undefined ? this.#default : found.store;
  }

  run(store, callback, ...args) {
    needHost('run');
    if (hasSwitch && Object.is(store, this.getStore())) {
      return apply(callback, undefined, args);
    }
    this.#isOn = true;
    const next = new Frame(this, store, undefined);
    const before = exchange(next);
    let rest;
    try {
      rest = without(this, before);
      next.rest = rest;
      return apply(callback, undefined, args);
    } finally {
      const after = exchange(before);
      if (after !== next || next.rest !== rest) this.#restore(before, after);
    }
  }

  // Stores of others that were entered meanwhile stay, as in Node.
  #restore(before, after) {
    const rest = without(this, after);
    const own = frameOf(this, before);
    setContinuation(own ? new Frame(this, own.store, rest) : rest);
  }

  exit(callback, ...args) {
    if (!this.#isOn) return apply(callback, undefined, args);
    const store = since(24) ? undefined : this.#default;
    return this.run(store, callback, ...args);
  }

  enterWith(store) {
    needHost('enterWith');
    this.#isOn = true;
    setContinuation(new Frame(this, store, without(this, current())));
  }

  disable() {
    this.#isOn = !hasSwitch;
    if (hasSwitch) setContinuation?.(without(this, current()));
    else leave(this, current());
  }
}

if (!since(24)) delete AsyncLocalStorage.prototype.name;

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

// Numbers are of AsyncResources only; whatever runs outside of all has 0.
let lastId = 0;
let running;
const outermost = {};
const executionAsyncId = () => (running === undefined ? 0 : idOf(running));

/** The number of what has made a resource. */
function triggerOf(options) {
  const given = typeof options === 'number' ? options : options.triggerAsyncId;
  const id = given === undefined ? executionAsyncId() : given;
  if (Number.isSafeInteger(id) && id >= -1) return id;
  throw nodeError(
    RangeError,
    'ERR_INVALID_ASYNC_ID',
    `Invalid triggerAsyncId value: ${String(id)}`,
  );
}

// Gone in Node 26. The warnings bring node:util along.
function addResource(bound, resource) {
  const { deprecate } = require('node:util');
  let shown = resource;
  const deprecated = (work) =>
    deprecate(
      work,
      'The asyncResource property on bound functions is deprecated',
      'DEP0172',
    );
  Object.defineProperty(bound, 'asyncResource', {
    get: deprecated(() => shown),
    set: deprecated((value) => {
      shown = value;
    }),
    configurable: true,
    enumerable: true,
  });
}

class AsyncResource {
  #frame = current();
  #id;
  #trigger;

  constructor(type, options = {}) {
    if (typeof type !== 'string') {
      throw invalidArgument('type', 'of type string', type);
    }
    this.#trigger = triggerOf(options);
    lastId += 1;
    this.#id = lastId;
  }

  static idOf(resource) {
    return resource.#id;
  }

  static triggerIn(resource) {
    return resource.#trigger;
  }

  static bind(callback, type, self) {
    const name = type || callback.name;
    return new AsyncResource(name || 'bound-anonymous-fn').bind(callback, self);
  }

  bind(callback, self) {
    needFunction(callback, 'fn');
    const resource = this;
    let bound = function (...args) {
      return resource.runInAsyncScope(callback, this, ...args);
    };
    if (self !== undefined) {
      bound = this.runInAsyncScope.bind(this, callback, self);
    }
    Object.defineProperty(bound, 'length', { value: callback.length });
    if (!since(26)) addResource(bound, this);
    return bound;
  }

  runInAsyncScope(callback, self, ...args) {
    const outer = running;
    running = this;
    try {
      return within(this.#frame, callback, self, args);
    } finally {
      running = outer;
    }
  }

  emitDestroy() {
    return this;
  }

  asyncId() {
    return this.#id;
  }

  triggerAsyncId() {
    return this.#trigger;
  }
}

const { idOf, triggerIn } = AsyncResource;
delete AsyncResource.idOf;
delete AsyncResource.triggerIn;

const triggerAsyncId = () => (running === undefined ? 0 : triggerIn(running));

module.exports = {
  AsyncLocalStorage,
  createHook: unsupported('async_hooks', 'createHook'),
  executionAsyncId,
  triggerAsyncId,
  executionAsyncResource: () => running ?? outermost,
  asyncWrapProviders: EMPTY,
  AsyncResource,
};
