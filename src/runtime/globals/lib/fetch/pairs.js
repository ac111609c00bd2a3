'use strict';

// The members of an interface that Web IDL declares iterable over pairs.

const { need } = require('./refusals.js');

const { defineProperty, getPrototypeOf } = Object;
const iterators = getPrototypeOf(getPrototypeOf([][Symbol.iterator]()));

/**
 * @param {Function} Class
 * @param {(instance: object) => [string, unknown][]} read the pairs as they
 *   are now; throws for other objects
 */
function pairIterable(Class, read) {
  class PairIterator {
    #source;
    #pick;
    #at = 0;

    constructor(source, pick) {
      this.#source = source;
      this.#pick = pick;
    }

    next() {
      if (typeof this !== 'object' || this === null || !(#source in this)) {
        throw new TypeError(
          `'next' called on an object that does not implement interface ${Class.name} Iterator.`,
        );
      }
      const pairs = read(this.#source);
      if (this.#at >= pairs.length) return { value: undefined, done: true };
      const value = this.#pick(pairs[this.#at]);
      this.#at += 1;
      return { value, done: false };
    }
  }
  const prototype = PairIterator.prototype;
  Object.setPrototypeOf(prototype, iterators);
  delete prototype.constructor;
  defineProperty(prototype, 'next', { enumerable: true });
  defineProperty(prototype, Symbol.toStringTag, {
    value: `${Class.name} Iterator`,
    configurable: true,
  });
  const iterator = (instance, pick) => {
    read(instance);
    return new PairIterator(instance, pick);
  };

  const members = {
    entries() {
      return iterator(this, ([key, value]) => [key, value]);
    },
    forEach(callback, thisArg = undefined) {
      read(this);
      need(1, arguments.length, `${Class.name}.forEach`);
      if (typeof callback !== 'function') {
        throw new TypeError(
          `Failed to execute 'forEach' on '${Class.name}': parameter 1 is not of type 'Function'.`,
        );
      }
      for (let at = 0; at < read(this).length; at += 1) {
        const [key, value] = read(this)[at];
        callback.call(thisArg, value, key, this);
      }
    },
    keys() {
      return iterator(this, ([key]) => key);
    },
    values() {
      return iterator(this, ([, value]) => value);
    },
  };
  Object.assign(Class.prototype, members);
  defineProperty(Class.prototype, Symbol.iterator, {
    value: members.entries,
    writable: true,
    configurable: true,
  });
}

module.exports = { pairIterable };
