'use strict';
// Values as bytes, whole and damaged: each ends as a value or a FrameError.

const { createCodec } = require('../../../../lib/protocol/codec.js');
const { nodeBuffers } = require('../../../../lib/base/node-buffers.js');
const { FrameError } = require('../../../../lib/wire/frames.js');
const {
  packPayload,
  unpackPayload,
} = require('../../../../lib/wire/payload-bytes.js');
const { Random } = require('../../../sim-js/random.js');

const codec = createCodec(
  {
    defineShape: () => -1,
    shapeText: () => {
      throw new Error('no shapes');
    },
    compileFunction: () => null,
  },
  undefined,
  nodeBuffers,
);

function read(bytes) {
  const { kind, number, slots, text, more } = unpackPayload(bytes);
  return codec.decode(kind, number, slots, 0, text, more);
}

const value = {
  list: [1, 2, { text: 'x'.repeat(50), other: 'y' }],
  octets: new Uint8Array([1, 2]),
  node: Buffer.from('hi'),
  floats: new Float64Array(3),
  view: new DataView(new ArrayBuffer(3)),
  big: 2 ** 1010,
  empty: '',
  long: 'z'.repeat(5000),
  wide: 'ж'.repeat(70),
  none: null,
  yes: true,
};
const whole = packPayload(codec.encode(value, Infinity));

test('there and back', () => {
  expect(read(whole)).toEqual(value);
});

test('cut at every place', () => {
  for (let at = 0; at < whole.length; at += 7) {
    expect(() => read(whole.subarray(0, at))).toThrow(FrameError);
  }
  expect(() => read(Buffer.concat([whole, Buffer.of(0)]))).toThrow(FrameError);
});

test.each([Number.NaN, Infinity, -Infinity])(
  '%p is no number that anybody could send',
  (number) => {
    const alone = packPayload(codec.encode(1, Infinity));
    expect(read(alone)).toBe(1);
    alone.writeDoubleLE(number, 16);
    expect(() => read(alone)).toThrow(FrameError);
  },
);

test.each([
  ['slots', 4],
  ['texts', 8],
  ['buffers', 12],
])('a number with %s that are not there', (_name, at) => {
  const alone = packPayload(codec.encode(1, Infinity));
  alone.writeUInt32LE(1, at);
  expect(() => read(alone)).toThrow(FrameError);
});

test('a number with a buffer that came before it', () => {
  const alone = packPayload(codec.encode(1, Infinity));
  const given = [new ArrayBuffer(2 ** 17)];
  expect(() => unpackPayload(alone, [], given)).toThrow(FrameError);
});

const TAG = 2 ** 1000;
const structure = (...slots) => {
  const head = Buffer.alloc(24);
  head.writeUInt32LE(6, 0);
  head.writeUInt32LE(slots.length, 4);
  return Buffer.concat([head, Buffer.from(new Float64Array(slots).buffer)]);
};

test.each([
  ['an array that is longer than its values', [7 * TAG, 2 ** 25]],
  ['an array without end', [7 * TAG, Infinity]],
  ['an array of half a length', [7 * TAG, 0.5, 1]],
  ['an object without its pairs', [9 * TAG, 3, 33 * TAG]],
  ['a key that is none', [9 * TAG, 1, 4, 5]],
  ['a shape', [8 * TAG, 0]],
  ['a clone', [12 * TAG, 0]],
  ['a buffer that is not there', [10 * TAG, 0]],
  ['a view of nothing', [11 * TAG, 1, 0, 0, 8]],
  ['a text that is not there', [6 * TAG]],
  ['a string beyond the text', [(32 + 5) * TAG]],
  ['no value at all', []],
  ['two values', [1, 2]],
  ['no number', [Number.NaN]],
  ['half a code', [7.5 * TAG]],
])('%s', (_name, slots) => {
  expect(() => read(structure(...slots))).toThrow(FrameError);
});

test('a value as deep as may be, and a deeper one', () => {
  const nested = (depth) => [...new Array(depth).fill([7 * TAG, 1]).flat(), 5];
  expect(() => read(structure(...nested(1000)))).not.toThrow();
  expect(() => read(structure(...nested(1001)))).toThrow(FrameError);
});

test('a size that nothing has does not take memory', () => {
  for (const at of [4, 8, 12]) {
    const bytes = Buffer.from(whole);
    bytes.writeUInt32LE(0xfffffff0, at);
    expect(() => read(bytes)).toThrow(FrameError);
  }
});

test('damaged in every way', () => {
  const random = new Random(7);
  const numbers = [0, -1, 2 ** 31, 1e300, 7 * TAG, 9 * TAG, 11 * TAG, 33 * TAG];
  const words = [0, 1, 5, 6, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1];
  for (let i = 0; i < 20_000; i += 1) {
    const bytes = Buffer.from(whole);
    for (let left = random.below(4); left >= 0; left -= 1) {
      const at = random.below(random.below(2) === 0 ? 400 : bytes.length - 8);
      const how = random.below(3);
      if (how === 0) bytes[at] = random.below(256);
      else if (how === 1) bytes.writeDoubleLE(random.of(numbers), at);
      else bytes.writeUInt32LE(random.of(words), at);
    }
    try {
      read(bytes);
    } catch (error) {
      expect(error).toBeInstanceOf(FrameError);
    }
  }
  expect(Object.keys(Object.prototype)).toEqual([]);
});
