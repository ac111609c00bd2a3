'use strict';

/* global natives */

/**
 * A library that is too large to be part of the addon, from the package that is
 * installed beside it.
 *
 * @param {string} file CommonJS
 * @param {(name: string) => object} [require]
 * @returns {object} its exports
 */
module.exports = function loadFile(file, require) {
  const module = { exports: {} };
  const text = natives.readText(file);
  const body = new Function('module', 'exports', 'require', text);
  body(module, module.exports, require);
  return module.exports;
};
