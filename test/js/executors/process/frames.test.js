'use strict';
// Frames, cut and changed in every way there is.

const { isDeepStrictEqual, types } = require('node:util');

const {
  FrameError,
  FrameReader,
  headerOf,
} = require('../../../../lib/wire/frames.js');
const {
  Kind,
  deserialize,
  isKept,
  serialize,
} = require('../../../../lib/executors/process/frames.js');
const {
  pack,
  unpack,
} = require('../../../../lib/executors/process/small-frames.js');
const { Random } = require('../../../sim-js/random.js');

const MAX = 10_000;
const frame = (kind, number, body) =>
  Buffer.concat([headerOf(kind, number, body.length), body]);

function read(chunks, max = MAX) {
  const frames = [];
  const take = (...given) => frames.push(given);
  const reader = new FrameReader(take, () => max);
  for (const chunk of chunks) reader.push(chunk);
  return frames;
}

const bodies = ['', 'a', 'x'.repeat(100), 'y'.repeat(MAX)].map(Buffer.from);
const whole = Buffer.concat(
  bodies.map((body, at) => frame(Kind.Report, at, body)),
);
const expected = bodies.map((body, at) => [Kind.Report, at, body]);

describe('large bodies of one that is trusted', () => {
  const bodies = [64 * 1024 + 1, 3, 200_000].map((size) =>
    Buffer.from({ length: size }, (_, at) => at % 251),
  );
  const all = Buffer.concat(
    bodies.map((body, at) => frame(Kind.Buffer, at, body)),
  );
  const readAll = (chunks) => {
    const found = [];
    const take = (...given) => found.push(given);
    const reader = new FrameReader(take, () => Infinity, true);
    for (const chunk of chunks) reader.push(chunk);
    return found;
  };

  test.each([1, 7, 1000, 65_536, 10 ** 6])('in chunks of %d', (size) => {
    const chunks = [];
    for (let at = 0; at < all.length; at += size) {
      chunks.push(all.subarray(at, at + size));
    }
    const found = readAll(chunks);
    const wanted = bodies.map((body, at) => [Kind.Buffer, at, body]);
    expect(isDeepStrictEqual(found, wanted)).toBe(true);
  });

  test('have their memory alone', () => {
    for (const [, , body] of readAll([all])) {
      if (body.length < 10) continue;
      expect(body.byteLength).toBe(body.buffer.byteLength);
    }
  });
});

describe('chunks whose memory is used again', () => {
  // As a socket reads: into the same memory, whatever became of what was there.
  const readLent = (bytes, size, isKept, trusts = true) => {
    const found = [];
    const take = (kind, number, body) => {
      const isAlone = trusts && isKept(kind) && body.length > 65_536;
      found.push([kind, number, isAlone ? body : Buffer.from(body)]);
    };
    const reader = new FrameReader(take, () => Infinity, trusts, isKept);
    const lent = Buffer.alloc(size);
    for (let at = 0; at < bytes.length; at += size) {
      const length = bytes.copy(lent, 0, at, at + size);
      reader.pushLent(lent.subarray(0, length));
      lent.fill(255);
    }
    return found;
  };
  const bodies = [100, 70_000, 0, 3, 150_000, 70_001].map((size, at) =>
    Buffer.alloc(size, at + 1),
  );

  test.each([1, 15, 50, 1000, 65_536])('%d bytes at a time', (size) => {
    for (const kind of [Kind.Report, Kind.Buffer]) {
      const all = Buffer.concat(
        bodies.map((body, at) => frame(kind, at, body)),
      );
      const isKept = (of) => of === Kind.Buffer;
      const found = readLent(all, size, isKept);
      const wanted = bodies.map((body, at) => [kind, at, body]);
      expect(isDeepStrictEqual(found, wanted)).toBe(true);
    }
  });

  test.each([1, 50, 1000, 65_536])('the same of strangers, %d', (size) => {
    const all = Buffer.concat(
      bodies.map((body, at) => frame(Kind.Report, at, body)),
    );
    const wanted = bodies.map((body, at) => [Kind.Report, at, body]);
    const found = readLent(all, size, () => true, false);
    expect(isDeepStrictEqual(found, wanted)).toBe(true);
  });

  // Of those alone a value is made that is not copied.
  test('buffers are kept, and nothing else', () => {
    expect(Object.values(Kind).filter(isKept)).toEqual([Kind.Buffer]);
  });

  test('large bodies that are not kept take the same memory', () => {
    const buffers = new Set();
    const take = (_kind, _number, body) => buffers.add(body.buffer);
    const reader = new FrameReader(
      take,
      () => Infinity,
      true,
      () => false,
    );
    for (let i = 0; i < 3; i += 1) {
      reader.push(frame(Kind.Report, i, Buffer.alloc(100_000 - i)));
    }
    expect(buffers.size).toBe(1);
  });
});

test('one byte at a time', () => {
  const chunks = Array.from(whole, (byte) => Buffer.of(byte));
  expect(isDeepStrictEqual(read(chunks), expected)).toBe(true);
});

test('cut at every place', () => {
  const wrong = [];
  for (let at = 0; at < 200; at += 1) {
    const cut = [whole.subarray(0, at), whole.subarray(at)];
    // Jest's toEqual would walk bytes one by one.
    if (!isDeepStrictEqual(read(cut), expected)) wrong.push(at);
  }
  expect(wrong).toEqual([]);
});

test.each([
  undefined,
  null,
  0,
  -0,
  Number.NaN,
  1.5,
  '',
  'wide ж, and half a pair \ud800',
  'x'.repeat(3000),
  { a: [1, undefined, new Uint8Array(3)] },
])('a value is packed and unpacked: %p', (value) => {
  expect(unpack(pack(value))).toEqual(value);
});

test('a body too long is refused by its header', () => {
  const header = headerOf(Kind.Report, 0, MAX + 1);
  expect(() => read([header])).toThrow(FrameError);
  expect(read([headerOf(Kind.Report, 0, MAX)])).toEqual([]);
});

test('a random change gives frames or an error, and ends', () => {
  const random = new Random(7);
  let errors = 0;
  for (let round = 0; round < 5000; round += 1) {
    const bytes = Buffer.from(whole.subarray(0, 150));
    for (let n = 0; n < 3; n += 1) {
      bytes[random.below(bytes.length)] = random.below(256);
    }
    try {
      read([bytes]);
    } catch (error) {
      expect(error).toBeInstanceOf(FrameError);
      errors += 1;
    }
  }
  expect(errors).toBeGreaterThan(1000);
});

test('a random body is a value or an error', () => {
  const random = new Random(11);
  const value = { a: [1, 'ж', new Map([[1, { b: 2n }]]), new Uint8Array(9)] };
  const good = serialize(value);
  expect(deserialize(good)).toEqual(value);
  for (let round = 0; round < 5000; round += 1) {
    const bytes = Buffer.from(good);
    bytes[random.below(bytes.length)] = random.below(256);
    try {
      deserialize(bytes.subarray(0, 1 + random.below(bytes.length)));
    } catch (error) {
      expect(types.isNativeError(error)).toBe(true);
    }
  }
  expect({}.polluted).toBeUndefined();
});
