'use strict';

// The base of relative URLs. A worker has no address; code that needs one gives
// its global object a `location`.

/* global load */

/** @returns {string | undefined} */
function baseUrl() {
  const { location } = load.scope;
  const href = location?.href;
  return typeof href === 'string' ? href : undefined;
}

/** @returns {URL} a TypeError if it is none */
function parseUrl(input) {
  const { URL } = require('sw:internal/url');
  return new URL(`${input}`, baseUrl());
}

module.exports = { baseUrl, parseUrl };
