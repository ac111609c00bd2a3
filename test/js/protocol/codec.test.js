'use strict';

const assert = require('node:assert');
const { types } = require('node:util');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');
const fc = require('fast-check');

const { nodeBuffers } = require('../../../lib/base/node-buffers.js');
const { createCodec, Refusal } = require('../../../lib/protocol/codec.js');
const { PAYLOADS } = require('../../contract/payload-corpus.js');

const LIMIT = 1 << 26;

/** Two codecs that share shapes, with the copying that C++ does in between. */
function pair() {
  const shapes = [];
  const host = {
    defineShape(text) {
      const known = shapes.indexOf(text);
      return known === -1 ? shapes.push(text) - 1 : known;
    },
    shapeText: (id) => shapes[id] ?? '',
    compileFunction: (parameter, body) => new Function(parameter, body),
  };
  const codec = () => createCodec(host, undefined, nodeBuffers);
  return { host, from: codec(), to: codec() };
}

const slotOf = (prototype, name) => (object) =>
  Object.getOwnPropertyDescriptor(prototype, name).get.call(object);
const typed = Object.getPrototypeOf(Uint8Array.prototype);

/** Reads what the view is, not what its properties say, as C++ does. */
function bytesOf(item) {
  if (!ArrayBuffer.isView(item)) {
    return new Uint8Array(item).slice().buffer;
  }
  const kind = types.isDataView(item) ? DataView.prototype : typed;
  const [buffer, offset, length] = ['buffer', 'byteOffset', 'byteLength'].map(
    (name) => slotOf(kind, name)(item),
  );
  return new Uint8Array(buffer, offset, length).slice().buffer;
}

/** The counts of payload_v8.cc: [slots, texts after the first, buffers]. */
function carry({ kind, number, slots, slotCount, text, more }) {
  const run = slots.slice(0, slotCount);
  if (more === undefined) return [kind, number, run, 0, text, undefined];
  const texts = Array.from(more[0] ?? []).slice(1);
  const buffers = Array.from(more[1] ?? [], bytesOf);
  return [kind, number, run, 0, text, [undefined, texts, buffers]];
}

function roundTrip(codecs, value) {
  return codecs.to.decode(...carry(codecs.from.encode(value, LIMIT)));
}

function refusalOf(codec, value, limit = LIMIT, transfer = undefined) {
  try {
    codec.encode(value, limit, transfer);
  } catch (error) {
    expect(error).toBe(codec.refused);
    return error.reason;
  }
  return 0;
}

const accepted = PAYLOADS.filter(([, , { kind }]) => kind === 'copies');
const refused = PAYLOADS.filter(([, , { kind }]) => kind === 'refuses');

describe('the corpus', () => {
  test.each(accepted)('carries %s', (_name, makeValue, expectation) => {
    const codecs = pair();
    const expected = (expectation.overBridge ?? expectation.makeExpected)();
    // Often enough for compiled shapes.
    for (let i = 0; i < 20; i += 1) {
      const copy = roundTrip(codecs, makeValue() ?? null);
      assert.deepStrictEqual(copy, expected);
    }
  });

  test.each(refused)('refuses %s', (_name, makeValue, { name }) => {
    const { from } = pair();
    const reason = refusalOf(from, makeValue());
    const codes = {
      UnsupportedPayload: [Refusal.UNSUPPORTED, Refusal.NOT_FINITE],
      SerializationFailed: [Refusal.CYCLE, Refusal.UNREADABLE],
      ResourceLimit: [Refusal.TOO_LARGE],
    };
    expect(codes[name]).toContain(reason);
    // The next value is not disturbed.
    expect(from.encode([1], LIMIT).slotCount).toBe(3);
  });
});

describe('any value of the grammar', () => {
  const key = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('__proto__', 'constructor', '0', '1', 'toString', ''),
  );
  const number = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(-0, 2 ** 1000, 2 ** 999, -(2 ** 1000), Number.MAX_VALUE),
    fc.integer(),
  );
  const leaf = fc.oneof(
    number,
    fc.boolean(),
    fc.constant(null),
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.integer({ min: 4090, max: 4100 }).map((n) => 'é'.repeat(n)),
    fc.uint8Array().map((bytes) => bytes.buffer),
    fc.uint16Array(),
    fc.float64Array({ noNaN: true }),
    fc.uint8Array({ minLength: 4 }).map((b) => b.subarray(1, 3)),
    fc.uint8Array({ minLength: 4 }).map((b) => new DataView(b.buffer, 1, 2)),
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5, depthSize: 'medium' },
      leaf,
      fc.array(tie('tree'), { maxLength: 6 }),
      fc
        .array(fc.tuple(key, tie('tree')), { maxLength: 6 })
        .map((pairs) => Object.fromEntries(pairs)),
    ),
  }));

  test('arrives as it was, at first and from compiled shapes', () => {
    const codecs = pair();
    fc.assert(
      fc.property(tree, (value) => {
        for (let i = 0; i < 3; i += 1) {
          assert.deepStrictEqual(roundTrip(codecs, value), value);
        }
        expect(structuredClone(value)).toEqual(value);
      }),
      { numRuns: 400, seed: 20240607 },
    );
  });
});

describe('limits', () => {
  test('counts slots, texts and bytes', () => {
    const { from } = pair();
    expect(refusalOf(from, 'x'.repeat(101), 100)).toBe(Refusal.TOO_LARGE);
    expect(refusalOf(from, new Uint8Array(101), 100)).toBe(Refusal.TOO_LARGE);
    expect(refusalOf(from, ['x'.repeat(101)], 100)).toBe(Refusal.TOO_LARGE);
    expect(refusalOf(from, new Array(1000).fill(1), 100)).toBe(
      Refusal.TOO_LARGE,
    );
    expect(refusalOf(from, [1, 2, 3], 100)).toBe(0);
  });

  test('a sparse giant array costs nothing', () => {
    const { from } = pair();
    expect(refusalOf(from, new Array(2 ** 32 - 1))).toBe(Refusal.TOO_LARGE);
    expect(from.encode([1], LIMIT).slots.length).toBeLessThan(100_000);
  });

  test('an array that grows while it is written is bounded', () => {
    const { from } = pair();
    const list = [];
    list.push({
      get x() {
        for (let i = 0; i < 10_000; i += 1) list.push(i);
        return 1;
      },
    });
    expect(refusalOf(from, list)).toBe(0);
  });

  test('depth is bounded on both sides', () => {
    const { from } = pair();
    let value = 1;
    for (let i = 0; i < 100_000; i += 1) value = [value];
    expect(refusalOf(from, value)).toBe(Refusal.UNREADABLE);
  });
});

describe('a value that encodes another one while it is written', () => {
  test('both arrive whole', () => {
    const codecs = pair();
    let inner;
    const outer = {
      a: 1,
      get b() {
        inner = carry(codecs.from.encode({ deep: ['inner'] }, LIMIT));
        return 'outer';
      },
      c: [2],
    };
    const copy = roundTrip(codecs, outer);
    expect(copy).toEqual({ a: 1, b: 'outer', c: [2] });
    expect(codecs.to.decode(...inner)).toEqual({ deep: ['inner'] });
  });
});

describe('a buffer that changes while it is written', () => {
  test('is refused', () => {
    const { from } = pair();
    const buffer = new ArrayBuffer(64, { maxByteLength: 128 });
    const make = (change) => ({
      view: new Uint8Array(buffer, 0, 32),
      get later() {
        change();
        return 1;
      },
    });
    expect(
      refusalOf(
        from,
        make(() => buffer.resize(8)),
      ),
    ).toBe(Refusal.UNREADABLE);
    buffer.resize(64);
    expect(
      refusalOf(
        from,
        make(() => {}),
      ),
    ).toBe(0);
    const lent = new Uint8Array(8);
    const moving = {
      lent,
      get later() {
        structuredClone(lent, { transfer: [lent.buffer] });
        return 1;
      },
    };
    expect(refusalOf(from, moving)).toBe(Refusal.UNREADABLE);
  });
});

describe('where code may not be made from text', () => {
  test('frequent shapes are written and read without it', () => {
    const { host } = pair();
    host.compileFunction = () => null;
    const codecs = { from: createCodec(host), to: createCodec(host) };
    for (let i = 0; i < 50; i += 1) {
      const value = { i, text: `${i}`, __proto__: null };
      expect(roundTrip(codecs, value)).toEqual({ i, text: `${i}` });
    }
  });
});

describe('transfer', () => {
  test('lists a shared buffer once, whole, and marks it', () => {
    const { from } = pair();
    const buffer = new ArrayBuffer(8);
    const views = [new Uint8Array(buffer, 0, 4), new Uint8Array(buffer, 4)];
    const { more } = from.encode([...views, buffer], LIMIT, [buffer]);
    expect(more[1]).toHaveLength(1);
    expect(more[1][0]).toBe(buffer);
    expect(more[2][0]).toBe(true);
  });

  test('copies what is not listed, and shared memory always', () => {
    const { from } = pair();
    const shared = new SharedArrayBuffer(8);
    const view = new Uint8Array(shared);
    const { more } = from.encode([view], LIMIT, [shared]);
    expect(more[1][0]).toBe(view);
    expect(more[2][0]).toBe(false);
  });
});

test('a string that is kept keeps nothing of the others alive', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  const codecs = pair();
  const used = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = used();
  const kept = Array.from({ length: 1000 }, (_, n) => {
    const texts = Array.from({ length: 15 }, (_, i) =>
      `${n} ${i} `.repeat(140),
    );
    return roundTrip(codecs, texts)[7];
  });
  const grown = used() - before;
  expect(kept[9]).toBe('9 7 '.repeat(140));
  expect(grown).toBeLessThan(4 * 2 ** 20);
});
