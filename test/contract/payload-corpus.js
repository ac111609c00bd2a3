'use strict';

/**
 * Every payload rule as a row `[name, makeValue, expectation]`, for whatever
 * carries payloads: the copy inside one isolate and the codec between two.
 *
 * An expectation is one of
 * - `copies(makeExpected, { overBridge, verify })`: arrives deeply equal to
 *   `makeExpected()`; to `overBridge()` when it leaves the isolate, if given;
 *   `verify(copy, original)` checks what equality does not see;
 * - `refuses(name, text)`: fails with that row of the diagnostic table, and
 *   with that text when the rule fixes one.
 *
 * Code that throws, throws SECRET, because no error may show it.
 */

const assert = require('node:assert');

const REFUSED = require('./payload-refused.js');
const {
  MAX_PAYLOAD_DEPTH,
  NUMBER_TEXT,
  SECRET,
  copies,
  inNewRealm,
  nestedArrays,
  refuses,
  same,
  sparse,
  throwSecret,
} = require('./payload-rules.js');

const PRIMITIVES = [
  same('null', () => null),
  same('true', () => true),
  same('false', () => false),
  same('an empty string', () => ''),
  same('a one-byte string', () => 'caf\u00e9'),
  same('a two-byte string', () => '\u65e5\u672c \u{1f600}'),
  same('a lone surrogate', () => 'a\ud800b'),
  same('a string with NUL', () => 'a\0b'),
  same('a long string', () => 'x'.repeat(70_000)),
  same('zero', () => 0),
  same('a negative integer', () => -7),
  same('a large integer', () => Number.MAX_SAFE_INTEGER),
  same('the smallest number', () => Number.MIN_VALUE),
  same('the largest number', () => Number.MAX_VALUE),
  same('a fraction', () => 0.1 + 0.2),
  same('-0', () => -0),
  same('-0 in an object', () => ({ zero: -0 })),
  ['undefined at the top', () => undefined, copies(() => null)],
  ...[NaN, Infinity, -Infinity].flatMap((value) => [
    [`${value}`, () => value, refuses('UnsupportedPayload', NUMBER_TEXT)],
    [
      `${value} in an array in an object`,
      () => ({ list: [value] }),
      refuses('UnsupportedPayload', NUMBER_TEXT),
    ],
  ]),
];

const CONTAINERS = [
  same('an empty array', () => []),
  same('an empty object', () => ({})),
  same('nested data', () => ({ a: [1, 'two', { b: [null, true] }], c: {} })),
  same('integer-like keys', () => ({ 2: 'b', 1: 'a', x: 0 })),
  same('an empty key', () => ({ '': 1 })),
  same('keys that Object.prototype has', () => ({
    constructor: 1,
    toString: 'mine',
    hasOwnProperty: null,
  })),
  [
    'undefined in an array',
    () => [1, undefined, 3],
    copies(() => [1, null, 3]),
  ],
  [
    'an undefined property',
    () => ({ kept: 1, dropped: undefined }),
    copies(() => ({ kept: 1 })),
  ],
  [
    'holes',
    () => sparse(4, [[1, 'x']]),
    copies(() => sparse(4, [[1, 'x']]), {
      overBridge: () => [null, 'x', null, null],
    }),
  ],
  [
    'an array with a named property',
    () => Object.assign([1], { extra: 2 }),
    copies(() => [1]),
  ],
  [
    'a null-prototype object',
    () => Object.assign(Object.create(null), { a: 1 }),
    copies(() => ({ a: 1 })),
  ],
  [
    'symbol keys',
    () => ({ [Symbol('s')]: () => {}, a: 1 }),
    copies(() => ({ a: 1 })),
  ],
  [
    'a non-enumerable property',
    () => Object.defineProperty({ a: 1 }, 'b', { value: () => {} }),
    copies(() => ({ a: 1 })),
  ],
  [
    'an inherited property',
    () => inNewRealm('Object.prototype.inherited = 1; ({ own: 2 })'),
    copies(() => ({ own: 2 })),
  ],
  [
    'a getter',
    () => ({
      get answer() {
        return { value: 42 };
      },
    }),
    copies(() => ({ answer: { value: 42 } }), {
      verify: (copy) =>
        assert.ok('value' in Object.getOwnPropertyDescriptor(copy, 'answer')),
    }),
  ],
  [
    'an own key __proto__',
    () => JSON.parse('{"__proto__": {"polluted": true}, "a": 1}'),
    copies(() => JSON.parse('{"__proto__": {"polluted": true}, "a": 1}'), {
      verify(copy) {
        assert.strictEqual(Object.getPrototypeOf(copy), Object.prototype);
        assert.ok(Object.hasOwn(copy, '__proto__'));
        assert.strictEqual(copy.polluted, undefined);
      },
    }),
  ],
  same('an own key that other codecs reserve', () => ({
    __sloppyWorkerSerialized: 'bytes',
    bytes: [1],
  })),
  [
    'the same object twice',
    () => {
      const shared = { n: 1 };
      return [shared, shared, { shared }];
    },
    copies(() => [{ n: 1 }, { n: 1 }, { shared: { n: 1 } }], {
      verify: (copy) => assert.notStrictEqual(copy[0], copy[1]),
    }),
  ],
  [
    'a frozen object',
    () => Object.freeze({ list: Object.freeze([1]) }),
    copies(() => ({ list: [1] }), {
      verify: (copy) => assert.ok(!Object.isFrozen(copy.list)),
    }),
  ],
  [
    'objects and arrays of another realm',
    () => inNewRealm('({ a: [1, { b: 2 }], c: Object.create(null) })'),
    copies(() => ({ a: [1, { b: 2 }], c: {} })),
  ],
  [
    'a proxy of a plain object',
    () => new Proxy({ a: [1] }, {}),
    copies(() => ({ a: [1] })),
  ],
  [
    'a proxy of an array',
    () => new Proxy([1, [2]], {}),
    copies(() => [1, [2]]),
  ],
  [
    'the deepest nesting',
    () => nestedArrays(MAX_PAYLOAD_DEPTH),
    copies(() => nestedArrays(MAX_PAYLOAD_DEPTH)),
  ],
];

const VIEW_KINDS = [
  'Int8Array',
  'Uint8Array',
  'Uint8ClampedArray',
  'Int16Array',
  'Uint16Array',
  'Int32Array',
  'Uint32Array',
  'Float16Array',
  'Float32Array',
  'Float64Array',
  'BigInt64Array',
  'BigUint64Array',
].filter((kind) => kind in globalThis);

const ownsExactly = (byteLength) => (copy) => {
  assert.strictEqual(copy.byteOffset, 0);
  assert.strictEqual(copy.buffer.byteLength, byteLength);
};

const BYTES = [
  same('an ArrayBuffer', () => new Uint8Array([1, 2, 3]).buffer, {
    verify: (copy, original) => assert.notStrictEqual(copy, original),
  }),
  same('an empty ArrayBuffer', () => new ArrayBuffer(0)),
  ...VIEW_KINDS.map((kind) => {
    const View = globalThis[kind];
    const bytes = () => Uint8Array.from({ length: 32 }, (_, i) => i * 7).buffer;
    const size = View.BYTES_PER_ELEMENT;
    return [
      `a window of a ${kind}`,
      () => new View(bytes(), size, 2),
      copies(() => new View(bytes().slice(size, 3 * size)), {
        verify: ownsExactly(2 * size),
      }),
    ];
  }),
  same('NaN and Infinity in a view', () => new Float64Array([NaN, -Infinity])),
  same('an empty view', () => new Uint16Array(0)),
  [
    'a window of a DataView',
    () => new DataView(Uint8Array.of(1, 2, 3, 4).buffer, 1, 2),
    copies(() => new DataView(Uint8Array.of(2, 3).buffer), {
      verify: ownsExactly(2),
    }),
  ],
  [
    'a Buffer of the pool',
    () => Buffer.from('bytes'),
    copies(() => Buffer.from('bytes'), {
      verify: ownsExactly(5),
    }),
  ],
  [
    'a view over shared memory',
    () => new Int32Array(new SharedArrayBuffer(8)).fill(5),
    copies(() => new Int32Array([5, 5]), {
      verify: (copy) =>
        assert.strictEqual(
          Object.prototype.toString.call(copy.buffer),
          '[object ArrayBuffer]',
        ),
    }),
  ],
  [
    'a DataView over shared memory',
    () => new DataView(new SharedArrayBuffer(2)),
    copies(() => new DataView(new ArrayBuffer(2)), {
      verify: (copy) =>
        assert.strictEqual(
          Object.prototype.toString.call(copy.buffer),
          '[object ArrayBuffer]',
        ),
    }),
  ],
  [
    'a resizable ArrayBuffer',
    () => new ArrayBuffer(2, { maxByteLength: 64 }),
    copies(() => new ArrayBuffer(2), {
      verify: (copy) => assert.strictEqual(copy.resizable, false),
    }),
  ],
  [
    'a view that follows a resizable buffer',
    () => new Uint8Array(new ArrayBuffer(3, { maxByteLength: 64 })),
    copies(() => new Uint8Array(3)),
  ],
  [
    'a view of a subclass',
    () => new (class Mine extends Uint8Array {})([1, 2]),
    copies(() => new Uint8Array([1, 2])),
  ],
  [
    'bytes of another realm',
    () => inNewRealm('[new Float32Array([1.5]), new ArrayBuffer(2)]'),
    copies(() => [new Float32Array([1.5]), new ArrayBuffer(2)]),
  ],
  [
    'a view whose properties lie',
    () =>
      Object.defineProperties(new Uint8Array([1, 2]), {
        buffer: { get: throwSecret },
        byteLength: { value: 1e9 },
        constructor: { get: throwSecret },
      }),
    copies(() => new Uint8Array([1, 2])),
  ],
];

const PAYLOADS = [...PRIMITIVES, ...CONTAINERS, ...BYTES, ...REFUSED];

module.exports = { PAYLOADS, SECRET };
