'use strict';

/**
 * Makes `instanceof` hold for every copy of a class: the package may be loaded
 * twice (ESM and CJS caches, two installed versions, Jest's module registry)
 * or in several realms, and each copy has its own class object.
 *
 * Subclasses keep the ordinary prototype check, because an inherited brand does
 * not tell which subclass an object belongs to.
 *
 * @param {Function} Class the class to brand
 * @param {string} name stable name, shared by all copies
 */
function brandClass(Class, name) {
  const brand = Symbol.for(`sloppy-workers.${name}`);
  Object.defineProperty(Class.prototype, brand, { value: true });
  Object.defineProperty(Class.prototype, 'name', {
    value: name,
    writable: true,
    configurable: true,
  });
  Object.defineProperty(Class, Symbol.hasInstance, {
    value(candidate) {
      if (this !== Class) {
        return Function.prototype[Symbol.hasInstance].call(this, candidate);
      }
      return (
        typeof candidate === 'object' &&
        candidate !== null &&
        candidate !== Class.prototype &&
        candidate[brand] === true
      );
    },
  });
}

module.exports = { brandClass };
