'use strict';

jest.mock('../../../lib/base/own-time.js', () =>
  require('../support/fakeable-time.js'),
);

const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { pendingTimers } = require('../../../lib/timers/timer-heap.js');
const {
  SloppyWorkerError,
  workerError,
} = require('../../../lib/protocol/sloppy-worker-error.js');
const {
  WorkerCancellationController,
} = require('../../../lib/signals/cancellation.js');
const { WorkQueue } = require('../../../lib/pool/work-queue.js');

const SECRET = 'hunter2-in-the-error';
const FAILED = `${Code.JobFailed}: work queue job failed`;
const EXHAUSTED = `${Code.RetryExhausted}: work queue retry attempts were exhausted`;
const BACKOFF_TEXT =
  'retry backoff must be a non-negative millisecond value or function.';

const turn = () => new Promise((resolve) => process.nextTick(resolve));
const rejection = (promise) => promise.then(Promise.reject, (error) => error);

/** Fails until attempt `succeedAt`; records what each attempt saw. */
function flakyQueue(options, succeedAt = Infinity) {
  const attempts = [];
  const queue = WorkQueue.create('flaky', options).process((job, context) => {
    attempts.push({ job, context });
    if (job.attempt >= succeedAt) return `attempt ${job.attempt}`;
    throw new Error(`${SECRET} ${job.attempt}`);
  });
  return { queue, attempts };
}

describe('the policy', () => {
  test.each([
    [{}, { maxAttempts: 1, backoffMs: 0 }],
    [{ retry: null }, { maxAttempts: 1, backoffMs: 0 }],
    [{ retry: { maxAttempts: 3 } }, { maxAttempts: 3, backoffMs: 0 }],
    [
      { maxAttempts: 2, backoffMs: 7 },
      { maxAttempts: 2, backoffMs: 7 },
    ],
    [
      { maxAttempts: 2, backoffMs: 7, retry: { maxAttempts: 4 } },
      { maxAttempts: 4, backoffMs: 7 },
    ],
    [{ retry: { backoffMs: 1.5 } }, { maxAttempts: 1, backoffMs: 1.5 }],
  ])('%p reads as %p', (options, retry) => {
    const queue = WorkQueue.create('q', options);
    expect(queue.retry).toEqual(retry);
    expect(Object.isFrozen(queue.retry)).toBe(true);
  });

  test('a function is kept', () => {
    const backoffMs = (attempt) => attempt;
    const queue = WorkQueue.create('q', { retry: { backoffMs } });
    expect(queue.retry.backoffMs).toBe(backoffMs);
  });

  test.each([-1, NaN, Infinity, '5', null, {}, true])(
    'refuses backoffMs: %p',
    (backoffMs) => {
      for (const options of [{ backoffMs }, { retry: { backoffMs } }]) {
        expect(() => WorkQueue.create('q', options)).toThrow(
          new TypeError(BACKOFF_TEXT),
        );
      }
    },
  );

  test.each([0, 1.5, '2', null])('refuses maxAttempts: %p', (maxAttempts) => {
    expect(() => WorkQueue.create('q', { retry: { maxAttempts } })).toThrow(
      new TypeError('retry.maxAttempts must be a positive integer.'),
    );
  });

  test.each([5, 'x', []])('refuses retry: %p', (retry) => {
    expect(() => WorkQueue.create('q', { retry })).toThrow(TypeError);
  });
});

describe('one attempt', () => {
  test.each([
    [
      'throws',
      () => {
        throw new RangeError(SECRET);
      },
    ],
    ['rejects', () => Promise.reject(new RangeError(SECRET))],
  ])('a handler that %s fails the job', async (_name, handler) => {
    const queue = WorkQueue.create('q').process(handler);
    const error = await rejection(queue.enqueue(1));
    expect(error).toBeInstanceOf(SloppyWorkerError);
    expect(error.message).toBe(FAILED);
    expect(error.stack).not.toContain(SECRET);
    expect(error.cause).toBeInstanceOf(RangeError);
    expect(error.cause.message).toBe(SECRET);
    expect(queue.state.stats).toMatchObject({ failed: 1, retryExhausted: 0 });
  });

  test('any thrown value is the cause', async () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    for (const thrown of [undefined, null, 'text', 0, proxy]) {
      const queue = WorkQueue.create('q').process(() => {
        throw thrown;
      });
      const error = await rejection(queue.enqueue(1));
      expect(error.message).toBe(FAILED);
      expect(Object.hasOwn(error, 'cause')).toBe(true);
      expect(error.cause === thrown).toBe(true);
    }
  });

  test('an error of ours passes through and is a mere failure', async () => {
    for (const code of [Code.RetryExhausted, Code.ShutdownCancelled]) {
      const inner = workerError(code);
      const queue = WorkQueue.create('q').process(() => Promise.reject(inner));
      expect(await rejection(queue.enqueue(1))).toBe(inner);
      expect(queue.state.stats).toMatchObject({
        failed: 1,
        retryExhausted: 0,
        cancelled: 0,
      });
    }
  });

  test('a thenable whose then throws fails the job', async () => {
    const queue = WorkQueue.create('q').process(() =>
      Object.defineProperty({}, 'then', {
        get() {
          throw new Error(SECRET);
        },
      }),
    );
    expect((await rejection(queue.enqueue(1))).message).toBe(FAILED);
    expect(queue.state.active).toBe(0);
  });
});

describe('several attempts', () => {
  test('the id and the copy stay, the attempt counts, the signal is new', async () => {
    const { queue, attempts } = flakyQueue({ retry: { maxAttempts: 3 } }, 3);
    expect(await queue.enqueue({ n: 1 })).toBe('attempt 3');
    const jobs = attempts.map(({ job }) => job);
    expect(jobs.map(({ id, attempt }) => [id, attempt])).toEqual([
      [1, 1],
      [1, 2],
      [1, 3],
    ]);
    expect(jobs[1].data).toBe(jobs[0].data);
    const contexts = attempts.map(({ context }) => context);
    expect(contexts.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(new Set(contexts.map(({ signal }) => signal)).size).toBe(3);
    expect(queue.state.stats).toMatchObject({
      enqueued: 1,
      completed: 1,
      failed: 0,
      retryExhausted: 0,
    });
  });

  test('what one attempt does to the data, the next one sees', async () => {
    const queue = WorkQueue.create('q', { maxAttempts: 2 }).process((job) => {
      if (job.attempt === 2) return job.data.seen;
      job.data.seen = true;
      throw new Error('again');
    });
    expect(await queue.enqueue({})).toBe(true);
  });

  test('all failing exhausts the job; the cause is the last error', async () => {
    const { queue } = flakyQueue({ retry: { maxAttempts: 2 } });
    const error = await rejection(queue.enqueue(1));
    expect(error.message).toBe(EXHAUSTED);
    expect(error.stack).not.toContain(SECRET);
    expect(error.cause.message).toBe(`${SECRET} 2`);
    expect(queue.state.stats).toMatchObject({ failed: 1, retryExhausted: 1 });
  });

  test('an error of ours is retried and wrapped too', async () => {
    const inner = workerError(Code.QueueFull);
    const handler = jest.fn(() => Promise.reject(inner));
    const queue = WorkQueue.create('q', { maxAttempts: 2 }).process(handler);
    const error = await rejection(queue.enqueue(1));
    expect(error.code).toBe(Code.RetryExhausted);
    expect(error.cause).toBe(inner);
    expect(handler).toHaveBeenCalledTimes(2);
  });
});

test.each([1, 2])(
  "%d attempts: the stack goes on with the caller's",
  async (n) => {
    const { queue } = flakyQueue({ retry: { maxAttempts: n } });
    async function handler() {
      return await queue.enqueue(1);
    }
    async function route() {
      return await handler();
    }
    const error = await rejection(route());
    // Jest's formatter leaves out the word async.
    expect(error.stack).toMatch(
      /at (async )?handler .*\n\s+at (async )?route /,
    );
    expect(error.stack).not.toContain(SECRET);
  },
);

describe('backoff', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
  });
  afterEach(() => {
    expect(pendingTimers()).toBe(0);
    jest.useRealTimers();
  });

  test('waits whole milliseconds and holds the slot', async () => {
    const { queue, attempts } = flakyQueue(
      { retry: { maxAttempts: 2, backoffMs: 9.2 } },
      2,
    );
    const done = queue.enqueue('a');
    const next = queue.enqueue('b');
    await turn();
    jest.advanceTimersByTime(9);
    expect(attempts).toHaveLength(1);
    expect(queue.state).toMatchObject({ active: 1, queued: 1 });
    jest.advanceTimersByTime(1);
    expect(attempts).toHaveLength(2);
    expect(await done).toBe('attempt 2');
    jest.advanceTimersByTime(10);
    expect(await next).toBe('attempt 2');
  });

  test('a function is asked with the failed attempt and its error', async () => {
    const backoffMs = jest.fn((attempt) => attempt * 10);
    const { queue, attempts } = flakyQueue(
      { retry: { maxAttempts: 3, backoffMs } },
      3,
    );
    const done = queue.enqueue(1);
    await turn();
    jest.advanceTimersByTime(10);
    expect(attempts).toHaveLength(2);
    await turn();
    jest.advanceTimersByTime(19);
    expect(attempts).toHaveLength(2);
    jest.advanceTimersByTime(1);
    expect(await done).toBe('attempt 3');
    expect(backoffMs.mock.calls.map(([n, e]) => [n, e.message])).toEqual([
      [1, `${SECRET} 1`],
      [2, `${SECRET} 2`],
    ]);
  });

  test.each([NaN, -1, Infinity, '5', undefined, Promise.resolve(1)])(
    'a function that answers %p fails the job',
    async (answer) => {
      const { queue, attempts } = flakyQueue({
        retry: { maxAttempts: 3, backoffMs: () => answer },
      });
      const error = await rejection(queue.enqueue(1));
      expect(error.message).toBe(FAILED);
      expect(error.cause).toEqual(new TypeError(BACKOFF_TEXT));
      expect(attempts).toHaveLength(1);
      expect(queue.state).toMatchObject({ active: 0 });
      expect(queue.state.stats).toMatchObject({ failed: 1, retryExhausted: 0 });
    },
  );

  test('a function that throws fails the job with that cause', async () => {
    const problem = new Error(SECRET);
    const { queue } = flakyQueue({
      retry: {
        maxAttempts: 3,
        backoffMs() {
          throw problem;
        },
      },
    });
    const error = await rejection(queue.enqueue(1));
    expect(error.message).toBe(FAILED);
    expect(error.stack).not.toContain(SECRET);
    expect(error.cause).toBe(problem);
  });

  test('a cancelled signal ends it at once, and frees the slot', async () => {
    const { queue, attempts } = flakyQueue({
      retry: { maxAttempts: 2, backoffMs: 1000 },
    });
    const controller = new WorkerCancellationController();
    const first = queue.enqueue('a', { signal: controller.signal });
    const second = queue.enqueue('b');
    await turn();
    controller.cancel();
    expect(attempts.map(({ job }) => job.data)).toEqual(['a', 'b']);
    expect(attempts[0].context.signal.cancelled).toBe(false);
    expect((await rejection(first)).code).toBe(Code.JobCancelled);
    await turn();
    jest.advanceTimersByTime(1000);
    expect((await rejection(second)).code).toBe(Code.RetryExhausted);
    expect(queue.state.stats).toMatchObject({ cancelled: 1, failed: 1 });
  });

  test('the deadline spans all attempts and ends it', async () => {
    const { queue, attempts } = flakyQueue({
      retry: { maxAttempts: 9, backoffMs: 40 },
    });
    const done = rejection(queue.enqueue(1, { timeoutMs: 100 }));
    for (let step = 0; step < 3; step += 1) {
      await turn();
      jest.advanceTimersByTime(40);
    }
    expect((await done).code).toBe(Code.JobTimeout);
    expect(attempts).toHaveLength(3);
    expect(queue.state.stats).toMatchObject({ timedOut: 1, failed: 0 });
  });

  test('a function may cancel its own job', async () => {
    const controller = new WorkerCancellationController();
    const { queue, attempts } = flakyQueue({
      retry: {
        maxAttempts: 3,
        backoffMs() {
          controller.cancel();
          return NaN;
        },
      },
    });
    const { signal } = controller;
    const error = await rejection(queue.enqueue(1, { signal }));
    expect(error.code).toBe(Code.JobCancelled);
    expect(attempts).toHaveLength(1);
    expect(queue.state.stats).toMatchObject({ cancelled: 1, failed: 0 });
  });

  test('without delay the next attempt comes in a microtask', async () => {
    const { queue, attempts } = flakyQueue({ retry: { maxAttempts: 3 } }, 3);
    const done = queue.enqueue(1);
    expect(attempts).toHaveLength(1);
    expect(await done).toBe('attempt 3');
    expect(jest.getTimerCount()).toBe(0);
  });
});
