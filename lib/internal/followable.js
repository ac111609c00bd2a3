'use strict';

const { defineProperty, getOwnPropertyDescriptor } = Object;
const PromisePrototype = Promise.prototype;
const { then } = PromisePrototype;

/**
 * A promise that is resolved with another asks that one for its `then`: ours
 * is there whoever replaced the one of all promises.
 *
 * @param {Promise<unknown>} promise
 * @returns {Promise<unknown>} the same
 */
function followable(promise) {
  if (getOwnPropertyDescriptor(PromisePrototype, 'then')?.value !== then) {
    defineProperty(promise, 'then', { __proto__: null, value: then });
  }
  return promise;
}

module.exports = { followable };
