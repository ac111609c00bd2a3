'use strict';

/* global host */
// Hashes and ciphers are streams too, though few treat them so: what makes
// them streams is loaded at the first touch.

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
 * @param {object} [defaults] of its options
 * @returns {Function}
 */
function lazyStream(name, members, defaults = undefined) {
  const { states, methods, accessors } = members;
  let Stream;

  /** @param {object} [options] of the stream */
  function Lazy(options) {
    this._options = options;
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
      get() {
        // A prototype has none, and is asked while one is made.
        if (!Object.hasOwn(this, '_options')) return undefined;
        load();
        define(this, state, { writable: true, enumerable: true });
        Stream.call(this, { ...defaults, ...this._options });
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

const LazyTransform = lazyStream('Transform', TRANSFORM, {
  decodeStrings: true,
});

const makeLazyWritable = () => lazyStream('Writable', WRITABLE);

module.exports = { LazyTransform, extendLazily, makeLazyWritable };
