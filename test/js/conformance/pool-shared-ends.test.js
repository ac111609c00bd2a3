'use strict';
// Ends of jobs that share an isolate: of one, of its worker and of the pool.

const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { gate, shared, until, waits } = require('./shared-support.js');
const { outcomes, rejection, stopAll } = require('./support.js');

afterEach(stopAll);

describe('one of several', () => {
  test('is cancelled: the others go on, in the same realm', async () => {
    const { host, open } = gate();
    const pool = shared({ host });
    await pool.run(() => {
      globalThis.mark = 1;
    });
    const controller = new AbortController();
    const others = [1, 2, 3].map((input) => pool.run(waits, { input }));
    const seen = [];
    const one = pool.run(
      async ({ host, signal, emit }) => {
        signal.addEventListener('abort', () => {
          globalThis.told = (globalThis.told ?? 0) + 1;
        });
        emit('ready');
        await host.wait();
        globalThis.late = 1;
      },
      { signal: controller.signal, onMessage: (value) => seen.push(value) },
    );
    await until(() => seen.length === 1);
    controller.abort();
    expect((await rejection(one)).code).toBe(Code.JobCancelled);
    // Its place is free, though its promise is still pending there.
    expect(await pool.run(() => globalThis.told)).toBe(1);
    open();
    expect(await Promise.all(others)).toEqual([1, 2, 3]);
    expect(await pool.run(() => [globalThis.mark, globalThis.told])).toEqual([
      1, 1,
    ]);
  });

  test('is late: the others go on', async () => {
    const { host, open } = gate();
    const pool = shared({ host });
    const others = [1, 2, 3].map((input) => pool.run(waits, { input }));
    const late = pool.run(waits, { timeoutMs: 20 });
    expect((await rejection(late)).code).toBe(Code.JobTimeout);
    expect(await pool.run(() => 'room')).toBe('room');
    open();
    expect(await Promise.all(others)).toEqual([1, 2, 3]);
  });

  test('is cancelled, and what it goes on with does not keep the others for good', async () => {
    const pool = shared({ workers: 1 });
    const other = pool.run(
      () => new Promise((resolve) => setTimeout(resolve, 1e6)),
    );
    const abort = new AbortController();
    const job = pool.run(
      async ({ emit }) => {
        emit('begun');
        await new Promise((resolve) => setTimeout(resolve, 500));
        for (;;);
      },
      { signal: abort.signal, onMessage: () => abort.abort() },
    );
    expect((await rejection(job)).code).toBe(Code.JobCancelled);
    expect((await rejection(other)).code).toBe(Code.Crashed);
    expect(await pool.run(() => 'next')).toBe('next');
  });

  test('has its grace period', async () => {
    const { host, open } = gate();
    const pool = shared({ host, cancelGraceMs: 60_000 });
    const controller = new AbortController();
    const seen = [];
    const one = pool.run(
      ({ signal, emit }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', (reason) => {
            globalThis.why = [reason, signal.cancelled];
            resolve();
          });
          setTimeout(resolve, 1e9);
          emit(1);
        }),
      { signal: controller.signal, onMessage: (value) => seen.push(value) },
    );
    const other = pool.run(waits, { input: 5 });
    await until(() => seen.length === 1);
    controller.abort();
    await rejection(one);
    // This one may begin before the other is told.
    const whenTold = async () => {
      while (globalThis.why === undefined) {
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      return globalThis.why;
    };
    expect(await pool.run(whenTold)).toEqual(['cancelled', true]);
    open();
    expect(await other).toBe(5);
  });

  test('uses its grace period up', async () => {
    const { host, open } = gate();
    const pool = shared({ host, cancelGraceMs: 5 });
    const other = pool.run(waits, { input: 5 });
    const stuck = pool.run(() => new Promise((r) => setTimeout(r, 1e9)), {
      timeoutMs: 5,
    });
    await rejection(stuck);
    await until(() => pool.state.queue.active === 1);
    open();
    expect(await other).toBe(5);
  });

  test.each(['at once', 'after a timer'])('never yields: %s', async (when) => {
    const { host } = gate();
    const pool = shared({ host });
    const others = [1, 2].map((input) => pool.run(waits, { input }));
    const controller = new AbortController();
    const loop = pool.run(
      async ({ input, emit }) => {
        if (input) await new Promise((resolve) => setTimeout(resolve, 5));
        emit('loops');
        for (;;);
      },
      {
        input: when !== 'at once',
        signal: controller.signal,
        // The clock would not do: a job that is late before it loops leaves.
        onMessage: () => controller.abort('timeout'),
      },
    );
    expect(await outcomes([loop, ...others])).toEqual([
      Code.JobTimeout,
      Code.Crashed,
      Code.Crashed,
    ]);
    expect(await pool.run(() => 'new')).toBe('new');
    expect(pool.state.queue.stats).toMatchObject({ failed: 2, timedOut: 1 });
  });

  test('fills the memory: the others are lost', async () => {
    const { host } = gate();
    const pool = shared({ host, memoryLimitMb: 32 });
    const other = pool.run(waits);
    const greedy = pool.run(() => {
      const kept = [];
      for (;;) kept.push(new Array(1000).fill(kept.length));
    });
    expect(await outcomes([greedy, other])).toEqual([
      Code.ResourceLimit,
      Code.Crashed,
    ]);
    expect(await pool.run(() => 1)).toBe(1);
  });
});

describe('the end', () => {
  test('stop waits for all of them', async () => {
    const { host, open } = gate();
    const pool = shared({ host });
    const jobs = [1, 2, 3].map((input) => pool.run(waits, { input }));
    const stopped = pool.stop();
    open();
    expect(await Promise.all(jobs)).toEqual([1, 2, 3]);
    expect(await stopped).toEqual({ cancelled: 0, forced: 0 });
  });

  test('a forced stop ends all of them', async () => {
    const { host } = gate();
    const pool = shared({ host, workers: 2 });
    const jobs = Array.from({ length: 9 }, () => pool.run(waits));
    const ends = outcomes(jobs);
    expect((await pool.stop({ timeoutMs: 0 })).forced).toBe(9);
    expect(new Set(await ends)).toEqual(new Set([Code.ShutdownCancelled]));
  });

  test('fewer workers: those too many leave once their jobs are over', async () => {
    const both = gate();
    const pool = shared({ host: both.host, workers: 2 });
    const exited = new Promise((resolve) => pool.once('workerExit', resolve));
    const jobs = Array.from({ length: 8 }, (_, input) =>
      pool.run(waits, { input }),
    );
    // Two workers are there once more than four jobs are inside.
    await until(() => both.entered === 8);
    pool.resize(1);
    both.open();
    expect(await Promise.all(jobs)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    await exited;
    expect(await pool.run(() => 1)).toBe(1);
  });

  test('an isolate is renewed between jobs, never under one', async () => {
    const pool = shared({ recycleAfterJobs: 5 });
    const jobs = Array.from({ length: 20 }, (_, input) =>
      pool.run(
        async ({ input }) => {
          globalThis.count = (globalThis.count ?? 0) + 1;
          const { count } = globalThis;
          await new Promise((resolve) => setTimeout(resolve, input % 3));
          return count;
        },
        { input },
      ),
    );
    const counts = await Promise.all(jobs);
    expect(counts.sort()).toEqual([1, 2, 3, 4, 5].flatMap((n) => [n, n, n, n]));
  });
});
