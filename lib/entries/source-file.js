'use strict';

const { existsSync } = require('node:fs');
const { fileURLToPath, pathToFileURL } = require('node:url');

const { matchOf } = require('../base/primordials.js');

const COMPILED = /\.([mc]?)js$/;

// A process without the right to look has no such file.
function exists(path) {
  try {
    return existsSync(path);
  } catch {
    return false;
  }
}

/**
 * The TypeScript file of a compiled one that is not there, because `tasks.js`
 * is what a program names that runs from its sources as well as from its build.
 *
 * @param {string} path absolute
 * @returns {string} `tasks.ts` for a missing `tasks.js` (`.mts`, `.cts`
 *   likewise) if that is there; else the path
 */
function sourceFile(path) {
  const match = matchOf(COMPILED, path);
  if (match === null || exists(path)) return path;
  const source = `${path.slice(0, match.index)}.${match[1]}ts`;
  return exists(source) ? source : path;
}

/** The same for the name of a module: what is no file: URL stays as it is. */
function sourceUrl(url) {
  if (!url.startsWith('file:')) return url;
  try {
    const file = fileURLToPath(url);
    const source = sourceFile(file);
    const [suffix] = /([?#].*)?$/s.exec(url);
    return source === file ? url : pathToFileURL(source).href + suffix;
  } catch {
    // The worker reports it.
    return url;
  }
}

module.exports = { sourceFile, sourceUrl };
