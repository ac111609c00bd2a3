'use strict';

/**
 * Gives a class the methods of another one, because the handle of a pool has one
 * prototype, which guardMethods wraps, and more ideas than one file.
 *
 * @param {Function} Class
 * @param {Function} Part a class without constructor
 */
function mixInto(Class, Part) {
  const methods = Object.getOwnPropertyDescriptors(Part.prototype);
  for (const key of Object.keys(methods)) {
    if (key === 'constructor') continue;
    Object.defineProperty(Class.prototype, key, methods[key]);
  }
}

module.exports = { mixInto };
