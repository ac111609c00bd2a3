'use strict';
// The rows of payload-corpus.js that may not travel.

const {
  CYCLE_TEXT,
  MAX_PAYLOAD_DEPTH,
  SECRET,
  detached,
  endless,
  inNewRealm,
  nestedArrays,
  nestedObjects,
  refuses,
  throwSecret,
  unreadable,
  unsupported,
} = require('./payload-rules.js');

const UNSUPPORTED = [
  unsupported('a function', () => () => {}),
  unsupported('a class', () => class {}),
  unsupported('a symbol', () => Symbol(SECRET)),
  unsupported('a bigint', () => 1n),
  unsupported('a Date', () => new Date(0)),
  unsupported('a RegExp', () => /x/),
  unsupported('a Map', () => new Map([[SECRET, 1]])),
  unsupported('a Set', () => new Set()),
  unsupported('a WeakMap', () => new WeakMap()),
  unsupported('an Error', () => new Error(SECRET)),
  unsupported('a Promise', () => Promise.resolve()),
  unsupported('a class instance', () => new (class Account {})()),
  unsupported('an object with a prototype', () => Object.create({ a: 1 })),
  unsupported('a boxed number', () => Object(1)),
  unsupported('a boxed string', () => Object('s')),
  unsupported('a boxed boolean', () => Object(false)),
  unsupported('a SharedArrayBuffer', () => new SharedArrayBuffer(8)),
  unsupported('a URL', () => new URL('https://example.test/')),
  unsupported('a generator', () => (function* () {})()),
  unsupported('a Date of another realm', () => inNewRealm('new Date(0)')),
  unsupported('a Map of another realm', () => inNewRealm('new Map()')),
  unsupported('an instance of another realm', () =>
    inNewRealm('new (class Account {})()'),
  ),
  unsupported('a function in a property', () => ({ [SECRET]() {} })),
  unsupported('a Date in an array', () => [[new Date(0)]]),
  unsupported('a bigint from a getter', () => ({
    get big() {
      return 1n;
    },
  })),
];

const UNREADABLE = [
  [
    'a cycle through an object',
    () => {
      const value = { [SECRET]: {} };
      value[SECRET].back = value;
      return value;
    },
    refuses('SerializationFailed', CYCLE_TEXT),
  ],
  [
    'a cycle through an array',
    () => {
      const value = [[]];
      value[0].push(value);
      return value;
    },
    refuses('SerializationFailed', CYCLE_TEXT),
  ],
  unreadable('a getter that throws', () => ({
    get secret() {
      return throwSecret();
    },
  })),
  unreadable('a getter that throws an error of ours', () => ({
    get secret() {
      const {
        SloppyWorkerError,
      } = require('../../lib/protocol/sloppy-worker-error.js');
      throw new SloppyWorkerError('SLOPPY_E_WORK_JOB_FAILED', SECRET);
    },
  })),
  unreadable('a getter that throws nothing', () => ({
    get secret() {
      throw null;
    },
  })),
  unreadable('an element getter that throws', () =>
    Object.defineProperty([1], 1, { get: throwSecret }),
  ),
  ...['ownKeys', 'get', 'getPrototypeOf', 'getOwnPropertyDescriptor'].map(
    (trap) =>
      unreadable(
        `a proxy whose ${trap} throws`,
        () => new Proxy({ a: 1 }, { [trap]: throwSecret }),
      ),
  ),
  unreadable('a revoked proxy', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  }),
  unreadable('a getter without end', endless),
  unreadable('arrays nested too deeply', () =>
    nestedArrays(MAX_PAYLOAD_DEPTH + 1),
  ),
  unreadable('objects nested too deeply', () =>
    nestedObjects(MAX_PAYLOAD_DEPTH + 1),
  ),
  unreadable('a million levels', () => nestedArrays(1_000_000)),
  unreadable('a detached ArrayBuffer', () => detached((buffer) => buffer)),
  unreadable('a view of a detached buffer', () =>
    detached((buffer) => new Uint16Array(buffer)),
  ),
  unreadable('a DataView of a detached buffer', () =>
    detached((buffer) => new DataView(buffer)),
  ),
  unreadable('a view that no longer fits its buffer', () => {
    const buffer = new ArrayBuffer(8, { maxByteLength: 8 });
    const view = new Uint8Array(buffer, 4, 4);
    buffer.resize(2);
    return [view];
  }),
];

module.exports = [...UNSUPPORTED, ...UNREADABLE];
