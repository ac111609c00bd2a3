'use strict';

const { isAbsolute, resolve } = require('node:path');
const { pathToFileURL } = require('node:url');

const { isDotted } = require('../base/scan.js');
const { isPlainObject } = require('../base/validate.js');
const { sourceFile, sourceUrl } = require('./source-file.js');

function specifierOf(given) {
  const text = given instanceof URL ? given.href : given;
  if (typeof text !== 'string' || text === '') {
    throw new TypeError('worker modules must be specifiers or URLs.');
  }
  const isPath = isDotted(text) || isAbsolute(text);
  return isPath
    ? pathToFileURL(sourceFile(resolve(text))).href
    : sourceUrl(text);
}

/**
 * Reads the option `modules` of jobs. The last value is kept, because most
 * calls repeat it.
 */
class ModulesReader {
  #given = [];
  #folder = null;
  #list = '[]';

  /**
   * @param {unknown} modules specifiers by name: paths, against the working
   *   directory, URLs, packages
   * @returns {string} JSON: a list of [name, URL]
   * @throws {TypeError}
   */
  read(modules) {
    if (!isPlainObject(modules)) {
      throw new TypeError('worker modules must be a plain object.');
    }
    const given = Object.entries(modules);
    if (!this.#areLast(given)) {
      this.#list = JSON.stringify(
        given.map(([name, specifier]) => [name, specifierOf(specifier)]),
      );
      this.#given = given;
      this.#folder = folderOf(given);
    }
    return this.#list;
  }

  #areLast(given) {
    const last = this.#given;
    if (given.length !== last.length) return false;
    for (let i = 0; i < given.length; i++) {
      const specifier = given[i][1];
      // Only texts are compared, because the target of a URL object may change.
      if (typeof specifier !== 'string' || specifier !== last[i][1]) {
        return false;
      }
      if (given[i][0] !== last[i][0]) return false;
    }
    return this.#folder === null || this.#folder === process.cwd();
  }
}

/**
 * @returns {string | null} the working directory if a path is relative, else
 *   null
 */
function folderOf(given) {
  const isRelative = ([, specifier]) =>
    typeof specifier === 'string' && isDotted(specifier);
  return given.some(isRelative) ? process.cwd() : null;
}

module.exports = { ModulesReader };
