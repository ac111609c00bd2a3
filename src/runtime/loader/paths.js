'use strict';

const { posix, win32 } = require('path-unified');

/**
 * How paths are written where the process runs: nothing else in the loader
 * knows. Paths are those of the system, with its separators.
 *
 * @param {string} platform as `process.platform`
 */
function createPaths(platform) {
  const windows = platform === 'win32';
  const { basename, dirname, isAbsolute, join, resolve } = windows
    ? win32
    : posix;
  const relative = windows ? /^\.{1,2}[/\\]/ : /^\.{1,2}\//;
  const folders = windows ? /[/\\]$/ : /\/$/;
  const endsAsFolder = (name) => folders.test(name);

  return {
    basename,
    dirname,
    isAbsolute,
    resolve,

    /** Whether a name says where its file is, rather than what it is called. */
    isPlace: (name) => relative.test(name) || isAbsolute(name),

    /** Whether it can only be a folder's. */
    endsAsFolder,

    /** The folders in which packages are looked for, the nearest first. */
    lookupPaths(folder) {
      const paths = [];
      for (let at = folder; ; at = dirname(at)) {
        if (basename(at) !== 'node_modules')
          paths.push(join(at, 'node_modules'));
        if (dirname(at) === at) return paths;
      }
    },

    /** The file that `createRequire` of a path stands for. */
    standIn: (path) => (endsAsFolder(path) ? join(path, 'noop.js') : path),
  };
}

/** Whether a path or URL is a TypeScript file's. */
const isTypeScript = (name) => /\.[mc]?ts([?#]|$)/.test(name);

module.exports = { createPaths, isTypeScript };
