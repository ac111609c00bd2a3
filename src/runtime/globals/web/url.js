'use strict';

const { URL, URLSearchParams } = require('whatwg-url');

const { inspectSymbol, inspectable } = require('../lib/webidl.js');

const readHref = Object.getOwnPropertyDescriptor(URL.prototype, 'href').get;

/** Whether `value` is a URL of this isolate, by its own slots. */
function isURL(value) {
  try {
    readHref.call(value);
    return true;
  } catch {
    return false;
  }
}

inspectable(URL, [
  'href',
  'origin',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'searchParams',
  'hash',
]);

Object.defineProperty(URLSearchParams.prototype, inspectSymbol, {
  value(depth, options, inspect) {
    if (depth < 0) return '[URLSearchParams]';
    const pairs = [...this].map(
      ([key, value]) =>
        `${inspect(key, options)} => ${inspect(value, options)}`,
    );
    if (pairs.length === 0) return 'URLSearchParams {}';
    return `URLSearchParams { ${pairs.join(', ')} }`;
  },
  configurable: true,
  writable: true,
});

module.exports = { URL, URLSearchParams, isURL };
