'use strict';
// The payload rules between isolates, both ways: the rows of the corpus as the
// input of a pool function, and as its result.

const assert = require('node:assert');
const { inspect } = require('node:util');

const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { WorkerPool } = require('../../../lib/pool/worker-pool.js');
const { PAYLOADS, SECRET } = require('../../contract/payload-corpus.js');

const accepted = PAYLOADS.filter(([, , { kind }]) => kind === 'copies');
const refused = PAYLOADS.filter(([, , { kind }]) => kind === 'refuses');

let pool;
beforeAll(() => {
  pool = WorkerPool.create('corpus', { workers: 1 });
});
afterAll(() => pool.stop());

const echo = ({ input }) => input;

describe('as input and back', () => {
  test.each(accepted)('carries %s', async (_name, makeValue, expectation) => {
    const expected = (expectation.overBridge ?? expectation.makeExpected)();
    const value = makeValue();
    const copy = await pool.run(echo, { input: value });
    assert.deepStrictEqual(copy, expected);
    expectation.verify?.(copy, value);
  });

  test.each(refused)('refuses %s', async (_name, makeValue, { name, text }) => {
    const before = pool.state.queue.stats.enqueued;
    const error = await pool
      .run(echo, { input: makeValue() })
      .catch((reason) => reason);
    expect(error.code).toBe(Code[name]);
    if (text) expect(error.message).toBe(`${Code[name]}: ${text}`);
    expect(inspect(error, { showHidden: true })).not.toContain(SECRET);
    expect(pool.state.queue.stats.enqueued).toBe(before);
    expect(await pool.run(echo, { input: 'next' })).toBe('next');
  });
});

describe('as a result made in the worker', () => {
  // Made there from text: what stands around it here does not exist there.
  const results = {
    undefined: [() => undefined, undefined],
    'undefined in an array': [() => [undefined], [null]],
    'undefined as a property': [() => ({ a: undefined, b: 1 }), { b: 1 }],
    'minus zero': [() => [-0], [-0]],
    'a key __proto__': [
      () => JSON.parse('{"__proto__":{"x":1},"y":2}'),
      JSON.parse('{"__proto__":{"x":1},"y":2}'),
    ],
    'typed arrays': [
      () => [new Uint16Array([1, 65535]), new BigInt64Array([-1n])],
      [new Uint16Array([1, 65535]), new BigInt64Array([-1n])],
    ],
    'a window of a buffer': [
      () => new Uint8Array([1, 2, 3, 4]).subarray(1, 3),
      new Uint8Array([2, 3]),
    ],
    'lone surrogates': [() => ['\ud800', '\udc00x'], ['\ud800', '\udc00x']],
    'a long text': [() => 'ü'.repeat(100_000), 'ü'.repeat(100_000)],
    'a null prototype': [
      () => Object.assign(Object.create(null), { a: 1 }),
      { a: 1 },
    ],
    'many shapes': [
      () => Array.from({ length: 300 }, (_, i) => ({ [`k${i}`]: i, z: '' })),
      Array.from({ length: 300 }, (_, i) => ({ [`k${i}`]: i, z: '' })),
    ],
  };
  test.each(Object.entries(results))('carries %s', async (_name, row) => {
    const [fn, expected] = row;
    for (let i = 0; i < 12; i += 1) {
      assert.deepStrictEqual(await pool.run(fn), expected);
    }
  });

  test('moves a buffer that the caller transfers', async () => {
    const bytes = new Uint8Array([1, 2, 3]);
    const sum = await pool.run(({ input }) => input[0] + input[2], {
      input: bytes,
      transfer: [bytes.buffer],
    });
    expect(sum).toBe(4);
    expect(bytes.byteLength).toBe(0);
  });

  const refusals = {
    'a function': () => () => {},
    'a symbol': () => Symbol('s'),
    'a bigint': () => 1n,
    'not a number': () => [Number.NaN],
    infinity: () => Infinity,
    'a date': () => new Date(),
    'a map': () => [new Map()],
    'an error': () => new Error('not thrown'),
    'a class': () => new (class A {})(),
    'a cycle': () => {
      const a = [];
      a.push(a);
      return a;
    },
    'a getter that throws': () => ({
      get x() {
        throw new Error('hunter2-in-the-payload');
      },
    }),
    'a proxy that throws': () =>
      new Proxy(
        {},
        {
          ownKeys() {
            throw new Error('hunter2-in-the-payload');
          },
        },
      ),
    'a revoked proxy': () => {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      return [proxy];
    },
    'shared memory': () => new SharedArrayBuffer(8),
    'a promise in a structure': () => [Promise.resolve(1)],
    'the context': (ctx) => ctx,
    'the global object': () => globalThis,
    'arguments that nest too deep': () => {
      let a = 1;
      for (let i = 0; i < 5000; i++) a = [a];
      return a;
    },
  };
  test.each(Object.entries(refusals))('refuses %s', async (_name, fn) => {
    const error = await pool.run(fn).catch((reason) => reason);
    expect(error.code).toBe(Code.SerializationFailed);
    expect(error.message).toBe(
      `${Code.SerializationFailed}: worker result serialization failed`,
    );
    expect(inspect(error, { showHidden: true })).not.toContain('hunter2');
    expect(await pool.run(() => 'next')).toBe('next');
  });

  test('a result over the cap is told by its own text', async () => {
    const small = WorkerPool.create('small', { maxResultBytes: 1000 });
    for (const fn of [
      () => 'x'.repeat(1001),
      () => new Uint8Array(1001),
      () => new Array(200).fill(1.5),
    ]) {
      await expect(small.run(fn)).rejects.toMatchObject({
        code: Code.ResourceLimit,
        message: `${Code.ResourceLimit}: worker result is larger than maxResultBytes`,
      });
    }
    expect(await small.run(() => 'x'.repeat(900))).toHaveLength(900);
    await small.stop();
  });
});
