'use strict';
// Values that Node's own structured clone carries: what they count, and why one
// is refused.

const {
  cloneMeasured,
  cloneValue,
  measureClone,
} = require('../../../lib/payload/clone-value.js');
const { Refusal } = require('../../../lib/protocol/codec/grammar.js');

const bytesOf = (value) => measureClone(value, Infinity).bytes;

/** The reason of a refusal, undefined for none. */
function refusalOf(call) {
  try {
    call();
    return undefined;
  } catch (error) {
    return error.reason;
  }
}

const error = Object.assign(new Error('four'), { stack: '12345' });
const shared = new Uint8Array(5);
const seen = { ab: 1 };

test.each([
  ['null', null, 8],
  ['a number', 5, 8],
  ['a boolean', false, 8],
  ['a bigint', 5n, 8],
  ['undefined', undefined, 1],
  ['a text', 'abc', 8 + 3],
  ['an array', [1, 2], 8 + 16],
  ['an array of holes', new Array(3), 8 + 3],
  ['an object', { ab: 1, c: 'd' }, 8 + 2 + 8 + 1 + 9],
  ['a view, whose buffer travels whole', new Uint8Array(9).subarray(4), 25],
  ['a DataView', new DataView(new ArrayBuffer(9), 4), 25],
  ['a buffer', new ArrayBuffer(9), 8 + 9],
  ['shared memory', new SharedArrayBuffer(9), 8],
  ['two views of one buffer', [shared, shared.subarray(1)], 8 + 21 + 16],
  ['a Buffer, whose window travels', Buffer.alloc(3), 8 + 3],
  ['a Map', new Map([[1, 'a']]), 8 + 8 + 9],
  ['a Set', new Set([1, 'a']), 8 + 8 + 9],
  ['an error, with its stack', error, 8 + 8 + 9 + 1],
  ['one object in two places', [seen, seen], 8 + 18 + 8],
])('%s counts %#: %p', (_, value, bytes) => {
  expect(bytesOf(value)).toBe(bytes);
  expect(refusalOf(() => measureClone(value, bytes))).toBeUndefined();
  expect(refusalOf(() => measureClone(value, bytes - 1))).toBe(
    Refusal.TOO_LARGE,
  );
});

test.each([
  ['a function', () => 1, Refusal.UNSUPPORTED],
  ['a symbol in a Map', new Map([[1, Symbol('s')]]), Refusal.UNSUPPORTED],
  ['a function that is a key', new Map([[() => 1, 1]]), Refusal.UNSUPPORTED],
  ['one in a Set', new Set([() => 1]), Refusal.UNSUPPORTED],
  [
    'one that is a cause',
    new Error('e', { cause: () => 1 }),
    Refusal.UNSUPPORTED,
  ],
])('%s is refused', (_, value, reason) => {
  expect(refusalOf(() => measureClone(value, Infinity))).toBe(reason);
});

test('a getter that throws is no fault of the kind', () => {
  const value = {
    get at() {
      throw new Error('its own');
    },
  };
  expect(refusalOf(() => cloneValue(value))).toBe(Refusal.UNREADABLE);
});

test('why a clone fails that could be measured', () => {
  expect(refusalOf(() => cloneValue(new WeakMap()))).toBe(Refusal.UNSUPPORTED);
  for (const thrown of [new Error('its own'), null]) {
    let reads = 0;
    const value = {
      get at() {
        reads += 1;
        if (reads > 1) throw thrown;
        return 1;
      },
    };
    expect(refusalOf(() => cloneValue(value))).toBe(Refusal.UNREADABLE);
  }
});

test('the Buffers in a value arrive as such, in their places', () => {
  const bytes = Buffer.from('ab');
  const value = { bytes, again: bytes, octets: Uint8Array.of(1) };
  const measured = measureClone(value, Infinity);
  expect(measured.value).toBe(value);
  expect(measured.nodeBuffers).toEqual([bytes]);
  const cloned = cloneValue(value);
  expect(Buffer.isBuffer(cloned.bytes)).toBe(true);
  expect(cloned.again).toBe(cloned.bytes);
  expect(cloned.bytes).not.toBe(bytes);
  expect(cloned.octets.constructor).toBe(Uint8Array);
  expect(Buffer.isBuffer(bytes)).toBe(true);
});

test('a Map of the caller is no message about Buffers', () => {
  const value = new Map([['value', 1]]);
  expect(cloneValue(value)).toEqual(value);
  expect(cloneMeasured(measureClone(value, Infinity))).toEqual(value);
  expect(cloneValue([Buffer.from('a'), value])[1]).toEqual(value);
});
