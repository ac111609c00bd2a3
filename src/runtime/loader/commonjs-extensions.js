'use strict';

const { append, define, ownKeys } = require('./builtins.js');

const OWN = ['.js', '.json', '.node'];

/**
 * `require.extensions`, which all files of a realm share: what runs a file, by
 * the end of its name. A program may add its own, or replace those there are.
 *
 * @param {object} paths see paths.js
 * @param {object} texts see texts.js
 * @param {(module: object, path: string, parent: unknown) => void} runFile
 */
function createExtensions(paths, texts, runFile) {
  const table = { __proto__: null };
  const own = { __proto__: null };
  for (let i = 0; i < OWN.length; ++i) {
    own[OWN[i]] = (module, path) => runFile(module, path, module.parent);
    define(table, OWN[i], own[OWN[i]]);
  }

  // The longest of those that are there, as in Node: `.b.c` before `.c`. A dot
  // in front begins a name.
  function extensionOf(path) {
    const name = paths.basename(path);
    for (let i = 1; i < name.length; ++i) {
      if (name[i] !== '.') continue;
      const extension = texts.substring(name, i);
      if (table[extension]) return extension;
    }
    return '.js';
  }

  return {
    table,

    /** Runs a file, by the loader itself unless a program has its own way. */
    run(module, path, parent) {
      const extension = extensionOf(path);
      const handler = table[extension];
      if (handler === undefined || handler === own[extension]) {
        runFile(module, path, parent);
      } else {
        table[extension](module, path);
      }
    },

    /** Whether a file is run as code, whatever its name says. */
    isCode: (path) => extensionOf(path) === '.js',

    /** @returns {string[]} the ends that a program has added, in their order */
    added() {
      const found = [];
      const keys = ownKeys(table);
      for (let i = 0; i < keys.length; ++i) {
        if (typeof keys[i] === 'string' && own[keys[i]] === undefined) {
          append(found, keys[i]);
        }
      }
      return found;
    },
  };
}

module.exports = { createExtensions };
