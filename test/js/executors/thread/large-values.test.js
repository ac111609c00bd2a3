'use strict';
// Values that are large enough to be written before they are posted: each way
// between an owner and its threads.

const { deepStrictEqual } = require('node:assert');

const { WorkerPool } = require('../../../../lib/index.js');

const pools = [];

function createPool(options) {
  const pool = WorkerPool.create('large', { runtime: 'thread', ...options });
  pools.push(pool);
  return pool;
}

afterEach(() =>
  Promise.all(
    pools.splice(0).map((pool) => pool.stop({ drain: false, timeoutMs: 0 })),
  ),
);

const rows = (start = 0) =>
  Array.from({ length: 600 }, (_, n) => ({
    ...{ id: start + n, name: `row ${n}`, wide: 'ж', of: [n, -0, n / 3] },
  }));
const LARGE = {
  rows: rows(),
  bytes: new Uint8Array([1, 2, 3]),
  buffer: Buffer.from('of Node'),
  ['__proto__']: 'own',
};

test('as an input and a result, more than once', async () => {
  const pool = createPool({ workers: 2 });
  const jobs = Array.from({ length: 20 }, () =>
    pool.run(({ input }) => input, { input: LARGE }),
  );
  for (const found of await Promise.all(jobs)) {
    deepStrictEqual(found, LARGE);
    expect(Buffer.isBuffer(found.buffer)).toBe(true);
  }
});

test('with shapes that come one after another, from both ends', async () => {
  const pool = createPool();
  for (let n = 0; n < 40; n += 1) {
    const input = rows().map((row) => ({ [`of ${n}`]: n, ...row }));
    const found = await pool.run(
      ({ input: list }) => list.map((row) => ({ row, [`${row.id % 7}`]: 1 })),
      { input },
    );
    deepStrictEqual(
      found,
      input.map((row) => ({ row, [`${row.id % 7}`]: 1 })),
    );
  }
});

test('the owner keeps its own', async () => {
  const pool = createPool();
  const input = rows();
  const bytes = new Uint8Array(8192).fill(7);
  const job = pool.run(({ input: [list, all] }) => [list.length, all[0]], {
    input: [input, bytes],
  });
  input.length = 0;
  bytes[0] = 1;
  expect(await job).toEqual([600, 7]);
  expect(bytes.length).toBe(8192);
});

test('emitted, streamed, given to a host function, and its answer', async () => {
  const host = { next: (start) => rows(start[0].id + 600) };
  const pool = createPool({ host });
  const seen = [];
  const found = await pool.run(
    async (context) => {
      context.emit(context.input);
      return context.host.next(context.input);
    },
    { input: rows(), onMessage: (value) => seen.push(value) },
  );
  deepStrictEqual(seen, [rows()]);
  deepStrictEqual(found, rows(600));
  const values = [];
  const each = pool.stream(
    function* each({ input }) {
      for (let n = 0; n < 5; n += 1) yield input;
    },
    { input: rows() },
  );
  for await (const value of each) values.push(value);
  deepStrictEqual(values, Array(5).fill(rows()));
});

test('for every worker', async () => {
  const pool = createPool({ workers: 2, minWorkers: 2 });
  const found = await pool.broadcast(({ input }) => input, { input: rows() });
  deepStrictEqual(
    found.map(({ value }) => value),
    [rows(), rows()],
  );
});

test('as the reason of a cancellation', async () => {
  const pool = createPool();
  const controller = new AbortController();
  const job = pool.run(
    async ({ emit, signal }) => {
      emit('begun');
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve, { once: true });
      });
      emit(signal.reason);
    },
    { signal: controller.signal, onMessage: told },
  );
  const seen = [];
  function told(value) {
    seen.push(value);
    if (value === 'begun') controller.abort(rows());
  }
  await expect(job).rejects.toBeDefined();
  expect(seen[0]).toBe('begun');
  // Its word after its cancellation may be too late.
  if (seen.length > 1) deepStrictEqual(seen[1], rows());
});

test('a job ahead of its turn that is sent again', async () => {
  const pool = createPool({ workers: 2, minWorkers: 2, maxQueued: 50 });
  const jobs = Array.from({ length: 30 }, (_, n) =>
    pool.run(
      ({ input }) => {
        const end = Date.now() + (input[0].id % 3) * 8;
        while (Date.now() < end);
        return input;
      },
      { input: rows(n) },
    ),
  );
  const found = await Promise.all(jobs);
  found.forEach((list, n) => {
    deepStrictEqual(list, rows(n));
  });
});
