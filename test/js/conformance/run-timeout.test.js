'use strict';
// The limit that counts from the start of a run: calls, defaults, runtimes.

const {
  createGate,
  createPool,
  moduleFile,
  occupy,
  rejection,
  runtime,
  startWorker,
  stopAll,
  testOnIsolates,
} = require('./support.js');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { WorkQueue, WorkerPool } = require('../../../lib/index.js');

const TEXT = `${Code.JobTimeout}: worker operation ran for longer than runTimeoutMs`;
const FROM_CALL = `${Code.JobTimeout}: worker operation timed out`;
const HINT = 'raise runTimeoutMs, or split the job into smaller ones';
// Far beyond what any test takes.
const LONG = 600_000;
// A limit that a tiny run keeps on a busy machine as well, and what passes it.
const FAIR = 1000;
const LONGER = FAIR + 100;

const endless = () => {
  for (;;);
};
const never = () => new Promise((resolve) => setTimeout(resolve, 600_000));

afterEach(stopAll);

function expectLate(error) {
  expect(error.message).toBe(TEXT);
  expect(error.code).toBe(Code.JobTimeout);
  expect(error.name).toBe('SloppyWorkerError');
  expect(error.hint).toBe(HINT);
}

describe('a call', () => {
  test.each([
    ['loops', endless],
    ['awaits', never],
  ])('that %s is ended, and the pool goes on', async (_how, fn) => {
    const pool = createPool();
    expectLate(await rejection(pool.run(fn, { runTimeoutMs: 30 })));
    expect(await pool.run(() => 7, { runTimeoutMs: LONG })).toBe(7);
    expect(pool.state.queue.stats.timedOut).toBe(1);
  });

  test('of invoke, map, stream and broadcast', async () => {
    const module =
      moduleFile(`export const wait = () => new Promise((resolve) => setTimeout(resolve, 600_000));
      export async function* values() { yield 1; await wait(); }`);
    const pool = createPool({ module });
    const options = { runTimeoutMs: 50 };
    expectLate(await rejection(pool.invoke('wait', null, options)));
    const mapped = pool.map([1], 'wait', options);
    expectLate(await rejection(mapped.next()));
    const streamed = pool.stream('values', { runTimeoutMs: FAIR });
    expect(await streamed.next()).toEqual({ done: false, value: 1 });
    expectLate(await rejection(streamed.next()));
    await pool.run(() => 1);
    const [end] = await pool.broadcast('wait', options);
    expectLate(end.reason);
  });

  test('the wait in the queue does not count', async () => {
    const gate = createGate();
    const pool = createPool({ host: { wait: gate.wait } });
    const first = pool.run(({ host }) => host.wait());
    await gate.entered(1);
    const queued = pool.run(() => 'ran', { runTimeoutMs: FAIR });
    await new Promise((resolve) => setTimeout(resolve, LONGER));
    gate.open();
    await first;
    expect(await queued).toBe('ran');
  });

  test('nor does the wait for a place', async () => {
    const gate = createGate();
    const pool = createPool({
      host: { wait: gate.wait },
      maxQueued: 1,
      overflow: 'backpressure',
    });
    const jobs = [pool.run(({ host }) => host.wait()), pool.run(() => 1)];
    await gate.entered(1);
    const waiter = pool.run(() => 'ran', { runTimeoutMs: FAIR });
    await new Promise((resolve) => setTimeout(resolve, LONGER));
    gate.open();
    await Promise.all(jobs);
    expect(await waiter).toBe('ran');
  });

  test('a queued one is limited from its start', async () => {
    const pool = createPool();
    const { started, promise } = occupy(pool, { runTimeoutMs: 200 });
    const next = pool.run(endless, { runTimeoutMs: 50 });
    await started;
    expectLate(await rejection(promise));
    expectLate(await rejection(next));
  });

  test('the earlier limit wins', async () => {
    const pool = createPool();
    await pool.run(() => 1);
    const both = (timeoutMs, runTimeoutMs) =>
      rejection(pool.run(endless, { timeoutMs, runTimeoutMs }));
    expect((await both(40, LONG)).message).toBe(FROM_CALL);
    expectLate(await both(LONG, 40));
    const deadline = { remainingMs: () => 40, expired: false };
    const late = pool.run(endless, { deadline, runTimeoutMs: LONG });
    expect((await rejection(late)).message).toBe(FROM_CALL);
  });

  test('the job sees it as its deadline, and its end as that of one', async () => {
    const pool = createPool({ cancelGraceMs: 10_000 });
    const left = await pool.run(({ deadline }) => deadline.remainingMs(), {
      runTimeoutMs: 5000,
    });
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(5000);
    const less = await pool.run(({ deadline }) => deadline.remainingMs(), {
      runTimeoutMs: LONG,
      timeoutMs: 5000,
    });
    expect(less).toBeLessThanOrEqual(5000);
    const onMessage = jest.fn();
    const promise = pool.run(
      async ({ signal, emit }) => {
        emit('began');
        while (!signal.aborted) await new Promise((r) => setTimeout(r, 5));
        globalThis.reason = signal.reason;
        return 'too late';
      },
      { runTimeoutMs: 300, onMessage },
    );
    expectLate(await rejection(promise));
    expect(await pool.run(() => globalThis.reason)).toBe('deadline');
  });

  test('a signal still cancels it', async () => {
    const pool = createPool();
    const controller = new AbortController();
    const { signal } = controller;
    const { started, promise } = occupy(pool, { runTimeoutMs: LONG, signal });
    await started;
    controller.abort();
    expect((await rejection(promise)).code).toBe(Code.JobCancelled);
  });

  test('stop ends it, and leaves no timer', async () => {
    const { pendingTimers } = require('../../../lib/timers/timer-heap.js');
    const before = pendingTimers();
    const pool = createPool();
    const { started, promise } = occupy(pool, { runTimeoutMs: LONG });
    const queued = pool.run(() => 1, { runTimeoutMs: LONG });
    queued.catch(() => {});
    await started;
    await pool.stop({ drain: false, timeoutMs: 0 });
    await rejection(promise);
    expect((await rejection(queued)).code).toBe(Code.ShutdownCancelled);
    expect(pendingTimers()).toBe(before);
  });

  test.each([-1, NaN, -Infinity, '5', {}, null, true])(
    'refuses %p',
    async (runTimeoutMs) => {
      const text = 'runTimeoutMs must be non-negative, or Infinity.';
      const pool = createPool();
      const error = await rejection(pool.run(() => 1, { runTimeoutMs }));
      expect(error).toEqual(new TypeError(`worker ${text}`));
      expect(() => WorkerPool.create('p', { runtime, runTimeoutMs })).toThrow(
        new TypeError(`WorkerPool.${text}`),
      );
      expect(() => WorkQueue.create('q', { runTimeoutMs })).toThrow(
        new TypeError(`WorkQueue.${text}`),
      );
    },
  );
});

describe('a default', () => {
  test('of a pool, which a call replaces', async () => {
    const pool = createPool({ runTimeoutMs: 60 });
    expectLate(await rejection(pool.run(endless)));
    expectLate(await rejection(pool.run(never, { priority: 0 })));
    const late = pool.run(endless, { runTimeoutMs: LONG, timeoutMs: 200 });
    expect((await rejection(late)).message).toBe(FROM_CALL);
    const slow = () => new Promise((r) => setTimeout(() => r('done'), 300));
    expect(await pool.run(slow, { runTimeoutMs: Infinity })).toBe('done');
  });

  test('of a worker, whose start has limits of its own', async () => {
    const worker = await startWorker(
      `await new Promise((resolve) => setTimeout(resolve, 400));
       export const hang = () => { for (;;); };`,
      { runTimeoutMs: 250 },
    );
    expectLate(await rejection(worker.invoke('hang')));
  });

  test('does not count `init`', async () => {
    const module = moduleFile(`
      export const init = () => new Promise((r) => setTimeout(r, ${LONGER}, 'state'));
      export const get = (_input, { state }) => state;
      export const hang = () => { for (;;); };`);
    const pool = createPool({ module, init: {}, runTimeoutMs: FAIR });
    expect(await pool.invoke('get')).toBe('state');
    expectLate(await rejection(pool.invoke('hang')));
    expect(await pool.invoke('get')).toBe('state');
  });

  test('of a broadcast', async () => {
    const pool = createPool({ runTimeoutMs: 60 });
    await pool.run(() => 1, { runTimeoutMs: LONG });
    const [{ reason }] = await pool.broadcast(never);
    expectLate(reason);
  });
});

describe('limits hold', () => {
  testOnIsolates('while the owner is blocked', async () => {
    const pool = createPool();
    const shared = new Int32Array(new SharedArrayBuffer(8));
    await pool.run(() => 1);
    const { promise, started } = occupy(pool, { runTimeoutMs: 50 });
    const next = pool.run(() => 'next');
    await started;
    // The worker is free for the next job while this thread sleeps.
    const until = performance.now() + 10_000;
    let counts;
    do {
      Atomics.wait(shared, 0, 0, 20);
      counts = pool.metrics().gauges;
    } while (counts.queued > 0 && performance.now() < until);
    // Nobody else can have ended the loop.
    expect(counts.queued).toBe(0);
    expectLate(await rejection(promise));
    expect(await next).toBe('next');
  });

  test('for each of several jobs in one worker', async () => {
    const pool = createPool({ concurrentJobsPerWorker: 4 });
    const waits = [80, 40, LONG].map((runTimeoutMs) =>
      pool.run(
        ({ input }) => new Promise((r) => setTimeout(r, input, 'done')),
        { runTimeoutMs, input: runTimeoutMs === LONG ? 200 : 600_000 },
      ),
    );
    expectLate(await rejection(waits[0]));
    expectLate(await rejection(waits[1]));
    expect(await waits[2]).toBe('done');
    expectLate(await rejection(pool.run(endless, { runTimeoutMs: 50 })));
    expect(await pool.run(() => 'on')).toBe('on');
  });

  testOnIsolates.each(['context', 'isolate'])(
    'with isolation %s',
    async (isolation) => {
      const pool = createPool({ isolation, runTimeoutMs: FAIR });
      expect(await pool.run(() => 1)).toBe(1);
      expectLate(await rejection(pool.run(endless)));
      expect(await pool.run(() => 2)).toBe(2);
    },
  );

  test('after the worker of an earlier job was replaced', async () => {
    const pool = createPool({ memoryLimitMb: 16, recycleAfterJobs: 2 });
    for (let i = 0; i < 5; i += 1) {
      expectLate(await rejection(pool.run(endless, { runTimeoutMs: 20 })));
      expect(await pool.run(() => 1, { runTimeoutMs: LONG })).toBe(1);
    }
  });
});

describe('a queue', () => {
  const never = () => new Promise(() => {});

  test('each attempt counts anew', async () => {
    const seen = [];
    const queue = WorkQueue.create('q', {
      runTimeoutMs: FAIR,
      retry: { maxAttempts: 3 },
    });
    queue.process(async ({ attempt }, { deadline }) => {
      seen.push(deadline.expiresAtMonotonicMs);
      await new Promise((resolve) => setTimeout(resolve, FAIR / 4));
      if (attempt < 3) throw new Error('again');
      return 'done';
    });
    expect(await queue.enqueue(1)).toBe('done');
    for (const at of [1, 2]) {
      expect(seen[at] - seen[at - 1]).toBeGreaterThan(FAIR / 8);
    }
  });

  test('one that takes too long ends the job, and frees its slot', async () => {
    const reasons = [];
    const queue = WorkQueue.create('q', { retry: { maxAttempts: 3 } });
    queue.process(({ data }, { signal }) => {
      signal.addEventListener('abort', () => reasons.push(signal.reason));
      return data === 'never' ? never() : data;
    });
    const late = queue.enqueue('never', { runTimeoutMs: 50 });
    const next = queue.enqueue('next', { runTimeoutMs: LONG });
    expectLate(await rejection(late));
    expect(reasons).toEqual(['deadline']);
    expect(await next).toBe('next');
  });

  test('the wait does not count, nor does the pause between attempts', async () => {
    const queue = WorkQueue.create('q', {
      runTimeoutMs: 150,
      retry: { maxAttempts: 2, backoffMs: 300 },
    });
    queue.process(({ attempt }) => {
      if (attempt < 2) throw new Error('again');
      return 'done';
    });
    const all = await Promise.all([queue.enqueue(1), queue.enqueue(2)]);
    expect(all).toEqual(['done', 'done']);
  });

  test('without a default there is no deadline', async () => {
    const queue = WorkQueue.create('q');
    queue.process((_job, { deadline }) => deadline === undefined);
    expect(await queue.enqueue(1)).toBe(true);
  });
});

test('other names are refused with this one', () => {
  for (const name of ['timeout', 'timeoutMs', 'taskTimeout', 'runTimeoutMS']) {
    expect(() => WorkerPool.create('p', { [name]: 5 })).toThrow(
      `has no option "${name}"; did you mean "runTimeoutMs"?`,
    );
  }
});
