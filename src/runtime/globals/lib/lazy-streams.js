'use strict';

// Hashes and ciphers are streams too, though few treat them so: what makes
// them streams is loaded at the first touch.

function define(object, name, descriptor) {
  Object.defineProperty(object, name, { configurable: true, ...descriptor });
}

/** Stands in for the prototype of streams until one of them is touched. */
class Untouched {
  addListener(...args) {
    return touched(this).addListener(...args);
  }
  cork(...args) {
    return touched(this).cork(...args);
  }
  destroy(...args) {
    return touched(this).destroy(...args);
  }
  emit(...args) {
    return touched(this).emit(...args);
  }
  end(...args) {
    return touched(this).end(...args);
  }
  listenerCount(...args) {
    return touched(this).listenerCount(...args);
  }
  listeners(...args) {
    return touched(this).listeners(...args);
  }
  off(...args) {
    return touched(this).off(...args);
  }
  on(...args) {
    return touched(this).on(...args);
  }
  once(...args) {
    return touched(this).once(...args);
  }
  pipe(...args) {
    return touched(this).pipe(...args);
  }
  prependListener(...args) {
    return touched(this).prependListener(...args);
  }
  removeAllListeners(...args) {
    return touched(this).removeAllListeners(...args);
  }
  removeListener(...args) {
    return touched(this).removeListener(...args);
  }
  setDefaultEncoding(...args) {
    return touched(this).setDefaultEncoding(...args);
  }
  uncork(...args) {
    return touched(this).uncork(...args);
  }
  write(...args) {
    return touched(this).write(...args);
  }
}
define(Untouched.prototype, 'constructor', { value: Object, writable: true });

/** The same of streams that can be read as well. */
class UntouchedReadable {
  pause(...args) {
    return touched(this).pause(...args);
  }
  read(...args) {
    return touched(this).read(...args);
  }
  resume(...args) {
    return touched(this).resume(...args);
  }
  setEncoding(...args) {
    return touched(this).setEncoding(...args);
  }
  unpipe(...args) {
    return touched(this).unpipe(...args);
  }
  [Symbol.asyncIterator](...args) {
    return touched(this)[Symbol.asyncIterator](...args);
  }
}
Object.setPrototypeOf(UntouchedReadable.prototype, Untouched.prototype);
define(UntouchedReadable.prototype, 'constructor', {
  value: Object,
  writable: true,
});

/** A stream that inherits all that a stream has from now on. */
function touched(stream) {
  const isTransform = stream instanceof LazyTransform;
  (isTransform ? transform : writable).load();
  return stream;
}

/**
 * A class of node:stream as the prototype of others, without its bundle. From
 * the first touch on all of its members are inherited; an object gets its state
 * when one of them asks for it.
 *
 * @param {'Transform' | 'Writable'} name
 * @param {Function} Early the class whose members are there before that
 * @param {string[]} states
 * @param {object} [defaults] of its options
 */
function lazyStream(name, Early, states, defaults = undefined) {
  let Stream;

  /** @param {object} [options] of the stream */
  function Lazy(options) {
    this._options = options;
  }
  Object.setPrototypeOf(Lazy.prototype, Early.prototype);

  function load() {
    if (Stream !== undefined) return;
    Stream = require('node:stream')[name];
    Object.setPrototypeOf(Lazy.prototype, Stream.prototype);
    Object.setPrototypeOf(Lazy, Stream);
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
  return { Lazy, load };
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

const writable = lazyStream('Writable', Untouched, ['_writableState']);
const transform = lazyStream(
  'Transform',
  UntouchedReadable,
  ['_readableState', '_writableState'],
  { decodeStrings: true },
);
const { Lazy: LazyTransform } = transform;
const { Lazy: LazyWritable } = writable;

module.exports = { LazyTransform, LazyWritable, extendLazily };
