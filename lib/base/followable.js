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
 * A promise that is resolved with another asks that one for its `then`: ours
 * is there whoever replaced the one of all promises.
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
    // Without one, `then` makes a promise of the intrinsic class.
    defineProperty(promise, 'constructor', { __proto__: null });
  }
  return promise;
}

module.exports = { followable };
