'use strict';

const { apply, rejected } = require('./primordials.js');
const { needMuchRoom, outOfRoom } = require('./stack-room.js');

const error = (name) =>
  new TypeError(`${name} must be called as a method of its handle.`);

/**
 * The refusal of methods that check their handle by themselves.
 *
 * @param {string} name
 * @returns {Promise<never>}
 */
const rejectDetached = (name) => rejected(error(name));

function refuse(refusal) {
  try {
    return rejected(refusal);
  } catch {
    return outOfRoom;
  }
}

function guarded(name, key, method, isHandle, rejects) {
  const { [key]: wrapper } = {
    [key](...args) {
      try {
        needMuchRoom();
      } catch (refusal) {
        if (rejects) return refuse(refusal);
        throw refusal;
      }
      if (isHandle(this)) return apply(method, this, args);
      if (rejects) return rejectDetached(name);
      throw error(name);
    },
  };
  Object.defineProperty(wrapper, 'length', { value: method.length });
  return wrapper;
}

/**
 * Wraps the methods of a class with two checks. A call without the handle, as
 * after `const { stop } = queue`, is a TypeError. A call too near the end of
 * the stack is a RangeError, because it might end halfway. Methods that return
 * promises reject, the others throw.
 *
 * @param {Function} Class
 * @param {object} options
 * @param {string} options.name public name of the class
 * @param {(value: unknown) => boolean} options.isHandle
 * @param {string[]} options.promised methods that return promises, besides
 *   async functions
 * @param {string[]} [options.hot] methods that check themselves, because they
 *   are called often
 */
function guardMethods(Class, { name, isHandle, promised, hot = [] }) {
  const { prototype } = Class;
  for (const key of Object.getOwnPropertyNames(prototype)) {
    const { value } = Object.getOwnPropertyDescriptor(prototype, key);
    const isPublic = key !== 'constructor' && !key.startsWith('__');
    if (!isPublic || typeof value !== 'function' || hot.includes(key)) continue;
    const rejects =
      promised.includes(key) || value.constructor.name === 'AsyncFunction';
    Object.defineProperty(prototype, key, {
      value: guarded(`${name}.${key}`, key, value, isHandle, rejects),
    });
  }
}

module.exports = { guardMethods, rejectDetached };
