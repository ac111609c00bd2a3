'use strict';

// The base of relative URLs. A worker has no address; code that needs one gives
// its global object a `location`.

/* global load */
const { wellFormed } = require('../usv-string.js');

/** @returns {string | undefined} */
function baseUrl() {
  const { location } = load.scope;
  const href = location?.href;
  return typeof href === 'string' ? href : undefined;
}

/**
 * @param {(text: string) => string} [refusal] what the TypeError says
 * @returns {URL}
 */
function parseUrl(
  input,
  refusal = (text) => `Failed to parse URL from ${text}`,
) {
  const { URL } = require('sw:internal/url');
  const text = wellFormed(`${input}`);
  try {
    return new URL(text, baseUrl());
  } catch (cause) {
    throw new TypeError(refusal(text), { cause });
  }
}

module.exports = { baseUrl, parseUrl };
