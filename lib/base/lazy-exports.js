'use strict';

const { defineProperty } = Object;

/**
 * Defines a module's exports so that each is loaded at its first use. A program
 * that uses one class of many loads only the files of that class. After its
 * first use, an export is an ordinary property, which can be replaced.
 *
 * @param {object} all `module.exports`, with the names in it
 * @param {Record<string, () => object>} sources for each name, a function that
 *   requires the module with that export
 */
function lazyExports(all, sources) {
  for (const name of Object.keys(sources)) {
    const replace = (value) =>
      defineProperty(all, name, {
        value,
        configurable: true,
        enumerable: true,
        writable: true,
      });
    defineProperty(all, name, {
      get() {
        const { [name]: value } = sources[name]();
        replace(value);
        return value;
      },
      set: replace,
      configurable: true,
      enumerable: true,
    });
  }
}

module.exports = { lazyExports };
