'use strict';

const { defineProperty } = Object;

/**
 * What a module exports, each name loaded when somebody asks for it: a program
 * that takes one class of many waits for its files alone. After that it is an
 * ordinary property, and like one it can be replaced.
 *
 * @param {object} all `module.exports`, with the names in it
 * @param {Record<string, () => object>} sources for each name, what requires
 *   the module that exports it
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
