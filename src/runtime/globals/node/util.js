'use strict';

/* global host */
const { parseArgs } = require('@pkgjs/parseargs');

const { needFunction } = require('../lib/node-error.js');
const { callbackify, promisify } = require('../lib/promisify.js');
const core = require('../lib/util-core.js');

const { format, inspect, types } = core;
const warned = new Set();

/** Calls through, and warns at the first call. */
function deprecate(original, message, code = undefined) {
  needFunction(original, 'fn');
  let told = false;
  function deprecated(...args) {
    if (!told) {
      told = true;
      if (code === undefined || !warned.has(code)) {
        warned.add(code);
        const { emitWarning } = require('node:process');
        emitWarning(message, 'DeprecationWarning', code);
      }
    }
    if (new.target) return Reflect.construct(original, args, new.target);
    return Reflect.apply(original, this, args);
  }
  Object.setPrototypeOf(deprecated, original);
  if (original.prototype) deprecated.prototype = original.prototype;
  return deprecated;
}

// NODE_DEBUG names the sections that speak.
function debuglog(section) {
  const { env } = require('node:process');
  const wanted = `${env.NODE_DEBUG ?? ''}`.toLowerCase().split(',');
  const enabled = wanted.includes(section.toLowerCase());
  const log = (...args) => {
    if (!enabled) return;
    const { pid } = host.process;
    host.write(2, `${section.toUpperCase()} ${pid}: ${format(...args)}\n`);
  };
  return Object.defineProperty(log, 'enabled', { get: () => enabled });
}

function styleText(style, text) {
  const styles = Array.isArray(style) ? style : [style];
  let before = '';
  let after = '';
  for (const name of styles) {
    const codes = inspect.colors[name];
    if (!codes) {
      const known = Object.keys(inspect.colors).join(', ');
      const error = new TypeError(
        `The argument 'format' must be one of: ${known}. Received '${name}'`,
      );
      error.code = 'ERR_INVALID_ARG_VALUE';
      throw error;
    }
    before += `\u001b[${codes[0]}m`;
    after = `\u001b[${codes[1]}m${after}`;
  }
  return before + text + after;
}

const loneSurrogate =
  /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const toUSVString = (text) => `${text}`.replace(loneSurrogate, '\ufffd');

async function aborted(signal, _resource) {
  if (signal.aborted) return;
  await new Promise((resolve) => {
    signal.addEventListener('abort', resolve, { once: true });
  });
}

const isPrimitive = (value) =>
  value === null || (typeof value !== 'object' && typeof value !== 'function');

module.exports = {
  ...core,
  TextDecoder: undefined,
  TextEncoder: undefined,
  _extend: (target, source) =>
    source !== null && typeof source === 'object'
      ? Object.assign(target, source)
      : target,
  aborted,
  callbackify,
  debug: debuglog,
  debuglog,
  deprecate,
  isArray: Array.isArray,
  isBoolean: (value) => typeof value === 'boolean',
  isBuffer: (value) => require('node:buffer').Buffer.isBuffer(value),
  isDate: types.isDate,
  isDeepStrictEqual: (left, right) =>
    require('sw:comparisons').isDeepStrictEqual(left, right),
  isError: (value) => types.isNativeError(value) || value instanceof Error,
  isFunction: (value) => typeof value === 'function',
  isNull: (value) => value === null,
  isNullOrUndefined: (value) => value === null || value === undefined,
  isNumber: (value) => typeof value === 'number',
  isObject: (value) => value !== null && typeof value === 'object',
  isPrimitive,
  isRegExp: types.isRegExp,
  isString: (value) => typeof value === 'string',
  isSymbol: (value) => typeof value === 'symbol',
  isUndefined: (value) => value === undefined,
  log: (...args) => host.write(1, `${format(...args)}\n`),
  parseArgs,
  promisify,
  styleText,
  toUSVString,
};

for (const name of ['TextDecoder', 'TextEncoder']) {
  Object.defineProperty(module.exports, name, {
    get: () => require('sw:encoding')[name],
    enumerable: true,
  });
}
