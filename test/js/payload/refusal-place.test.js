'use strict';
// A refusal says where in the value the part is, and what it is: never a value.

const { WorkerPool } = require('../../../lib/index.js');
const {
  placeOfRefusal,
} = require('../../../lib/protocol/codec/refusal-place.js');

class Invoice {}
const cycle = { a: {} };
cycle.a.back = cycle;

const CASES = [
  [
    { rows: [1, 2, 3, { created: new Date() }] },
    'input.rows[3].created is a Date: ',
  ],
  [new Map(), 'input is a Map: '],
  [[new Set()], 'input[0] is a Set: '],
  [{ 'a b': 1n }, 'input[…] is a bigint: '],
  [{ f() {} }, 'input.f is a function: '],
  [{ n: [0, Number.NaN] }, 'input.n[1] is a number that is not finite: '],
  [{ s: Symbol('secret') }, 'input.s is a symbol: '],
  [[[new Invoice()]], 'input[0][0] is an Invoice: '],
  [(function* () {})(), 'input is a generator: '],
  [[(async function* () {})()], 'input[0] is a generator: '],
  [cycle, 'input.a.back is a cycle: '],
  [
    {
      get bad() {
        throw new Error('secret');
      },
    },
    'input.bad is a value that cannot be read: ',
  ],
  [{ [`k${'x'.repeat(99)}`]: 1n }, 'input[…] is a bigint: '],
];

test.each(CASES)('%#: its place', (value, expected) => {
  expect(placeOfRefusal('input', value)).toContain(expected);
  expect(placeOfRefusal('input', value)).not.toContain('secret');
});

test('what travels has no place', () => {
  const value = [1, 'a', null, undefined, true, { b: new Uint8Array(2) }];
  expect(placeOfRefusal('input', value)).toBe('');
});

test('a deep or very large value ends the look', () => {
  let deep = 1n;
  for (let i = 0; i < 100_000; i++) deep = [deep];
  expect(placeOfRefusal('input', deep)).toBe('');
});

describe.each(['isolate', 'thread'])('runtime: %s', (runtime) => {
  let pool;
  beforeAll(() => {
    pool = WorkerPool.create('places', { runtime });
  });
  afterAll(() => pool.stop());

  test('of an input', async () => {
    const input = { rows: [{ created: new Date() }] };
    await expect(pool.run(() => 1, { input })).rejects.toMatchObject({
      code: 'SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD',
      hint: expect.stringMatching(/^input\.rows\[0\]\.created is a Date: send/),
    });
  });

  test.each([
    [
      'a Date',
      () => ({ rows: [0, { at: new Date() }] }),
      'result.rows[1].at is a Date: ',
    ],
    [
      'a Map, after an await',
      async () => {
        await null;
        return { m: new Map() };
      },
      'result.m is a Map: ',
    ],
    ['a bigint by itself', () => 1n, 'result is a bigint: '],
    [
      'a generator',
      async function* () {},
      'result is a generator: send an array, or call its function with pool.stream()',
    ],
    [
      'a cycle',
      () => {
        const a = {};
        a.a = a;
        return a;
      },
      'result.a is a cycle: ',
    ],
  ])('of a result: %s', async (_, job, expected) => {
    await expect(pool.run(job)).rejects.toMatchObject({
      code: 'SLOPPY_E_WORKER_MESSAGE_SERIALIZATION_FAILED',
      message: expect.stringContaining('worker result serialization failed'),
      hint: expect.stringContaining(expected),
    });
    expect(await pool.run(() => 7)).toBe(7);
  });
});
