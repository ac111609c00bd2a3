'use strict';

const { isAbsolute, resolve } = require('node:path');
const { pathToFileURL } = require('node:url');

const { isPlainObject } = require('./validate.js');

const RELATIVE = /^\.\.?(?:[\\/]|$)/;

/**
 * Reads the option `modules` of a job.
 *
 * @param {unknown} modules specifiers by name: paths, against the working
 *   directory, URLs, packages
 * @returns {[string, string][]} names and what to import
 * @throws {TypeError}
 */
function readModules(modules) {
  if (!isPlainObject(modules)) {
    throw new TypeError('worker modules must be a plain object.');
  }
  return Object.entries(modules).map(([name, specifier]) => {
    const text = specifier instanceof URL ? specifier.href : specifier;
    if (typeof text !== 'string' || text === '') {
      throw new TypeError('worker modules must be specifiers or URLs.');
    }
    const path = RELATIVE.test(text) || isAbsolute(text);
    return [name, path ? pathToFileURL(resolve(text)).href : text];
  });
}

module.exports = { readModules };
