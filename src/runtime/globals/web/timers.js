'use strict';

// Timers with Node's handles: an object that packages can unref() and
// refresh(), and that turns into its number where a browser's code wants one.

/* global host */
const { needFunction } = require('../lib/node-error.js');
const { since } = require('../lib/versions.js');

const MAX_DELAY = 2 ** 31 - 1;
const known = new Map();
const { apply } = Reflect;
const customPromise = Symbol.for('nodejs.util.promisify.custom');
const told = new Set();

// Node tells of each overlong delay, and once of each other kind.
function tell(delay) {
  const [kind, what] =
    delay > MAX_DELAY
      ? ['Overflow', 'does not fit into a 32-bit signed integer']
      : delay < 0
        ? ['Negative', 'is a negative number']
        : ['NaN', 'is not a number'];
  if (kind !== 'Overflow') {
    if (told.has(kind) || !since(24)) return;
    told.add(kind);
  }
  require('node:process').emitWarning(
    `${delay} ${what}.\nTimeout duration was set to 1.`,
    `Timeout${kind}Warning`,
  );
}

// An overlong or senseless delay means 1 ms, as in browsers and in Node.
function toDelay(value) {
  const delay = +value;
  if (delay >= 1 && delay <= MAX_DELAY) return Math.trunc(delay);
  if (!(delay >= 0 && delay < 1)) tell(delay);
  return 1;
}

// Those that hold the job: a timer until its callback has run, an immediate
// until then.
let activeTimeouts = 0;
let activeImmediates = 0;

const isObject = (value) => typeof value === 'object' && value !== null;

// As with Node's, `_idleTimeout` is -1 from when it is cleared while it waits: then
// nothing starts it again. One that has fired keeps its delay, and refresh()
// starts it.
class Timeout {
  #id;
  #delay;
  #repeat;
  #callback;
  #args;
  #ref = true;
  #counts = false;
  #active = false;
  #destroyed = false;
  #primitive = false;
  // The interval of the host's timer, null of one that fires once.
  #period = null;

  constructor(callback, delay, args, repeats) {
    this.#callback = callback;
    this.#args = args;
    this.#delay = toDelay(delay);
    this.#repeat = repeats ? this.#delay : null;
    this.#start();
  }

  #start() {
    this.#stop();
    this.#period = this.#repeat === null ? null : this.#delay;
    const repeats = this.#period !== null;
    this.#id = host.setTimer(this.#delay, repeats, () => this.#fire());
    this.#active = true;
    this.#destroyed = false;
    this.#count(this.#ref);
    if (!this.#ref) host.refTimer(this.#id, false);
    if (this.#primitive) known.set(this.#id, this);
  }

  #count(counts) {
    if (counts !== this.#counts) activeTimeouts += counts ? 1 : -1;
    this.#counts = counts;
  }

  #stop() {
    if (this.#active) host.clearTimer(this.#id);
    this.#active = false;
    known.delete(this.#id);
  }

  #fire() {
    if (this.#period === null) this.#active = false;
    try {
      if (this.#callback !== null) apply(this.#callback, this, this.#args);
    } finally {
      this.#afterwards();
    }
  }

  // Its callback may have changed it, to once or to again.
  #afterwards() {
    if (this.#repeat !== null && this.#delay !== -1) {
      this.#delay = this.#repeat;
      if (!this.#active || this.#period !== this.#delay) this.#start();
    } else if (!this.#active || this.#period !== null) {
      this.#stop();
      this.#destroyed = true;
      this.#count(false);
    }
  }

  static clear(handle) {
    if (isObject(handle)) {
      if (#active in handle) handle.close();
    } else if (typeof handle === 'number' || typeof handle === 'string') {
      known.get(Number(handle))?.close();
    }
  }

  // Node's methods do nothing for an object that is no timer.
  close() {
    if (isObject(this) && #active in this) this.#close();
    return this;
  }

  #close() {
    this.#callback = null;
    if (this.#destroyed) return;
    this.#stop();
    this.#destroyed = true;
    this.#count(false);
    this.#delay = -1;
  }

  refresh() {
    if (#active in this && this.#delay !== -1) this.#start();
    return this;
  }

  ref() {
    if (#active in this) this.#setRef(true);
    return this;
  }

  unref() {
    if (#active in this) this.#setRef(false);
    return this;
  }

  #setRef(ref) {
    this.#ref = ref;
    this.#count(ref && !this.#destroyed);
    if (this.#active) host.refTimer(this.#id, ref);
  }

  hasRef() {
    return #active in this ? this.#ref : undefined;
  }

  // Packages look at these of Node's, and some change them.
  get _destroyed() {
    return this.#destroyed;
  }

  get _idleTimeout() {
    return this.#delay;
  }

  set _idleTimeout(delay) {
    if (delay === -1) this.close();
    else this.#delay = toDelay(delay);
  }

  get _onTimeout() {
    return this.#callback;
  }

  set _onTimeout(callback) {
    if (typeof callback === 'function') this.#callback = callback;
    else this.close();
  }

  get _repeat() {
    return this.#repeat;
  }

  set _repeat(delay) {
    this.#repeat = delay ? toDelay(delay) : null;
  }

  [Symbol.toPrimitive]() {
    if (!(#active in this)) return undefined;
    this.#primitive = true;
    if (this.#active) known.set(this.#id, this);
    return this.#id;
  }
}

class Immediate {
  #id;
  #ref = true;

  constructor(callback, args) {
    activeImmediates += 1;
    this.#id = host.setImmediate(() => {
      this.#end();
      apply(callback, this, args);
    });
  }

  static clear(handle) {
    if (!isObject(handle) || !(#id in handle)) return;
    if (handle.#id !== undefined) host.clearImmediate(handle.#id);
    handle.#end();
  }

  #end() {
    this.#setRef(false);
    this.#id = undefined;
  }

  #setRef(ref) {
    if (ref !== this.#ref) activeImmediates += ref ? 1 : -1;
    this.#ref = ref;
  }

  ref() {
    if (#id in this) this.#setRef(this.#id !== undefined);
    return this;
  }

  unref() {
    if (#id in this) this.#setRef(false);
    return this;
  }

  hasRef() {
    return #id in this && this.#ref;
  }

  get _destroyed() {
    return this.#id === undefined;
  }
}

const { clear: clearTimeoutHandle } = Timeout;
const { clear: clearImmediateHandle } = Immediate;
delete Timeout.clear;
delete Immediate.clear;

for (const Class of [Timeout, Immediate]) {
  if (Symbol.dispose === undefined) continue;
  const clear = Class === Timeout ? clearTimeoutHandle : clearImmediateHandle;
  Object.defineProperty(Class.prototype, Symbol.dispose, {
    value() {
      clear(this);
    },
    writable: true,
    configurable: true,
  });
}

/** @returns {string[]} the kind of each that holds the job */
function activeTimers() {
  return [
    ...new Array(activeTimeouts).fill('Timeout'),
    ...new Array(activeImmediates).fill('Immediate'),
  ];
}

function setTimeout(callback, delay, ...args) {
  needFunction(callback);
  return new Timeout(callback, delay ?? 0, args, false);
}

function setInterval(callback, delay, ...args) {
  needFunction(callback);
  return new Timeout(callback, delay ?? 0, args, true);
}

function setImmediate(callback, ...args) {
  needFunction(callback);
  return new Immediate(callback, args);
}

function clearTimeout(handle) {
  clearTimeoutHandle(handle);
}

function clearInterval(handle) {
  clearTimeoutHandle(handle);
}

function clearImmediate(handle) {
  clearImmediateHandle(handle);
}

// A microtask's exception is the isolate's, not a rejected promise.
function queueMicrotask(callback) {
  needFunction(callback);
  host.queueMicrotask(callback);
}

// Node 20 names arguments of the callback.
if (!since(22)) {
  const value = 5;
  Object.defineProperty(setTimeout, 'length', { value, configurable: true });
  Object.defineProperty(setInterval, 'length', { value, configurable: true });
  Object.defineProperty(setImmediate, 'length', {
    value: 4,
    configurable: true,
  });
}

for (const timer of [setTimeout, setImmediate]) {
  Object.defineProperty(timer, customPromise, {
    get: () => require('node:timers/promises')[timer.name],
    enumerable: true,
  });
}

module.exports = {
  activeTimers,
  clearImmediate,
  clearInterval,
  clearTimeout,
  queueMicrotask,
  setImmediate,
  setInterval,
  setTimeout,
};
