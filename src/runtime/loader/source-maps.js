'use strict';

const MAX_PLACES = 1000;
// A map is read in the heap of the job that asks, and takes many times its
// size there.
const MAX_BYTES_PER_MB = 16 * 1024;

/**
 * Tells where code comes from, for the stacks that a worker reads itself. Those that
 * go to the caller are mapped there (lib/errors/source-maps.js), but for files
 * whose map exists in the worker alone, because they were transformed there.
 *
 * @param {object} natives isolate/modules/loader_natives.cc
 * @param {object} packages see packages.js
 * @param {object} texts see texts.js
 * @param {number} memoryLimitMb
 */
function createSourceMaps(natives, packages, texts, memoryLimitMb) {
  const maxBytes = `${memoryLimitMb * MAX_BYTES_PER_MB}`;
  const urls = { __proto__: null };
  let places = { __proto__: null };
  let count = 0;

  function urlOf(file) {
    urls[file] ??= natives.sourceMapUrl(file);
    return urls[file];
  }

  function find(file, url, line, column) {
    const path = natives.filePath(file) ?? file;
    const text = texts.startsWith(url, 'data:')
      ? packages.mappedText(path)
      : '';
    return natives.callTool(
      'source-maps',
      path,
      url,
      text,
      maxBytes,
      `${line}`,
      `${column}`,
    );
  }

  /** @returns {string} '' for what has no map */
  function placeInSource(file, line, column) {
    const url = urlOf(file);
    if (url === '') return '';
    const key = `${file}:${line}:${column}`;
    let place = places[key];
    if (place === undefined) {
      place = find(file, url, line, column);
      if (count >= MAX_PLACES) {
        places = { __proto__: null };
        count = 0;
      }
      count += 1;
      places[key] = place;
    }
    return place;
  }

  /** @returns {string} '' for what was not transformed in a worker */
  function placeBeforeTransform(file, line, column) {
    const path = natives.filePath(file) ?? file;
    return packages.isTransformed(path)
      ? placeInSource(file, line, column)
      : '';
  }

  return { placeInSource, placeBeforeTransform };
}

module.exports = { createSourceMaps };
