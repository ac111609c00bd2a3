'use strict';

/* global host */
// Hashes and ciphers are streams too, though few treat them so: what makes
// them streams is loaded at the first touch.

const { since } = require('./versions.js');

const WRITABLE = {
  states: ['_writableState', '_events'],
  methods: [
    ...['addListener', 'cork', 'destroy', 'emit', 'end', 'eventNames'],
    ...['getMaxListeners', 'listenerCount', 'listeners', 'off', 'on', 'once'],
    ...['pipe', 'prependListener', 'prependOnceListener', 'rawListeners'],
    ...['removeAllListeners', 'removeListener', 'setDefaultEncoding'],
    ...['setMaxListeners', 'uncork', 'write'],
  ],
  accessors: [
    ...['closed', 'destroyed', 'errored', 'writable', 'writableAborted'],
    ...['writableBuffer', 'writableCorked', 'writableEnded'],
    ...['writableFinished', 'writableHighWaterMark', 'writableLength'],
    ...['writableNeedDrain', 'writableObjectMode'],
  ],
};
const TRANSFORM = {
  states: ['_readableState', '_writableState'],
  methods: [
    ...WRITABLE.methods,
    ...['compose', 'drop', 'every', 'filter', 'find', 'flatMap', 'forEach'],
    ...['isPaused', 'iterator', 'map', 'pause', 'push', 'read', 'reduce'],
    ...['resume', 'setEncoding', 'some', 'take', 'toArray', 'unpipe'],
    ...['unshift', 'wrap', Symbol.asyncIterator],
  ],
  accessors: [
    ...WRITABLE.accessors,
    ...['readable', 'readableAborted', 'readableDidRead', 'readableEncoding'],
    ...['readableEnded', 'readableFlowing', 'readableHighWaterMark'],
    ...['readableLength', 'readableObjectMode'],
  ],
};

function define(object, name, descriptor) {
  Object.defineProperty(object, name, { configurable: true, ...descriptor });
}

/**
 * A class of node:stream as the prototype of others, without its bundle. From
 * the first touch on all of its members are inherited; an object gets its state
 * when one of them asks for it.
 *
 * @param {'Transform' | 'Writable'} name
 * @param {Record<'states' | 'methods' | 'accessors', (string | symbol)[]>} members
 * @param {string | symbol} kept the member that has the options until then
 * @param {(stream: object) => void} [started] changes its new state
 * @returns {Function}
 */
function lazyStream(name, members, kept, started = () => {}) {
  const { states, methods, accessors } = members;
  const enumerable = typeof kept === 'string';
  let Stream;

  /** @param {object} [options] of the stream */
  function Lazy(options) {
    // Far cheaper than a property that is defined, in each hash.
    if (enumerable) this[kept] = options;
    else define(this, kept, { value: options, writable: true });
  }

  function load() {
    if (Stream !== undefined) return;
    Stream = require('node:stream')[name];
    Object.setPrototypeOf(Lazy.prototype, Stream.prototype);
    Object.setPrototypeOf(Lazy, Stream);
  }

  // Members until then. V8 asks for a method when it is read first, which costs
  // a fresh isolate less than a function for each.
  const early = {};
  Object.setPrototypeOf(Lazy.prototype, early);
  host.defineLazy(early, methods, false, (method) => {
    load();
    return Stream.prototype[method];
  });
  for (const accessor of accessors) {
    define(early, accessor, {
      get() {
        load();
        return this[accessor];
      },
      set(value) {
        load();
        this[accessor] = value;
      },
    });
  }
  for (const state of states) {
    define(Lazy.prototype, state, {
      enumerable,
      get() {
        // A prototype has none, and is asked while one is made.
        if (!Object.hasOwn(this, kept)) return undefined;
        load();
        define(this, state, { writable: true, enumerable: true });
        Stream.call(this, this[kept]);
        started(this);
        return this[state];
      },
      set(value) {
        define(this, state, { value, writable: true, enumerable: true });
      },
    });
  }
  return Lazy;
}

/**
 * Gives a class its methods, and what it inherits of a lazy stream.
 *
 * @param {Function} Class
 * @param {Function} Lazy
 * @param {Record<string, Function>} prototype with `constructor` as the first
 */
function extendLazily(Class, Lazy, prototype) {
  define(prototype, 'constructor', { enumerable: false });
  Object.setPrototypeOf(prototype, Lazy.prototype);
  Object.setPrototypeOf(Class, Lazy);
  Class.prototype = prototype;
}

// Hashes and ciphers take texts as they are.
const LazyTransform = lazyStream(
  'Transform',
  TRANSFORM,
  '_options',
  ({ _options, _writableState }) => {
    _writableState.decodeStrings = false;
    if (since(22) || _options?.defaultEncoding) return;
    _writableState.defaultEncoding = 'buffer';
  },
);

// Node keeps no options of streams that only take.
const makeLazyWritable = () =>
  lazyStream('Writable', WRITABLE, Symbol('options'));

module.exports = { LazyTransform, extendLazily, makeLazyWritable };
