'use strict';

// Hashes and ciphers are streams too, though few treat them so: what makes
// them streams is loaded at the first touch.

const METHODS = [
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
  'pause',
  'pipe',
  'prependListener',
  'read',
  'removeAllListeners',
  'removeListener',
  'resume',
  'setDefaultEncoding',
  'setEncoding',
  'uncork',
  'unpipe',
  'write',
  Symbol.asyncIterator,
];
const STATES = ['_readableState', '_writableState'];

function define(object, name, descriptor) {
  Object.defineProperty(object, name, { configurable: true, ...descriptor });
}

let transform;

// From here on all of Transform's members are inherited; an object gets its
// state when one of them asks for it.
function becomeStreams() {
  if (transform !== undefined) return;
  transform = require('node:stream').Transform;
  for (const name of METHODS) delete LazyTransform.prototype[name];
  Object.setPrototypeOf(LazyTransform.prototype, transform.prototype);
}

/** @param {object} [options] of a stream.Transform */
function LazyTransform(options) {
  this._options = options;
}
for (const name of METHODS) {
  define(LazyTransform.prototype, name, {
    writable: true,
    value(...args) {
      becomeStreams();
      return this[name](...args);
    },
  });
}
for (const state of STATES) {
  define(LazyTransform.prototype, state, {
    get() {
      becomeStreams();
      transform.call(this, { decodeStrings: true, ...this._options });
      return this[state];
    },
    set(value) {
      define(this, state, { value, writable: true, enumerable: true });
    },
  });
}

module.exports = { LazyTransform };
