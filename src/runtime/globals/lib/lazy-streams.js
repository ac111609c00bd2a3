'use strict';

// Hashes and ciphers are streams too, though few treat them so: what makes
// them streams is loaded at the first touch.

const WRITABLE = {
  states: ['_writableState'],
  methods: [
    'addListener',
    'cork',
    'destroy',
    'emit',
    'end',
    'listenerCount',
    'listeners',
    'off',
    'on',
    'once',
    'pipe',
    'prependListener',
    'removeAllListeners',
    'removeListener',
    'setDefaultEncoding',
    'uncork',
    'write',
  ],
};
const TRANSFORM = {
  states: ['_readableState', ...WRITABLE.states],
  methods: [
    ...WRITABLE.methods,
    'pause',
    'read',
    'resume',
    'setEncoding',
    'unpipe',
    Symbol.asyncIterator,
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
 * @param {{ states: string[], methods: (string | symbol)[] }} members
 * @param {object} [defaults] of its options
 */
function lazyStream(name, { states, methods }, defaults = undefined) {
  let Stream;

  /** @param {object} [options] of the stream */
  function Lazy(options) {
    this._options = options;
  }

  function load() {
    if (Stream !== undefined) return;
    Stream = require('node:stream')[name];
    for (const method of methods) delete Lazy.prototype[method];
    Object.setPrototypeOf(Lazy.prototype, Stream.prototype);
    Object.setPrototypeOf(Lazy, Stream);
  }

  for (const method of methods) {
    define(Lazy.prototype, method, {
      writable: true,
      value(...args) {
        load();
        return this[method](...args);
      },
    });
  }
  for (const state of states) {
    define(Lazy.prototype, state, {
      get() {
        load();
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
 * @param {Record<string, Function>} members
 */
function extendLazily(Class, Lazy, members) {
  Object.setPrototypeOf(Class.prototype, Lazy.prototype);
  Object.setPrototypeOf(Class, Lazy);
  for (const [name, value] of Object.entries(members)) {
    define(Class.prototype, name, { value, writable: true, enumerable: true });
  }
}

module.exports = {
  extendLazily,
  LazyTransform: lazyStream('Transform', TRANSFORM, { decodeStrings: true }),
  LazyWritable: lazyStream('Writable', WRITABLE),
};
