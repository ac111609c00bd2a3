'use strict';
// Sections 0.4, 3.3 and 5: signals, deadlines and timeouts of `run`.

const {
  Deadline,
  WorkerCancellationController,
} = require('../../../lib/index.js');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const {
  createPool,
  lateWhileRunning,
  occupy,
  rejection,
  stopAll,
  testOnIsolates,
} = require('./support.js');

afterEach(stopAll);

describe('signals', () => {
  const text =
    'worker signal must be a Sloppy cancellation signal or AbortSignal-like object.';

  test.each([null, 1, 'x', {}, { cancelled: 1 }, { aborted: 'no' }, []])(
    '%p is none',
    async (signal) => {
      const error = await rejection(createPool().run(() => 1, { signal }));
      expect(error).toBeInstanceOf(TypeError);
      expect(error.message).toBe(text);
    },
  );

  test.each([
    ['AbortSignal', () => new AbortController().signal],
    ['ours', () => new WorkerCancellationController().signal],
    ['{ cancelled }', () => ({ cancelled: false })],
    ['{ aborted }', () => ({ aborted: false })],
    ['undefined', () => undefined],
  ])('%s is taken', async (_name, make) => {
    expect(await createPool().run(() => 1, { signal: make() })).toBe(1);
  });

  test.each([
    ['deadline', Code.JobTimeout],
    ['timeout', Code.JobTimeout],
    [new DOMException('x', 'TimeoutError'), Code.JobTimeout],
    ['other', Code.JobCancelled],
    [undefined, Code.JobCancelled],
    [{ secret: 1 }, Code.JobCancelled],
  ])('cancelled before with %p', async (reason, code) => {
    const pool = createPool();
    const error = await rejection(
      pool.run(() => 1, { signal: AbortSignal.abort(reason) }),
    );
    expect(error.code).toBe(code);
    expect(pool.state.queue.stats.enqueued).toBe(0);
  });

  test('cancelled while it runs: the caller knows at once', async () => {
    const controller = new AbortController();
    const pool = createPool();
    const { started, promise } = occupy(pool, { signal: controller.signal });
    await started;
    controller.abort('secret');
    const error = await rejection(promise);
    expect(error.code).toBe(Code.JobCancelled);
    expect(error.message).toBe(
      'SLOPPY_E_WORK_JOB_CANCELLED: worker operation was cancelled',
    );
    expect(await pool.run(() => 'usable')).toBe('usable');
    expect(pool.state.queue.stats).toMatchObject({
      cancelled: 1,
      completed: 1,
    });
  });

  test('the slot counts as active until the worker is free', async () => {
    const controller = new AbortController();
    const pool = createPool();
    const { started, promise } = occupy(pool, { signal: controller.signal });
    await started;
    controller.abort();
    expect(pool.state.queue).toMatchObject({ active: 1 });
    expect(pool.state.queue.stats.cancelled).toBe(1);
    await rejection(promise);
    await pool.drain();
    expect(pool.state.queue.active).toBe(0);
  });

  test('cancelled while queued: it never runs', async () => {
    const blocker = new AbortController();
    const controller = new AbortController();
    const pool = createPool({ maxQueued: 1 });
    const { started } = occupy(pool, { signal: blocker.signal });
    await started;
    const queued = pool.run(
      () => {
        globalThis.ran = true;
      },
      { signal: controller.signal },
    );
    controller.abort();
    expect(pool.state.queue.queued).toBe(0);
    expect((await rejection(queued)).code).toBe(Code.JobCancelled);
    blocker.abort();
    expect(await pool.run(() => typeof globalThis.ran)).toBe('undefined');
  });

  // The only thing that can settle the job's promise is its own listener.
  const untilAbort = ({ signal, emit }) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', (reason) => {
        globalThis.seen = [reason, signal.cancelled, signal.aborted];
        resolve();
      });
      // A slow machine may be late before it listens: it is tried again.
      if (signal.aborted) resolve();
      else emit('listening');
    });

  test.each([1, 2])(
    'a job that waits for its signal only stays alive, %d per worker',
    async (concurrentJobsPerWorker) => {
      const pool = createPool({
        cancelGraceMs: 60_000,
        concurrentJobsPerWorker,
      });
      const controller = new AbortController();
      let settled = false;
      let promise;
      await new Promise((resolve) => {
        promise = pool.run(untilAbort, {
          signal: controller.signal,
          onMessage: resolve,
        });
        promise.catch(() => {
          settled = true;
        });
      });
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(settled).toBe(false);
      controller.abort();
      expect((await rejection(promise)).code).toBe(Code.JobCancelled);
      await pool.drain();
      expect(await pool.run(() => globalThis.seen)).toEqual([
        'cancelled',
        true,
        true,
      ]);
    },
  );

  test('so does one that waits for its deadline', async () => {
    const pool = createPool({ cancelGraceMs: 60_000 });
    await pool.run(() => 'warm');
    const error = await lateWhileRunning(pool, untilAbort);
    expect(error.message).toBe(
      'SLOPPY_E_WORK_JOB_TIMEOUT: worker operation timed out',
    );
    await pool.drain();
    expect(await pool.run(() => globalThis.seen)).toEqual([
      'deadline',
      true,
      true,
    ]);
  });

  testOnIsolates.each([
    ['that nobody can cancel', undefined, false],
    ['that has no end', { deadline: Deadline.never() }, false],
    ['whose listener is gone', { timeoutMs: 60_000 }, true],
  ])('a signal %s settles nothing', async (_name, options, remove) => {
    const pool = createPool();
    const waiting = pool.run(
      ({ signal, input }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', resolve);
          if (input) signal.removeEventListener('abort', resolve);
        }),
      { ...options, input: remove },
    );
    expect((await rejection(waiting)).message).toBe(
      'SLOPPY_E_WORK_JOB_TIMEOUT: worker promise can never settle',
    );
  });

  test('turns inside a synchronous loop, with a grace period', async () => {
    const controller = new AbortController();
    const pool = createPool({ cancelGraceMs: 60_000 });
    const seen = [];
    let saw;
    const sawIt = new Promise((resolve) => {
      saw = resolve;
    });
    const promise = pool.run(
      ({ signal, emit }) => {
        emit('started');
        while (!signal.cancelled);
        globalThis.left = [signal.aborted, typeof signal.reason];
      },
      {
        signal: controller.signal,
        onMessage: (value) => {
          seen.push(value);
          saw();
        },
      },
    );
    await sawIt;
    controller.abort('x');
    expect((await rejection(promise)).code).toBe(Code.JobCancelled);
    // The job was not terminated: what it did after the loop is there.
    expect((await pool.run(() => globalThis.left))[0]).toBe(true);
    expect(seen).toEqual(['started']);
  });

  test('listeners fire when the job yields, with a grace period', async () => {
    const controller = new AbortController();
    const pool = createPool({ cancelGraceMs: 60_000 });
    let tell;
    const started = new Promise((resolve) => {
      tell = resolve;
    });
    const promise = pool.run(
      ({ signal, emit }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            globalThis.fired = (globalThis.fired ?? 0) + 1;
            resolve();
          });
          setTimeout(resolve, 1e9);
          emit('started');
        }),
      { signal: controller.signal, onMessage: tell },
    );
    await started;
    controller.abort();
    await rejection(promise);
    expect(await pool.run(() => globalThis.fired)).toBe(1);
  });
});

describe('timeoutMs and deadline', () => {
  test.each([null, '5', Number.NaN, Number.POSITIVE_INFINITY, -1])(
    'timeoutMs %p',
    async (timeoutMs) => {
      const error = await rejection(createPool().run(() => 1, { timeoutMs }));
      expect(error).toBeInstanceOf(TypeError);
      expect(error.message).toBe(
        'worker timeoutMs must be finite and non-negative.',
      );
    },
  );

  test.each([{}, 'x', true, { remainingMs: 5 }, []])(
    'deadline %p',
    async (deadline) => {
      const error = await rejection(createPool().run(() => 1, { deadline }));
      expect(error).toBeInstanceOf(TypeError);
      expect(error.message).toBe('worker deadline must expose remainingMs().');
    },
  );

  test.each([Number.NaN, Number.NEGATIVE_INFINITY, '5', undefined])(
    'remainingMs() of %p',
    async (remaining) => {
      const deadline = { remainingMs: () => remaining };
      const error = await rejection(createPool().run(() => 1, { deadline }));
      expect(error).toBeInstanceOf(TypeError);
      expect(error.message).toBe(
        'worker deadline remainingMs() must be finite or Infinity.',
      );
    },
  );

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 32])(
    'a number of %p is no deadline',
    async (deadline) => {
      const error = await rejection(createPool().run(() => 1, { deadline }));
      expect(error.name).toBe('InvalidDeadlineError');
    },
  );

  test.each([
    { timeoutMs: 0 },
    { deadline: 0 },
    { deadline: Deadline.after(0) },
    { deadline: { remainingMs: () => -5 } },
    { timeoutMs: 0, deadline: 60_000 },
    { timeoutMs: 60_000, deadline: 0 },
  ])('%p is over before it begins', async (options) => {
    const pool = createPool();
    const error = await rejection(pool.run(() => 1, options));
    expect(error.code).toBe(Code.JobTimeout);
    expect(error.message).toBe(
      'SLOPPY_E_WORK_JOB_TIMEOUT: worker operation timed out',
    );
    expect(pool.state.queue.stats.timedOut).toBe(0);
  });

  test.each([
    { deadline: null },
    { deadline: Deadline.never() },
    { deadline: { remainingMs: () => Number.POSITIVE_INFINITY } },
    { deadline: 2 ** 32 - 1 },
    { timeoutMs: 3_000_000_000 },
  ])('%p leaves time enough', async (options) => {
    expect(await createPool().run(() => 1, options)).toBe(1);
  });

  test.each([
    ['none', {}, null],
    ['null', { deadline: null }, null],
    ['never', { deadline: Deadline.never() }, [true, false]],
    [
      'a foreign one without end',
      { deadline: { remainingMs: () => Number.POSITIVE_INFINITY } },
      [true, false],
    ],
    ['some time', { deadline: 60_000 }, [false, false]],
    [
      'never, and a timeout',
      { deadline: Deadline.never(), timeoutMs: 60_000 },
      [false, false],
    ],
  ])('the job sees its deadline: %s', async (_, options, seen) => {
    const look = ({ deadline }) =>
      deadline === undefined
        ? null
        : [
            deadline.remainingMs() === Number.POSITIVE_INFINITY,
            deadline.expired,
          ];
    expect(await createPool().run(look, options)).toEqual(seen);
  });

  test('an endless loop ends, and the worker goes on', async () => {
    const pool = createPool();
    const error = await lateWhileRunning(pool, ({ emit }) => {
      globalThis.before = 1;
      emit('runs');
      for (;;);
    });
    expect(error.code).toBe(Code.JobTimeout);
    const { stats } = pool.state.queue;
    expect(stats).toMatchObject({ timedOut: stats.enqueued });
    // The same isolate, a fresh realm.
    expect(await pool.run(() => typeof globalThis.before)).toBe('undefined');
  });
});

describe('options of our own', () => {
  test.each([
    ['priority', 'worker priority must be an integer from 0 to 7.'],
    ['onMessage', 'worker onMessage must be a function.'],
    ['transfer', 'worker transfer must be an array of ArrayBuffers.'],
  ])('%s', async (key, text) => {
    const pool = createPool();
    for (const value of ['x', -1, 8, 1.5, {}, true]) {
      const error = await rejection(pool.run(() => 1, { [key]: value }));
      expect(error).toBeInstanceOf(TypeError);
      expect(error.message).toBe(text);
    }
    expect(pool.state.queue.stats.enqueued).toBe(0);
  });
});
