'use strict';
// Sections 7 and 8: what travels, and how much of it, in both directions.

const vm = require('node:vm');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { createPool, rejection, stopAll } = require('./support.js');

afterEach(stopAll);

const echo = ({ input }) => input;
const send = (input, options) => createPool(options).run(echo, { input });

const UNSUPPORTED =
  'SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD: worker payload type is unsupported';
const NOT_SERIALIZABLE =
  'SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD: worker payload is not serializable';
const CYCLE =
  'SLOPPY_E_WORKER_MESSAGE_SERIALIZATION_FAILED: worker payload contains a cycle';
const UNREADABLE =
  'SLOPPY_E_WORKER_MESSAGE_SERIALIZATION_FAILED: worker payload could not be read';

describe('copied', () => {
  test.each([
    [null],
    [true],
    [false],
    [0],
    [-0],
    [1.5],
    [2 ** 53],
    [Number.MIN_VALUE],
    [''],
    ['text'],
    ['ünï \u{1f600} \ud800'],
    [[]],
    [[1, 'a', [null]]],
    [{}],
    [{ a: { b: [1, { c: 'd' }] }, '': 1, 5: 2 }],
  ])('%j', async (value) => {
    expect(await send(value)).toStrictEqual(value);
  });

  test('undefined: null at the top and in arrays, dropped in objects', async () => {
    expect(await send(undefined)).toBeNull();
    // biome-ignore lint/suspicious/noSparseArray: holes are the point
    expect(await send([undefined, , 1])).toEqual([null, null, 1]);
    const object = await send({ a: undefined, b: 1 });
    expect(Object.keys(object)).toEqual(['b']);
  });

  test('own enumerable string keys, in order, getters called', async () => {
    const input = Object.create(null, {
      hidden: { value: 1, enumerable: false },
      b: { value: 1, enumerable: true },
      a: { get: () => 'got', enumerable: true },
    });
    input[Symbol('s')] = 1;
    const copy = await send(input);
    expect(Object.keys(copy)).toEqual(['b', 'a']);
    expect(copy.a).toBe('got');
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  });

  test('an object of another realm', async () => {
    expect(await send(vm.runInNewContext('({ a: [1] })'))).toEqual({ a: [1] });
  });

  test('a key __proto__ is data', async () => {
    const copy = await send(JSON.parse('{"__proto__": {"polluted": 1}}'));
    expect(Object.keys(copy)).toEqual(['__proto__']);
    expect(copy.polluted).toBeUndefined();
    const inside = await createPool().run(
      ({ input }) => [input.polluted ?? 'no', Object.keys(input)],
      { input: JSON.parse('{"__proto__": {"polluted": 1}}') },
    );
    expect(inside).toEqual(['no', ['__proto__']]);
  });

  test('the key that the original reserves round-trips', async () => {
    expect(await send({ __sloppyWorkerSerialized: 'x' })).toEqual({
      __sloppyWorkerSerialized: 'x',
    });
  });

  test('the same object twice is two objects', async () => {
    const shared = { a: 1 };
    const copy = await send([shared, shared]);
    expect(copy).toEqual([shared, shared]);
    expect(copy[0]).not.toBe(copy[1]);
  });

  test('nesting is deep enough for real data', async () => {
    let deep = 'end';
    for (let i = 0; i < 400; i += 1) deep = { deep };
    let copy = await send(deep);
    for (let i = 0; i < 400; i += 1) copy = copy.deep;
    expect(copy).toBe('end');
  });
});

describe('bytes', () => {
  test.each([
    Int8Array,
    Uint8Array,
    Uint8ClampedArray,
    Int16Array,
    Uint16Array,
    Int32Array,
    Uint32Array,
    Float32Array,
    Float64Array,
    BigInt64Array,
    BigUint64Array,
  ])('%p keeps its kind', async (View) => {
    const one = View.name.startsWith('Big') ? 1n : 1;
    const copy = await send(View.of(one, one));
    expect(copy.constructor.name).toBe(View.name);
    expect([...copy]).toEqual([one, one]);
  });

  test('a window copies what it shows', async () => {
    const bytes = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);
    const copy = await send(bytes.subarray(2, 5));
    expect([...copy]).toEqual([3, 4, 5]);
    expect(copy.buffer.byteLength).toBe(3);
    const view = await send(new DataView(bytes.buffer, 1, 2));
    expect(Object.prototype.toString.call(view)).toBe('[object DataView]');
    expect([view.byteLength, view.getUint8(0)]).toEqual([2, 2]);
  });

  test('an ArrayBuffer, also empty', async () => {
    const copy = await send(Uint8Array.of(1, 2).buffer);
    expect([...new Uint8Array(copy)]).toEqual([1, 2]);
    expect((await send(new ArrayBuffer(0))).byteLength).toBe(0);
  });

  test('a Buffer is a Buffer in the worker', async () => {
    const name = await createPool().run(({ input }) => input.constructor.name, {
      input: Buffer.from('x'),
    });
    expect(name).toBe('Buffer');
  });

  test('the caller keeps what it sent', async () => {
    const bytes = Uint8Array.of(1, 2);
    await createPool().run(
      ({ input }) => {
        input[0] = 9;
      },
      { input: bytes },
    );
    expect([...bytes]).toEqual([1, 2]);
  });

  test('unless it gives it away', async () => {
    const { buffer } = Uint8Array.of(1, 2);
    const sum = await createPool().run(
      ({ input }) => new Uint8Array(input).reduce((a, b) => a + b),
      { input: buffer, transfer: [buffer] },
    );
    expect(sum).toBe(3);
    expect(buffer.byteLength).toBe(0);
  });

  test('a detached buffer is unreadable', async () => {
    const buffer = new ArrayBuffer(8);
    const view = new Uint8Array(buffer);
    structuredClone(buffer, { transfer: [buffer] });
    for (const value of [buffer, { view }]) {
      expect((await rejection(send(value))).code).toBe(
        Code.SerializationFailed,
      );
    }
  });
});

describe('refused', () => {
  class Custom {}
  const kinds = [
    ['function', () => {}],
    ['symbol', Symbol('s')],
    ['bigint', 5n],
    ['Date', new Date()],
    ['RegExp', /x/],
    ['Map', new Map()],
    ['Set', new Set()],
    ['WeakMap', new WeakMap()],
    ['Error', new Error('x')],
    ['Promise', Promise.resolve()],
    ['class instance', new Custom()],
    ['boxed number', Object(1)],
    ['boxed string', Object('x')],
    ['SharedArrayBuffer', new SharedArrayBuffer(1)],
  ];

  test.each(kinds)('%s', async (_name, value) => {
    for (const input of [value, [value], { nested: [{ value }] }]) {
      expect((await rejection(send(input))).message).toBe(UNSUPPORTED);
    }
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    '%p',
    async (value) => {
      for (const input of [value, [value], { value }]) {
        expect((await rejection(send(input))).message).toBe(NOT_SERIALIZABLE);
      }
    },
  );

  test('cycles', async () => {
    const object = { a: {} };
    object.a.b = object;
    const array = [];
    array.push([array]);
    for (const input of [object, array]) {
      expect((await rejection(send(input))).message).toBe(CYCLE);
    }
  });

  test('what throws when it is read', async () => {
    const hostile = () => {
      throw new Error('secret');
    };
    const inputs = [
      {
        get a() {
          return hostile();
        },
      },
      new Proxy({}, { ownKeys: hostile }),
      new Proxy([1], { get: hostile }),
      { nested: new Proxy({}, { getPrototypeOf: hostile }) },
    ];
    for (const input of inputs) {
      const error = await rejection(send(input));
      expect(error.message).toBe(UNREADABLE);
      expect(error.cause).toBeUndefined();
    }
  });

  test('nesting without end', async () => {
    let deep = 1;
    for (let i = 0; i < 200_000; i += 1) deep = [deep];
    expect((await rejection(send(deep))).code).toBe(Code.SerializationFailed);
  });

  test('a refused payload leaves the pool usable', async () => {
    const pool = createPool();
    await rejection(pool.run(echo, { input: 5n }));
    expect(await pool.run(echo, { input: 5 })).toBe(5);
  });
});
