'use strict';

const { WorkerPool } = require('../../../lib');
const { createCodec } = require('../../../lib/protocol/codec.js');
const {
  SMALL_BYTES,
  smallEncoding,
  smallKind,
} = require('../../../lib/payload/small-values.js');

const SMALL = [
  undefined,
  null,
  true,
  false,
  0,
  -0,
  1,
  -1.5,
  2 ** 31,
  2 ** 53,
  Number.MAX_VALUE,
  Number.MIN_VALUE,
];
const OTHERS = [NaN, Infinity, -Infinity, '', 'a', {}, [], 1n, Symbol('s')];

const { encode } = createCodec({
  defineShape: () => -1,
  shapeText: () => '',
  compileFunction: () => null,
});

test.each(SMALL)('%p is what the encoder makes of it', (value) => {
  const kind = smallKind(value);
  const mine = smallEncoding(kind, value);
  const { number, slots, ...theirs } = encode(value, Infinity);
  expect(mine).toMatchObject(theirs);
  expect(mine.bytes).toBe(SMALL_BYTES);
  expect(slots).toBeInstanceOf(Float64Array);
  if (typeof value === 'number') expect(mine.number).toBe(number);
});

test.each(OTHERS)('%p needs it', (value) => {
  expect(smallKind(value)).toBe(-1);
});

test('they arrive, through the ring and past it, and come back', async () => {
  const pool = WorkerPool.create('small', { workers: 1, maxQueued: 10_000 });
  const inputs = Array.from(
    { length: 3000 },
    (_, n) => SMALL[n % SMALL.length],
  );
  // The ring has 256 rows.
  pool.pause();
  const jobs = inputs.map((input) => pool.run((c) => c.input, { input }));
  pool.resume();
  // Nothing is null there.
  expect(await Promise.all(jobs)).toEqual(
    inputs.map((input) => (input === undefined ? null : input)),
  );
  await pool.stop();
});

test('one that is no number is refused as by the encoder', async () => {
  const pool = WorkerPool.create('small');
  await expect(pool.run((c) => c.input, { input: NaN })).rejects.toMatchObject({
    code: 'SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD',
  });
  await pool.stop();
});

test('they wait for room like others', async () => {
  const pool = WorkerPool.create('small', {
    workers: 1,
    maxQueued: 1,
    overflow: 'backpressure',
    maxBackpressureWaiters: 3,
  });
  pool.pause();
  const jobs = [1, true, null, 4.5].map((input) =>
    pool.run((c) => c.input, { input }),
  );
  expect(pool.needsDrain).toBe(true);
  pool.resume();
  expect(await Promise.all(jobs)).toEqual([1, true, null, 4.5]);
  await pool.stop();
});
