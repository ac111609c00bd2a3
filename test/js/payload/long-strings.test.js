'use strict';
// Long strings are copied once at the most on their way: what they hold, how long it
// lives and against which limit it counts.

const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { WorkerPool } = require('../../../lib/pool/worker-pool.js');

const MB = 1024 * 1024;
const echo = ({ input }) => input;
// Flat, of its own, and another one each time.
const longString = (n, size = MB) =>
  Buffer.alloc(size, `string ${n}, `).latin1Slice();

let pool;
afterEach(() => pool.stop());

test.each([
  ['of one byte each', 'lorem ipsum '.repeat(87_382)],
  ['of two bytes each', '\u20ac\ud83d\ude00 '.repeat(300_000)],
  ['with lone surrogates', '\ud800a'.repeat(100_000)],
  ['just long enough', 'x'.repeat(65_536)],
])('units %s come back, again and again', async (_name, string) => {
  pool = WorkerPool.create('strings', { workers: 2 });
  const results = await Promise.all(
    Array.from({ length: 10 }, () => pool.run(echo, { input: string })),
  );
  for (const result of results) expect(result === string).toBe(true);
  const { twice, length } = await pool.run(
    ({ input }) => ({ twice: [input, input], length: input.length }),
    { input: string },
  );
  expect(length).toBe(string.length);
  expect(twice[0] === string && twice[1] === string).toBe(true);
});

test('a result is there when its worker is not any more', async () => {
  pool = WorkerPool.create('strings', { workers: 1 });
  const made = await pool.run(() => 'made there '.repeat(100_000));
  const echoed = await pool.run(echo, { input: longString(1) });
  await pool.stop();
  expect(made === 'made there '.repeat(100_000)).toBe(true);
  expect(echoed === longString(1)).toBe(true);
});

test('what a worker keeps is there when its owner has let go', async () => {
  pool = WorkerPool.create('strings', { workers: 1 });
  const keep = ({ input }) => {
    globalThis.kept = input;
  };
  await pool.run(keep, { input: longString('kept') });
  for (let i = 0; i < 50; i += 1) {
    await pool.run(echo, { input: longString(i) });
  }
  const kept = await pool.run(() => globalThis.kept);
  expect(kept === longString('kept')).toBe(true);
});

test('a long string counts against maxPayloadBytes each time', async () => {
  pool = WorkerPool.create('strings', { workers: 1, maxPayloadBytes: 2 * MB });
  const string = longString(1);
  expect(await pool.run(echo, { input: [string] })).toEqual([string]);
  await expect(
    pool.run(echo, { input: [string, string] }),
  ).rejects.toMatchObject({ code: Code.ResourceLimit });
});

test('large buffers and objects hold what they should', async () => {
  pool = WorkerPool.create('blocks', { workers: 2, maxPayloadBytes: 64 * MB });
  const sizes = [65_535, 65_536, 65_537, 100_000, MB, 3 * MB + 1, 33 * MB];
  await Promise.all(
    sizes.map(async (size, index) => {
      for (let i = 0; i < 3; i += 1) {
        const bytes = Buffer.alloc(size, index * 16 + i + 1);
        const result = await pool.run(echo, { input: new Uint8Array(bytes) });
        expect(bytes.equals(result)).toBe(true);
      }
    }),
  );
  const rows = Array.from({ length: 20_000 }, (_, n) => ({ n, text: `${n}` }));
  for (let i = 0; i < 3; i += 1) {
    const copy = await pool.run(echo, { input: rows });
    expect(JSON.stringify(copy) === JSON.stringify(rows)).toBe(true);
  }
});
