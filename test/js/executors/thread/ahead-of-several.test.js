'use strict';
// Which jobs a thread has ahead of their turn: those with moved buffers, those of
// keys with a worker of their own, and as many as it runs at once.

const { MessageChannel, MessagePort } = require('node:worker_threads');
const { Code } = require('../../../../lib/protocol/diagnostics.gen.js');
const {
  awaitBlocked,
  begun,
  createPool,
  job,
  release,
  withFirst,
  words,
} = require('./ahead-support.js');

// Says that it has begun, and what it has got.
const size = ({ input: { array, moved } }) => {
  Atomics.store(array, 1, 1);
  Atomics.notify(array, 1);
  return moved.byteLength;
};

describe('moved buffers', () => {
  test('their job begins while the owner is blocked', async () => {
    const { array, first, pool } = await withFirst();
    const moved = new ArrayBuffer(1000);
    const next = pool.run(size, { input: { array, moved }, transfer: [moved] });
    expect(moved.byteLength).toBe(0);
    release(array);
    awaitBlocked(array, 1);
    expect(await Promise.all([first, next])).toEqual([0, 1000]);
  });

  test('a job that is taken back has them all the same', async () => {
    const { array, first, pool } = await withFirst();
    const bytes = new Uint8Array([1, 2, 3]);
    const next = pool.run(({ input }) => [...input], {
      input: bytes,
      transfer: [bytes.buffer],
    });
    expect(bytes.length).toBe(0);
    release(array);
    expect(await first).toBe(0);
    expect(await next).toEqual([1, 2, 3]);
  });

  test('Buffers stay Buffers', async () => {
    const pool = createPool();
    const bytes = Buffer.alloc(10, 7);
    const gate = pool.run(() => {
      const until = performance.now() + 30;
      while (performance.now() < until);
    });
    const next = pool.run(
      ({ input }) => [Buffer.isBuffer(input.bytes), input.bytes[9]],
      { input: { bytes }, transfer: [bytes.buffer] },
    );
    await gate;
    expect(await next).toEqual([true, 7]);
  });

  test('large ones begin while the owner is blocked, and stay its own', async () => {
    const { array, first, pool } = await withFirst();
    const [moved, after] = [new ArrayBuffer(2 ** 23), new ArrayBuffer(2 ** 23)];
    const next = pool.run(size, { input: { array, moved }, transfer: [moved] });
    // No more than one is ahead.
    const last = pool.run(({ input }) => input.byteLength, {
      input: after,
      transfer: [after],
    });
    expect([moved.byteLength, after.byteLength]).toEqual([0, 0]);
    release(array);
    awaitBlocked(array, 1);
    expect(await Promise.all([first, next, last])).toEqual([
      0,
      2 ** 23,
      2 ** 23,
    ]);
  });

  test('ports wait for the owner, and come', async () => {
    const { array, first, pool } = await withFirst();
    const moved = new MessageChannel().port1;
    const next = pool.run(size, { input: { array, moved }, transfer: [moved] });
    release(array);
    // The thread is free, and would begin one that it had.
    Atomics.wait(array, 1, 0, 100);
    expect(array[1]).toBe(0);
    expect(await first).toBe(0);
    expect(await next).toBe(undefined);
  });

  test('a thread that does not read gets no more than one of them', async () => {
    const pool = createPool({ payload: 'clone', workers: 2 });
    const [long, short] = [words(), words()];
    const held = pool.run(job, { input: { at: 0, array: long } });
    const other = pool.run(job, { input: { at: 0, array: short } });
    await Promise.all([begun(long, 0), begun(short, 0)]);
    const post = jest.spyOn(MessagePort.prototype, 'postMessage');
    // Each takes its turn in the thread that is not held, after it was ahead.
    const jobs = Array.from({ length: 12 }, () =>
      pool.run(
        ({ input }) => {
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
          return input.byteLength;
        },
        { input: new Uint8Array(2 ** 20) },
      ),
    );
    release(short);
    expect(await Promise.all(jobs)).toEqual(jobs.map(() => 2 ** 20));
    const ports = new Map();
    post.mock.calls.forEach(([{ aheadAt }], at) => {
      if (aheadAt === undefined) return;
      const port = post.mock.contexts[at];
      ports.set(port, (ports.get(port) ?? 0) + 1);
    });
    post.mockRestore();
    expect(Math.min(...ports.values())).toBeLessThanOrEqual(2);
    release(long);
    expect(await Promise.all([held, other])).toEqual([0, 0]);
  });
});

describe('affinity', () => {
  const keyed = (pool, at, array, key) =>
    pool.run(job, { input: { at, array }, key });

  test('a job of a key begins while the owner is blocked', async () => {
    const pool = createPool({ affinity: true, payload: 'clone' });
    const array = words();
    const jobs = [keyed(pool, 0, array, 'a')];
    await begun(array, 0);
    jobs.push(keyed(pool, 1, array, 'b'));
    release(array);
    awaitBlocked(array, 1);
    expect(await Promise.all(jobs)).toEqual([0, 1]);
  });

  test('it begins in the thread of its key, if that may have it', async () => {
    const pool = createPool({
      affinity: true,
      payload: 'clone',
      workers: 2,
    });
    const where = ({ input: { at, array }, worker }) => {
      Atomics.store(array, at, worker.number);
      Atomics.notify(array, at);
      Atomics.wait(array, 7, 0);
      return worker.number;
    };
    const run = (key, at, array) =>
      pool.run(where, { key, input: { at, array } });
    // Each has a thread of its own.
    const gate = words();
    const homes = [run('c', 0, gate), run('d', 1, gate)];
    await Promise.all([begun(gate, 0), begun(gate, 1)]);
    release(gate);
    const [c, d] = await Promise.all(homes);
    expect(c).not.toBe(d);
    // Both threads are busy with others' jobs now.
    const array = words();
    const others = [run('x', 0, array), run('y', 1, array)];
    await Promise.all([begun(array, 0), begun(array, 1)]);
    // In the other order than the threads.
    const again = [run('d', 2, array), run('c', 3, array)];
    release(array);
    for (const at of [2, 3]) Atomics.wait(array, at, 0, 60_000);
    expect([array[2], array[3]]).toEqual([d, c]);
    expect(await Promise.all(again)).toEqual([d, c]);
    await Promise.all(others);
  });
});

describe('several jobs at once in a thread', () => {
  // Does not keep its thread.
  const awaits = async ({ input: { at, array } }) => {
    Atomics.store(array, at, 1);
    Atomics.notify(array, at);
    while (Atomics.load(array, 7) === 0) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    return at;
  };
  const two = { concurrentJobsPerWorker: 2, payload: 'clone' };
  const run = (pool, at, array, more) =>
    pool.run(awaits, { input: { at, array }, ...more });

  test('as many begin while the owner is blocked', async () => {
    const pool = createPool(two);
    const [array, next] = [words(), words()];
    const jobs = [run(pool, 0, array), run(pool, 1, array)];
    await Promise.all([begun(array, 0), begun(array, 1)]);
    jobs.push(run(pool, 0, next), run(pool, 1, next), run(pool, 2, next));
    expect(pool.metrics().gauges).toMatchObject({ queued: 3, running: 2 });
    release(array);
    awaitBlocked(next, 0);
    awaitBlocked(next, 1);
    // No more than two run at once.
    Atomics.wait(next, 2, 0, 50);
    expect(next[2]).toBe(0);
    release(next);
    expect(await Promise.all(jobs)).toEqual([0, 1, 0, 1, 2]);
    expect(pool.metrics().gauges).toMatchObject({ queued: 0, running: 0 });
  });

  test('as many begin in a thread that starts meanwhile', async () => {
    const pool = createPool(two);
    const array = words();
    const jobs = [0, 1, 2].map((at) => run(pool, at, array));
    awaitBlocked(array, 0);
    awaitBlocked(array, 1);
    expect(array[2]).toBe(0);
    release(array);
    expect(await Promise.all(jobs)).toEqual([0, 1, 2]);
  });

  test('two threads that start take one each first', async () => {
    const pool = createPool({ ...two, workers: 2 });
    const array = words();
    // Each keeps its thread.
    const jobs = [0, 1].map((at) => pool.run(job, { input: { at, array } }));
    awaitBlocked(array, 0);
    awaitBlocked(array, 1);
    release(array);
    expect(await Promise.all(jobs)).toEqual([0, 1]);
  });

  test('in their order, also if one has come before them', async () => {
    const pool = createPool(two);
    const [array, next] = [words(), words()];
    const jobs = [run(pool, 0, array), run(pool, 1, array)];
    await Promise.all([begun(array, 0), begun(array, 1)]);
    const order = ({ input }) => Atomics.add(input, 6, 1);
    jobs.push(
      pool.run(order, { input: next, priority: 7 }),
      pool.run(order, { input: next, priority: 6 }),
      pool.run(order, { input: next, priority: 1 }),
    );
    release(array);
    while (Atomics.load(next, 6) < 2);
    expect(await Promise.all(jobs)).toEqual([0, 1, 2, 1, 0]);
  });

  test('one that ends leaves the others ahead, and each runs once', async () => {
    const pool = createPool({ ...two, maxQueued: 2000 });
    const array = new Int32Array(new SharedArrayBuffer(4));
    const most = new Int32Array(new SharedArrayBuffer(8));
    const count = async ({ input }) => {
      Atomics.add(input.array, 0, 1);
      const running = Atomics.add(input.most, 0, 1) + 1;
      if (running > Atomics.load(input.most, 1)) {
        Atomics.store(input.most, 1, running);
      }
      await new Promise((resolve) => setTimeout(resolve, input.n % 4));
      Atomics.sub(input.most, 0, 1);
      return input.n;
    };
    const jobs = Array.from({ length: 600 }, (_, n) =>
      pool.run(count, { input: { array, most, n } }),
    );
    for (let i = 0; i < 20; i++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      // Blocked, so that the thread goes on alone.
      Atomics.wait(words(), 0, 0, 15);
    }
    expect(await Promise.all(jobs)).toEqual(jobs.map((_, n) => n));
    expect([array[0], most[0], most[1]]).toEqual([600, 0, 2]);
  });

  test('a cancelled one never begins, and its neighbour does', async () => {
    const pool = createPool(two);
    const [array, next] = [words(), words()];
    const jobs = [run(pool, 0, array), run(pool, 1, array)];
    await Promise.all([begun(array, 0), begun(array, 1)]);
    const controller = new AbortController();
    const { signal } = controller;
    const cancelled = run(pool, 0, next, { signal });
    jobs.push(run(pool, 1, next));
    controller.abort();
    await expect(cancelled).rejects.toMatchObject({ code: Code.JobCancelled });
    release(array);
    release(next);
    expect(await Promise.all(jobs)).toEqual([0, 1, 1]);
    expect(next[0]).toBe(0);
  });

  test('the text of a job ahead is kept until it has begun', async () => {
    const pool = createPool({ ...two, memoryLimitMb: 16 });
    const [array, next] = [words(), words()];
    const jobs = [run(pool, 0, array), run(pool, 1, array)];
    await Promise.all([begun(array, 0), begun(array, 1)]);
    // Each is as long as all texts that a thread keeps.
    const long = (at) =>
      new Function(
        '{ input }',
        `Atomics.store(input, ${at}, 1); Atomics.notify(input, ${at}); return ${at}; // ${'x'.repeat(400_000)}`,
      );
    jobs.push(
      pool.run(long(0), { input: next }),
      pool.run(long(1), { input: next }),
    );
    release(array);
    awaitBlocked(next, 0);
    awaitBlocked(next, 1);
    expect(await Promise.all(jobs)).toEqual([0, 1, 0, 1]);
  });

  test('a thread that ends leaves those ahead to the next one', async () => {
    const pool = createPool(two);
    const [array, next] = [words(), words()];
    const ends = [0, 1].map((at) =>
      pool
        .run(
          async ({ input }) => {
            Atomics.store(input.array, input.at, 1);
            while (Atomics.load(input.array, 7) === 0) {
              await new Promise((resolve) => setTimeout(resolve, 1));
            }
            process.exit(1);
          },
          { input: { at, array } },
        )
        .catch(({ code }) => code),
    );
    await Promise.all([begun(array, 0), begun(array, 1)]);
    const jobs = [run(pool, 0, next), run(pool, 1, next)];
    release(array);
    release(next);
    expect(await Promise.all(ends)).toEqual([Code.Crashed, Code.Crashed]);
    expect(await Promise.all(jobs)).toEqual([0, 1]);
  });
});
