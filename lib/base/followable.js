'use strict';

const { defineProperty, getOwnPropertyDescriptor } = Object;
const PromisePrototype = Promise.prototype;
const { then } = PromisePrototype;
const OwnPromise = Promise;
const { species } = Symbol;
const speciesOf = getOwnPropertyDescriptor(Promise, species).get;

const isValue = (object, key, value) =>
  getOwnPropertyDescriptor(object, key)?.value === value;

/**
 * Pins the original `then` on this promise, so that a patched
 * Promise.prototype.then is not called when the promise is adopted.
 *
 * @param {Promise<unknown>} promise
 * @returns {Promise<unknown>} the same
 */
function followable(promise) {
  if (!isValue(PromisePrototype, 'then', then)) {
    defineProperty(promise, 'then', { __proto__: null, value: then });
  }
  if (
    !isValue(PromisePrototype, 'constructor', OwnPromise) ||
    getOwnPropertyDescriptor(OwnPromise, species)?.get !== speciesOf
  ) {
    // `then` makes a promise of the intrinsic class where `constructor` is
    // undefined.
    defineProperty(promise, 'constructor', { __proto__: null });
  }
  return promise;
}

module.exports = { followable };
