'use strict';
// Plain objects between owner and process, in the codec's grammar.

const { deepStrictEqual } = require('node:assert');

const {
  Unpacker,
} = require('../../../../lib/executors/owned/packing-codec.js');
const {
  createCodec,
  createRealmCodec,
} = require('../../../../lib/executors/process/process-codec.js');
const {
  messageOf,
  messageParts,
  pack,
  unpack,
} = require('../../../../lib/executors/process/small-frames.js');
const {
  Packed,
  ToldShapes,
} = require('../../../../lib/executors/owned/packed.js');
const { Carry, Refusal } = require('../../../../lib/protocol/codec/grammar.js');
const {
  takeBuffers,
} = require('../../../../lib/executors/owned/plain-codec.js');
const { FrameError, LARGE_BYTES } = require('../../../../lib/wire/frames.js');
const { Random } = require('../../../sim-js/random.js');

/** One direction of a line: shapes are told when there are new ones. */
function line() {
  const codec = createCodec();
  const unpacker = new Unpacker();
  const told = new ToldShapes();
  const write = (value, transfer) => {
    const { text, more } = codec.encode(value, 2 ** 20, transfer);
    const { value: taken } = takeBuffers({ text, more });
    if (taken instanceof Packed) unpacker.learn(told.next(taken));
    return taken;
  };
  const read = (value) => unpack(pack(value), unpacker.read);
  return { codec, unpacker, write, read };
}

// The code of a shape is made, and used, after this many.
const alike = (make) => Array.from({ length: 40 }, (_, n) => make(n));
const odd = JSON.parse('{"__proto__":1,"constructor":2,"a\\"];//`\\u2028":3}');

test.each([
  ['objects of one shape', alike((n) => ({ id: n, on: n > 3, s: `${n}` }))],
  ['with odd keys', alike((n) => ({ ...odd, '': n, 7: n }))],
  ['that change types', alike((n) => ({ v: n % 3 ? n : `ж${n}`, x: [n] }))],
  ['keys of data', Object.fromEntries(alike((n) => [`k${n}`, { [n]: n }]))],
  ['lists', [[], [1.5, -0, 2 ** 1001], ['', null, true], [[[]]]]],
  ['bytes', { a: new Uint8Array([1, 2]), b: Buffer.from('three') }],
  ['views', [new Float64Array([1, -0]), new DataView(new ArrayBuffer(3), 1)]],
  ['texts', ['x'.repeat(5000), 'ж'.repeat(5000), '\ud800']],
])('%s', (_name, value) => {
  const { read, write } = line();
  for (let times = 0; times < 3; times += 1) {
    const written = write(value);
    expect(written).toBeInstanceOf(Packed);
    deepStrictEqual(read(written), value);
  }
});

test('what is undefined is not there, as in copies', () => {
  const { read, write } = line();
  for (const value of alike((n) => ({ a: n % 2 ? n : undefined, b: 1 }))) {
    const found = read(write(value));
    expect(Object.keys(found)).toEqual(value.a ? ['a', 'b'] : ['b']);
  }
});

describe('large buffers of a realm', () => {
  const one = new Uint8Array(LARGE_BYTES + 1).fill(1);
  const two = new Float64Array(LARGE_BYTES).fill(2);
  const small = Buffer.alloc(LARGE_BYTES, 3);
  const value = { one, of: [two], small };
  const written = () => createRealmCodec().encode(value, 2 ** 30).text;
  const alone = ({ large }) =>
    Array.from(large, (bytes) => bytes.slice().buffer);
  const readFrom = (packed, given) => {
    const unpacker = new Unpacker();
    unpacker.learn(packed.shapes);
    return unpacker.read(packed.bytes.subarray(1), given);
  };

  test('travel apart, without a copy', () => {
    const { large } = written();
    const buffers = Array.from(large, (bytes) => bytes.buffer);
    expect(buffers).toHaveLength(2);
    expect(buffers[0]).toBe(one.buffer);
    expect(buffers[1]).toBe(two.buffer);
  });

  test('are read from what has come before', () => {
    const packed = written();
    const given = alone(packed);
    const [first] = given;
    const found = readFrom(packed, given);
    deepStrictEqual(found, value);
    expect(found.one.buffer).toBe(first);
  });

  test.each([
    ['too few', (given) => given.slice(1)],
    ['too many', (given) => [...given, new ArrayBuffer(LARGE_BYTES + 1)]],
    ['others', (given) => given.reverse()],
    ['none', () => []],
  ])('%s of them are refused', (_what, change) => {
    const packed = written();
    const given = change(alone(packed));
    expect(() => readFrom(packed, given)).toThrow(FrameError);
  });
});

test('a value written before it changes', () => {
  const { read, write } = line();
  const bytes = new Uint8Array([1, 2, 3]);
  const value = { list: [1], bytes };
  const written = write(value);
  value.list.push(2);
  bytes[0] = 9;
  expect(read(written)).toEqual({
    list: [1],
    bytes: new Uint8Array([1, 2, 3]),
  });
});

test('moved buffers are empty once the value is taken', () => {
  const { codec, read, write } = line();
  const { buffer } = new Uint8Array([1, 2, 3]);
  const stays = new Uint8Array([4]);
  const value = { buffer, stays };
  codec.encode(value, 2 ** 20, [buffer]);
  expect(buffer.byteLength).toBe(3);
  const found = read(write(value, [buffer]));
  expect(buffer.byteLength).toBe(0);
  expect(new Uint8Array(found.buffer)).toEqual(new Uint8Array([1, 2, 3]));
  expect(found.stays).toEqual(stays);
});

test.each([
  ['UNSUPPORTED', { a: () => {} }],
  ['NOT_FINITE', [Number.NaN]],
  ['TOO_LARGE', { a: 'x'.repeat(2 ** 20) }],
])('refuses %s', (reason, value) => {
  const { codec, write } = line();
  expect(() => write(value)).toThrow();
  expect(codec.refused.reason).toBe(Refusal[reason]);
  expect(codec.encode({ a: 1 }, 99)).toBe(codec.last());
});

test('clones are cloned', () => {
  const { codec } = line();
  const { text } = codec.encode(
    new Map([[1, 2]]),
    999,
    undefined,
    Carry.CLONED,
  );
  expect(unpack(pack(text))).toEqual(new Map([[1, 2]]));
});

test('a value in a message', () => {
  const { read, unpacker, write } = line();
  const [length, ...parts] = messageParts({
    mail: 3,
    value: write([{ a: 1 }]),
  });
  const body = Buffer.concat(parts);
  expect(messageOf(length, body, unpacker.read)).toEqual({
    ...{ mail: 3, value: [{ a: 1 }] },
  });
  const other = messageParts({ mail: 3, value: 'text' });
  expect(messageOf(...other, read)).toEqual({ mail: 3, value: 'text' });
});

test.each([
  ['no list', 'a'],
  ['no text', [1]],
  ['no length', ['a']],
  ['a length beyond the end', ['5:abc']],
  ['a negative length', ['-1:a']],
  ['an endless length', ['Infinity:a']],
  ['a broken length', ['0.5:a']],
])('a list of shapes that is %s', (_name, texts) => {
  expect(() => new Unpacker().learn(texts)).toThrow(FrameError);
});

test('a value whose shape nobody has told', () => {
  const { read } = line();
  const { codec } = line();
  const { text } = codec.encode([{ a: 1 }], 999);
  expect(() => read(text)).toThrow(FrameError);
});

test('a random change gives a value or an error', () => {
  const { write, unpacker } = line();
  const { bytes } = write(alike((n) => ({ id: n, of: [n, `${n}`] })));
  const random = new Random(11);
  let errors = 0;
  for (let round = 0; round < 5000; round += 1) {
    const changed = Buffer.from(bytes);
    changed[1 + random.below(changed.length - 1)] = random.below(256);
    try {
      unpack(changed, unpacker.read);
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      errors += 1;
    }
  }
  expect(errors).toBeGreaterThan(100);
  expect(Object.keys(Object.prototype)).toEqual([]);
});
