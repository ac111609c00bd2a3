'use strict';

jest.mock('../../../lib/base/own-time.js', () =>
  require('../support/fakeable-time.js'),
);

const { CancellationController } = require('../../../lib/time/cancellation.js');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { pendingTimers } = require('../../../lib/timers/timer-heap.js');
const {
  WorkerCancellationController,
} = require('../../../lib/signals/cancellation.js');
const { WorkQueue } = require('../../../lib/pool/work-queue.js');

const SECRET = 'hunter2-in-the-reason';
const CANCELLED = `${Code.JobCancelled}: worker operation was cancelled`;
const TIMED_OUT = `${Code.JobTimeout}: worker operation timed out`;

/** Records how each promise settles, in order. */
function watch(log, name, promise) {
  promise.then(
    (value) => log.push([name, 'ok', value]),
    (error) => log.push([name, error.message]),
  );
}

const turn = () => new Promise((resolve) => process.nextTick(resolve));

function gatedQueue(options) {
  const runs = [];
  const queue = WorkQueue.create('gated', options).process(
    (job, context) =>
      new Promise((resolve, reject) =>
        runs.push({ ...job, context, resolve, reject }),
      ),
  );
  return { queue, runs };
}

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
});

afterEach(() => {
  expect(pendingTimers()).toBe(0);
  jest.useRealTimers();
});

const SIGNALS = {
  WorkerCancellationController: () => new WorkerCancellationController(),
  'time.CancellationController': () => new CancellationController(),
  AbortController: () => {
    const controller = new AbortController();
    return {
      signal: controller.signal,
      cancel: (reason) => controller.abort(reason),
    };
  },
};

describe.each(Object.entries(SIGNALS))('a %s', (_name, makeController) => {
  test('cancels a running job at once and frees its slot', async () => {
    const { queue, runs } = gatedQueue();
    const controller = makeController();
    const log = [];
    watch(log, 1, queue.enqueue(1, { signal: controller.signal }));
    watch(log, 2, queue.enqueue(2));
    const heard = [];
    const { signal } = runs[0].context;
    signal.addEventListener('abort', (reason) => heard.push(reason));

    controller.cancel(SECRET);
    expect(heard).toEqual([SECRET]);
    expect(signal.cancelled).toBe(true);
    expect(runs.map(({ id }) => id)).toEqual([1, 2]);
    expect(queue.state).toMatchObject({ active: 1, queued: 0 });
    expect(queue.state.stats.cancelled).toBe(1);
    await turn();
    expect(log).toEqual([[1, CANCELLED]]);

    const before = queue.state;
    runs[0].resolve('late');
    await turn();
    expect(queue.state).toEqual(before);
    runs[1].resolve('value');
    await queue.drain();
    expect(log).toEqual([
      [1, CANCELLED],
      [2, 'ok', 'value'],
    ]);
  });

  test('cancels a queued job at once; its handler never runs', async () => {
    const { queue, runs } = gatedQueue({ maxQueued: 1 });
    const controller = makeController();
    const log = [];
    watch(log, 1, queue.enqueue(1));
    watch(log, 2, queue.enqueue(2, { signal: controller.signal }));
    controller.cancel();
    expect(queue.state).toMatchObject({ active: 1, queued: 0 });
    expect(queue.state.stats).toMatchObject({ enqueued: 2, cancelled: 1 });
    watch(log, 3, queue.enqueue(3));
    await turn();
    expect(log).toEqual([[2, CANCELLED]]);
    runs[0].resolve('a');
    await turn();
    runs[1].resolve('b');
    await queue.drain();
    expect(runs.map(({ data }) => data)).toEqual([1, 3]);
  });

  test('nothing listens any more after the job', async () => {
    const { queue, runs } = gatedQueue();
    const controller = makeController();
    const { signal } = controller;
    const removed = jest.spyOn(
      signal.constructor.prototype,
      'removeEventListener',
    );
    const done = queue.enqueue(1, { signal });
    runs[0].resolve('done');
    await done;
    const inner = runs[0].context.signal;
    controller.cancel();
    expect(inner.cancelled).toBe(false);
    expect(removed).toHaveBeenCalled();
    expect(queue.state.stats).toMatchObject({ completed: 1, cancelled: 0 });
    removed.mockRestore();
  });
});

describe('the code of a cancellation', () => {
  const timeoutError = new Error(SECRET);
  timeoutError.name = 'TimeoutError';

  test.each([
    ['deadline', TIMED_OUT, 'timedOut'],
    ['timeout', TIMED_OUT, 'timedOut'],
    [timeoutError, TIMED_OUT, 'timedOut'],
    ['Timeout', CANCELLED, 'cancelled'],
    [null, CANCELLED, 'cancelled'],
    [new Error(SECRET), CANCELLED, 'cancelled'],
  ])('reason %p', async (reason, message, counter) => {
    const { queue, runs } = gatedQueue();
    const controller = new WorkerCancellationController();
    const { signal } = controller;
    const running = queue.enqueue(1, { signal });
    const queued = queue.enqueue(2, { signal });
    controller.cancel(reason);
    for (const promise of [running, queued, queue.enqueue(3, { signal })]) {
      const error = await promise.catch((thrown) => thrown);
      expect(error.message).toBe(message);
      expect(error.stack).not.toContain(SECRET);
      expect(error.cause).toBeUndefined();
    }
    expect(queue.state.stats[counter]).toBe(2);
    expect(runs[0].context.signal.reason).toBe(reason);
  });
});

describe('a deadline', () => {
  test('ends a running job; its signal says why', async () => {
    const { queue, runs } = gatedQueue();
    const log = [];
    watch(log, 1, queue.enqueue(1, { timeoutMs: 50 }));
    jest.advanceTimersByTime(49);
    await turn();
    expect(log).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(runs[0].context.signal.reason).toBe('deadline');
    expect(queue.state).toMatchObject({ active: 0, queued: 0 });
    await turn();
    expect(log).toEqual([[1, TIMED_OUT]]);
    runs[0].reject(new Error('late'));
    await turn();
    expect(queue.state.stats).toMatchObject({ timedOut: 1, failed: 0 });
  });

  test('ends a queued job', async () => {
    const { queue, runs } = gatedQueue();
    const log = [];
    watch(log, 1, queue.enqueue(1));
    watch(log, 2, queue.enqueue(2, { timeoutMs: 10 }));
    watch(log, 3, queue.enqueue(3));
    jest.advanceTimersByTime(10);
    expect(queue.state).toMatchObject({ active: 1, queued: 1 });
    await turn();
    expect(log).toEqual([[2, TIMED_OUT]]);
    runs[0].resolve();
    await turn();
    expect(runs.map(({ data }) => data)).toEqual([1, 3]);
    runs[1].resolve();
    await queue.drain();
  });

  test('is looked at before a queued job starts, timer or not', async () => {
    let release;
    const started = [];
    const queue = WorkQueue.create('q').process(({ data }) => {
      started.push(data);
      return new Promise((resolve) => {
        release = resolve;
      });
    });
    const log = [];
    watch(log, 1, queue.enqueue(1));
    watch(log, 2, queue.enqueue(2, { timeoutMs: 5 }));
    // The clock has moved on but no timer could fire: a blocked event loop.
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now + 6);
    release('one');
    await turn();
    jest.restoreAllMocks();
    expect(log).toEqual([
      [1, 'ok', 'one'],
      [2, TIMED_OUT],
    ]);
    expect(started).toEqual([1]);
  });

  test('far away does not fire at once', async () => {
    const { queue, runs } = gatedQueue();
    const log = [];
    watch(log, 1, queue.enqueue(1, { timeoutMs: 49 * 86_400_000 }));
    jest.advanceTimersByTime(86_400_000);
    await turn();
    expect(log).toEqual([]);
    runs[0].resolve('in time');
    await queue.drain();
    expect(log).toEqual([[1, 'ok', 'in time']]);
  });
});

describe('signals of other makes', () => {
  test('one without listeners is read before the job starts', async () => {
    const { queue, runs } = gatedQueue();
    const signal = { cancelled: false };
    const log = [];
    watch(log, 1, queue.enqueue(1));
    watch(log, 2, queue.enqueue(2, { signal }));
    watch(log, 3, queue.enqueue(3));
    signal.cancelled = true;
    runs[0].resolve();
    await turn();
    expect(runs.map(({ data }) => data)).toEqual([1, 3]);
    expect(queue.state.stats).toMatchObject({ completed: 1, cancelled: 1 });
    runs[1].resolve();
    await queue.drain();
    expect(log.map(([name]) => name).sort()).toEqual([1, 2, 3]);
  });

  test('one that cannot be subscribed to leaves nothing behind', async () => {
    const { queue, runs } = gatedQueue();
    const problem = new Error('not today');
    const signal = {
      aborted: false,
      addEventListener() {
        throw problem;
      },
    };
    await expect(queue.enqueue(1, { signal, timeoutMs: 9 })).rejects.toBe(
      problem,
    );
    expect(runs).toEqual([]);
    expect(queue.state.stats.enqueued).toBe(0);
  });

  test('one that cannot be unsubscribed from changes no outcome', async () => {
    const { queue, runs } = gatedQueue();
    const signal = {
      aborted: false,
      addEventListener() {},
      removeEventListener() {
        throw new Error('never');
      },
    };
    const done = queue.enqueue(1, { signal });
    runs[0].resolve('fine');
    expect(await done).toBe('fine');
    await queue.drain();
  });

  test('one that turns unreadable cancels its queued job', async () => {
    const { queue, runs } = gatedQueue();
    let readable = true;
    const signal = {
      get aborted() {
        if (!readable) throw new Error(SECRET);
        return false;
      },
    };
    queue.enqueue(1);
    const log = [];
    watch(log, 2, queue.enqueue(2, { signal }));
    readable = false;
    runs[0].resolve();
    await queue.drain();
    expect(log).toEqual([[2, CANCELLED]]);
    expect(runs).toHaveLength(1);
  });

  test('cancelling inside the handler settles before it returns', async () => {
    const controller = new WorkerCancellationController();
    const queue = WorkQueue.create('q').process((_job, { signal }) => {
      controller.cancel('enough');
      expect(signal.reason).toBe('enough');
      expect(queue.state).toMatchObject({ active: 0 });
      return 'too late';
    });
    const { signal } = controller;
    await expect(queue.enqueue(1, { signal })).rejects.toMatchObject({
      code: Code.JobCancelled,
    });
    expect(queue.state.stats).toMatchObject({ cancelled: 1, completed: 0 });
  });

  test('an abort listener may re-enter the queue', async () => {
    const { queue, runs } = gatedQueue({ maxQueued: 2 });
    const controller = new WorkerCancellationController();
    const log = [];
    watch(log, 1, queue.enqueue(1, { signal: controller.signal }));
    watch(log, 2, queue.enqueue(2, { signal: controller.signal }));
    runs[0].context.signal.addEventListener('abort', () => {
      watch(log, 3, queue.enqueue(3));
      queue.stop({ drain: false });
    });
    controller.cancel();
    await queue.drain();
    expect(log.sort(([a], [b]) => a - b)).toEqual([
      [1, CANCELLED],
      [2, `${Code.ShutdownCancelled}: queued job was cancelled by shutdown`],
      [3, `${Code.ShutdownCancelled}: queued job was cancelled by shutdown`],
    ]);
    expect(runs).toHaveLength(1);
    expect(queue.state.stats).toMatchObject({ enqueued: 3, cancelled: 3 });
  });
});

describe('a handler that gives up by itself', () => {
  test.each([
    ['JobCancelled', 'cancelled'],
    ['JobTimeout', 'timedOut'],
  ])('with %s counts as %s and is not retried', async (name, counter) => {
    const {
      workerError,
    } = require('../../../lib/protocol/sloppy-worker-error.js');
    const thrown = workerError(Code[name]);
    const handler = jest.fn(() => {
      throw thrown;
    });
    const queue = WorkQueue.create('q', {
      retry: { maxAttempts: 5 },
    }).process(handler);
    await expect(queue.enqueue(1)).rejects.toBe(thrown);
    expect(handler).toHaveBeenCalledTimes(1);
    expect(queue.state.stats).toMatchObject({ [counter]: 1, failed: 0 });
  });
});
