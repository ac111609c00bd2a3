'use strict';

const { existsSync } = require('node:fs');
const { fileURLToPath, pathToFileURL } = require('node:url');

const { suffixAt } = require('../base/scan.js');

const ENDS = ['.js', '.mjs', '.cjs'];

// A file that the process may not read counts as missing.
function exists(path) {
  try {
    return existsSync(path);
  } catch {
    return false;
  }
}

/**
 * Finds the TypeScript file for a missing compiled one, because a program that
 * runs from its sources and from its build names `tasks.js` in both.
 *
 * @param {string} path absolute
 * @returns {string} `tasks.ts` for a missing `tasks.js` (`.mts`, `.cts`
 *   likewise) if that is there; else the path
 */
function sourceFile(path) {
  const end = ENDS.find((each) => path.endsWith(each));
  if (end === undefined || exists(path)) return path;
  const source = `${path.slice(0, -2)}ts`;
  return exists(source) ? source : path;
}

/** The same for a module's URL; one that is no file: URL stays. */
function sourceUrl(url) {
  if (!url.startsWith('file:')) return url;
  try {
    const file = fileURLToPath(url);
    const source = sourceFile(file);
    return source === file
      ? url
      : pathToFileURL(source).href + url.slice(suffixAt(url));
  } catch {
    // The worker reports the failure.
    return url;
  }
}

module.exports = { sourceFile, sourceUrl };
