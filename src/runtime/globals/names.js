'use strict';

const {
  INTERFACES,
  OPERATIONS,
} = require('../../../lib/protocol/global-names.js');
const withheld = require('./lib/builtin-names.json');
const { PREFIX_ONLY } = require('./lib/prefix-only.js');

// The globals of the language itself, of every V8 there is; those of one that
// has fewer are left out when they are read.
const LANGUAGE = [
  'AggregateError',
  'Array',
  'ArrayBuffer',
  'AsyncDisposableStack',
  'Atomics',
  'BigInt',
  'BigInt64Array',
  'BigUint64Array',
  'Boolean',
  'DataView',
  'Date',
  'DisposableStack',
  'Error',
  'EvalError',
  'FinalizationRegistry',
  'Float16Array',
  'Float32Array',
  'Float64Array',
  'Function',
  'Infinity',
  'Int16Array',
  'Int32Array',
  'Int8Array',
  'Intl',
  'Iterator',
  'JSON',
  'Map',
  'Math',
  'NaN',
  'Number',
  'Object',
  'Promise',
  'Proxy',
  'RangeError',
  'ReferenceError',
  'Reflect',
  'RegExp',
  'Set',
  'SharedArrayBuffer',
  'String',
  'SuppressedError',
  'Symbol',
  'SyntaxError',
  'Temporal',
  'TypeError',
  'URIError',
  'Uint16Array',
  'Uint32Array',
  'Uint8Array',
  'Uint8ClampedArray',
  'WeakMap',
  'WeakRef',
  'WeakSet',
  'decodeURI',
  'decodeURIComponent',
  'encodeURI',
  'encodeURIComponent',
  'escape',
  'eval',
  'isFinite',
  'isNaN',
  'parseFloat',
  'parseInt',
  'undefined',
  'unescape',
];

// Properties of the global object that Node has accessors for.
const REPLACEABLE = ['Buffer', 'process'];

/**
 * The constants of install.js, computed at build time, so that a starting realm
 * need not do it.
 *
 * @param {string[]} nodeBuiltins the modules of Node that are bundles
 * @param {string[]} nodeLibrary those that are Node's own text
 * @returns {Record<string, unknown>} by the name between the underscores
 */
function installConstants(nodeBuiltins, nodeLibrary) {
  const tables = [INTERFACES, OPERATIONS];
  const bundles = tables.flatMap((table) =>
    Object.entries(table).flatMap(([bundle, names]) =>
      names.map((name) => [name, bundle]),
    ),
  );
  const others = Object.keys(withheld).filter(
    (name) => !PREFIX_ONLY.includes(name),
  );
  return {
    // Whether those that can be named without `node:` are offered.
    NODE_BUILTINS: Object.fromEntries([
      ...others.map((name) => [name, false]),
      ...nodeBuiltins.map((name) => [name, true]),
      ...nodeLibrary.map((name) => [name, 'library']),
    ]),
    INTERFACES: Object.values(INTERFACES)
      .flat()
      .filter((name) => !REPLACEABLE.includes(name)),
    OPERATIONS: Object.values(OPERATIONS).flat(),
    REPLACEABLE,
    BUNDLES: Object.fromEntries(bundles),
    LANGUAGE,
  };
}

module.exports = {
  INTERFACES,
  LANGUAGE,
  OPERATIONS,
  REPLACEABLE,
  installConstants,
};
