'use strict';

const { createPosixPaths } = require('./posix-paths.js');

const TYPESCRIPT = ['.ts', '.mts', '.cts'];

/**
 * How paths are written where the process runs: nothing else in the loader
 * knows. Paths are those of the system, with its separators.
 *
 * @param {string} platform as `process.platform`
 * @param {object} texts see texts.js
 * @param {(array: unknown[], value: unknown) => void} append
 */
function createPaths(platform, texts, append) {
  const windows = platform === 'win32';
  const { basename, dirname, isAbsolute, join, resolve } = windows
    ? require('path-unified').win32
    : createPosixPaths(texts);
  const isSlash = (c) => c === '/' || (windows && c === '\\');
  const endsAsFolder = (name) => isSlash(name[name.length - 1]);
  const isRelative = (name) =>
    name[0] === '.' &&
    (isSlash(name[1]) || (name[1] === '.' && isSlash(name[2])));

  return {
    basename,
    dirname,
    isAbsolute,
    join,
    resolve,

    /** Whether a name says where its file is, rather than what it is called. */
    isPlace: (name) => isRelative(name) || isAbsolute(name),

    /** Whether it can only be a folder's. */
    endsAsFolder,

    /** The folders in which packages are looked for, the nearest first. */
    lookupPaths(folder) {
      const paths = [];
      for (let at = folder; ; at = dirname(at)) {
        if (basename(at) !== 'node_modules')
          append(paths, join(at, 'node_modules'));
        if (dirname(at) === at) return paths;
      }
    },

    /** The file that `createRequire` of a path stands for. */
    standIn: (path) => (endsAsFolder(path) ? join(path, 'noop.js') : path),

    /** Whether `extname` of node:path would give one. */
    hasEnding(path) {
      const name = basename(path);
      for (let i = name.length - 1; i > 0; --i) {
        if (name[i] === '.') return true;
      }
      return false;
    },

    /** Whether a path or URL is a TypeScript file's. */
    isTypeScript: (name) =>
      texts.endsWithAny(texts.withoutSuffix(name), TYPESCRIPT),
  };
}

module.exports = { createPaths };
