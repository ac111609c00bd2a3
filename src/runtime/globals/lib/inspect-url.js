'use strict';

/* global load */

// An object whose class was never touched cannot be a URL, so nothing has to
// be loaded to find that out.
class URL {
  static [Symbol.hasInstance](value) {
    return load.loaded('url')?.isURL(value) === true;
  }
}

const pathToFileURL = (path) => load('node:url').pathToFileURL(path);

module.exports = { URL, pathToFileURL };
