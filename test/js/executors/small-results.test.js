'use strict';
// Results of a few bytes end their job and begin the next in one call
// (src/runtime/bootstrap.js): whatever comes before and after them.

const { isDeepStrictEqual: same } = require('node:util');

const { WorkerPool } = require('../../../lib');

let pool;

beforeEach(() => {
  pool = WorkerPool.create('small', { maxQueued: 10_000 });
});

afterEach(() => pool.stop({ drain: false }));

const echo = ({ input }) => input;

const SIZES = [0, 1, 12, 13, 47, 48, 49, 65];

function values() {
  const all = [0, -0, 1.5, 2 ** 1010, true, false, null];
  for (const size of SIZES) {
    all.push('a'.repeat(size), 'ÿ'.repeat(size), 'Ā'.repeat(size));
    all.push(Array.from({ length: size }, (_, i) => i));
    all.push({ text: 'b'.repeat(size), of: size, long: size > 48 });
    all.push({ text: 'Ж'.repeat(size), bytes: new Uint8Array(size).fill(7) });
  }
  return all;
}

test('each comes back whatever went before', async () => {
  const all = values();
  const pairs = all.flatMap((one) => all.flatMap((other) => [one, other]));
  const results = await Promise.all(
    pairs.map((input) => pool.run(echo, { input })),
  );
  // Jest's own comparison takes seconds for so many.
  const wrong = pairs.findIndex((pair, at) => !same(results[at], pair));
  expect(wrong).toBe(-1);
});

test('objects of one shape whose properties change their types', async () => {
  const inputs = [true, false, null, 1, 'x', { y: [1] }, [], true].flatMap(
    (crop) => Array.from({ length: 12 }, (_, id) => ({ id, crop })),
  );
  const results = await Promise.all(
    inputs.map((input) => pool.run(echo, { input })),
  );
  expect(results).toEqual(inputs);
});

test('an object that is its own property is refused, of a frequent shape too', async () => {
  const flat = Array.from({ length: 20 }, (_, id) => ({ id, self: true }));
  await Promise.all(flat.map((input) => pool.run(echo, { input })));
  const cycle = { id: 1 };
  cycle.self = cycle;
  await expect(pool.run(echo, { input: cycle })).rejects.toMatchObject({
    code: 'SLOPPY_E_WORKER_MESSAGE_SERIALIZATION_FAILED',
  });
});

for (const [what, value] of [
  ['a number', '1'],
  ['a text', "'done'"],
  ['an object', '{ done: true }'],
]) {
  test(`microtasks that a job with ${what} leaves are over before the next`, async () => {
    const leave = new Function(`return () => {
      globalThis.left = 0;
      let p = Promise.resolve();
      for (let i = 0; i < 10; i++) p = p.then(() => { globalThis.left += 1; });
      return ${value};
    }`)();
    const [, left] = await Promise.all([
      pool.run(leave),
      pool.run(() => globalThis.left),
    ]);
    expect(left).toBe(10);
  });

  test(`those that do not end are ended with a job with ${what}`, async () => {
    const leave = new Function(`return () => {
      Promise.resolve().then(() => { for (;;); });
      return ${value};
    }`)();
    const [late, next] = await Promise.allSettled([
      pool.run(leave, { timeoutMs: 200 }),
      pool.run(() => 7),
    ]);
    expect(late.reason.code).toBe('SLOPPY_E_WORK_JOB_TIMEOUT');
    expect(next.value).toBe(7);
  });
}

test('a microtask changes the object that the job returned', async () => {
  const result = await pool.run(() => {
    const value = { changed: false };
    Promise.resolve().then(() => {
      value.changed = true;
    });
    return value;
  });
  expect(result).toEqual({ changed: true });
});

test('a promise without its prototype is awaited all the same', async () => {
  const result = await pool.run(() =>
    Object.setPrototypeOf(Promise.resolve(3), Object.prototype),
  );
  expect(result).toBe(3);
});

test('a context keeps what it has when its job is over', async () => {
  await pool.run((context) => {
    globalThis.plain = context;
  });
  await pool.run(
    (context) => {
      globalThis.limited = context;
    },
    { timeoutMs: 60_000 },
  );
  const kept = await pool.run(() => [
    globalThis.plain.signal.aborted,
    globalThis.plain.deadline === undefined,
    globalThis.plain.trace === undefined,
    globalThis.limited.deadline.remainingMs() > 0,
  ]);
  expect(kept).toEqual([true, true, true, true]);
});
