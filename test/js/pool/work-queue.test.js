'use strict';

jest.mock('../../../lib/base/own-time.js', () =>
  require('../support/fakeable-time.js'),
);

const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const {
  SloppyWorkerError,
} = require('../../../lib/protocol/sloppy-worker-error.js');
const { WorkQueue } = require('../../../lib/pool/work-queue.js');
const {
  WorkerCancellationController,
} = require('../../../lib/signals/cancellation.js');
const { NO_STATS, gatedQueue, rejection } = require('./queue-support.js');

describe('WorkQueue.create', () => {
  test('is the only member of a frozen object', () => {
    expect(Object.isFrozen(WorkQueue)).toBe(true);
    expect(Object.keys(WorkQueue)).toEqual(['create']);
    expect(() => new WorkQueue('q')).toThrow(TypeError);
  });

  test.each([undefined, null, {}, Object.create(null)])(
    'takes %p as no options',
    (options) => {
      const queue = WorkQueue.create('defaults', options);
      expect(queue.name).toBe('defaults');
      expect(queue.maxQueued).toBe(1024);
      expect(queue.maxQueuedBytes).toBe(256 * 1024 * 1024);
      expect(queue.concurrency).toBe(1);
      expect(queue.overflow).toBe('reject');
      expect(queue.maxBackpressureWaiters).toBe(1024);
      expect(queue.retry).toEqual({ maxAttempts: 1, backoffMs: 0 });
    },
  );

  test('maxBackpressureWaiters follows maxQueued', () => {
    const queue = WorkQueue.create('q', { maxQueued: 3 });
    expect(queue.maxBackpressureWaiters).toBe(3);
  });

  test.each([[], 1, 'x', () => {}, new Date(), new Map(), true])(
    'refuses %p as options',
    (options) => {
      expect(() => WorkQueue.create('', options)).toThrow(
        new TypeError('WorkQueue.create options must be a plain object.'),
      );
    },
  );

  test.each(['', ' a', 'a ', 'a\nb', 'a\rb', 'a\0b', 'x'.repeat(129), 7, null])(
    'refuses the name %p',
    (name) => {
      expect(() => WorkQueue.create(name, { maxQueued: 0 })).toThrow(
        new TypeError('WorkQueue name must be a non-empty stable string.'),
      );
    },
  );

  test('accepts names of 1 and of 128 characters, also twice', () => {
    for (const name of ['a', 'x'.repeat(128), 'a']) {
      expect(WorkQueue.create(name).name).toBe(name);
    }
  });

  const fields = [
    ['maxQueued', 'WorkQueue.maxQueued'],
    ['concurrency', 'WorkQueue.concurrency'],
    ['maxBackpressureWaiters', 'WorkQueue.maxBackpressureWaiters'],
    ['maxQueuedBytes', 'WorkQueue.maxQueuedBytes'],
    ['maxAttempts', 'retry.maxAttempts'],
  ];
  const values = [0, -1, 1.5, '5', null, NaN, -Infinity, true, 5n];
  test.each(
    fields.flatMap(([key, field]) =>
      values.map((value) => [key, value, field]),
    ),
  )('refuses %s: %p', (key, value, field) => {
    expect(() => WorkQueue.create('q', { [key]: value })).toThrow(
      new TypeError(`${field} must be a positive integer.`),
    );
  });

  test('Infinity is a bound on bytes only', () => {
    const queue = WorkQueue.create('q', { maxQueuedBytes: Infinity });
    expect(queue.maxQueuedBytes).toBe(Infinity);
    expect(() => WorkQueue.create('q', { maxQueued: Infinity })).toThrow(
      new TypeError('WorkQueue.maxQueued must be a positive integer.'),
    );
  });

  test.each(['drop', '', 1, {}, true])('refuses overflow: %p', (overflow) => {
    expect(() => WorkQueue.create('q', { overflow })).toThrow(
      new TypeError('WorkQueue overflow must be "reject" or "backpressure".'),
    );
  });

  test('overflow: null is the default', () => {
    expect(WorkQueue.create('q', { overflow: null }).overflow).toBe('reject');
  });

  test('later changes of the options have no effect', () => {
    const retry = { maxAttempts: 2, backoffMs: 5 };
    const options = { maxQueued: 2, retry };
    const queue = WorkQueue.create('q', options);
    options.maxQueued = 9;
    retry.maxAttempts = 9;
    expect(queue.maxQueued).toBe(2);
    expect(queue.retry.maxAttempts).toBe(2);
  });
});

describe('the handle', () => {
  test('is sealed and shows nothing of its inside', () => {
    const queue = WorkQueue.create('q');
    expect(Object.isSealed(queue)).toBe(true);
    expect(Reflect.ownKeys(queue)).toEqual([]);
    expect(Object.isFrozen(queue.retry)).toBe(true);
    expect(() => {
      queue.name = 'other';
    }).toThrow(TypeError);
  });

  test('state is a fresh frozen snapshot', async () => {
    const queue = WorkQueue.create('q', { maxQueued: 2, concurrency: 3 });
    const before = queue.state;
    expect(before).toEqual({
      name: 'q',
      stopped: false,
      queued: 0,
      active: 0,
      maxQueued: 2,
      concurrency: 3,
      overflow: 'reject',
      stats: NO_STATS,
    });
    expect(Object.isFrozen(before)).toBe(true);
    expect(Object.isFrozen(before.stats)).toBe(true);
    expect(queue.state).not.toBe(before);

    await queue.process(() => 1).enqueue(null);
    expect(before.stats).toEqual(NO_STATS);
    expect(queue.state.stats).toEqual({
      ...NO_STATS,
      enqueued: 1,
      completed: 1,
    });
  });

  test('has the hooks of the app host, not enumerable', () => {
    const queue = WorkQueue.create('jobs', { overflow: 'backpressure' });
    const seen = [];
    for (const key in queue) seen.push(key);
    expect(seen).toEqual([]);
    expect(queue.__sloppyWorkerResource).toBe('workQueue');
    expect(queue.__sloppyPlanMetadata()).toEqual({
      kind: 'workQueue',
      name: 'jobs',
      maxQueued: 1024,
      concurrency: 1,
      overflow: 'backpressure',
    });
    queue.__sloppyStartForApp();
    expect(queue.state.stopped).toBe(false);
  });

  test('the stop hook drains', async () => {
    const { queue, gates } = gatedQueue();
    const job = queue.enqueue(1);
    const stopped = queue.__sloppyStopForApp('app shutdown', {});
    gates.get(1).resolve('done');
    expect(await job).toBe('done');
    expect(await stopped).toEqual({ forced: false });
  });
});

describe('the order of checks in enqueue', () => {
  const cancelled = () => {
    const controller = new WorkerCancellationController();
    controller.cancel();
    return controller.signal;
  };
  const badPayload = () => ({ f() {} });
  const badOptions = () => ({ signal: null, timeoutMs: 0 });

  test('stopped, before everything else', async () => {
    const queue = WorkQueue.create('q');
    await queue.stop();
    const error = await rejection(queue.enqueue(badPayload(), badOptions()));
    expect(error).toBeInstanceOf(SloppyWorkerError);
    expect(error.code).toBe(Code.QueueStopped);
    expect(error.message).toBe(`${Code.QueueStopped}: work queue is stopped`);
  });

  test('no processor, before the payload', async () => {
    const queue = WorkQueue.create('q');
    const error = await rejection(queue.enqueue(badPayload(), badOptions()));
    expect(error.code).toBe(Code.QueueStopped);
    expect(error.message).toBe(
      `${Code.QueueStopped}: work queue has no processor`,
    );
  });

  test('the payload, before the options', async () => {
    const queue = WorkQueue.create('q').process(() => {});
    const error = await rejection(queue.enqueue(badPayload(), badOptions()));
    expect(error.code).toBe(Code.UnsupportedPayload);
  });

  test.each([
    [[], 'worker operation options must be a plain object.'],
    [
      { signal: null },
      'worker signal must be a Sloppy cancellation signal or AbortSignal-like object.',
    ],
    [{ timeoutMs: NaN }, 'worker timeoutMs must be finite and non-negative.'],
    [{ deadline: {} }, 'worker deadline must expose remainingMs().'],
  ])('bad options %p reject with a TypeError', async (options, text) => {
    const queue = WorkQueue.create('q').process(() => {});
    const pending = queue.enqueue(1, options);
    expect(pending).toBeInstanceOf(Promise);
    expect(await rejection(pending)).toEqual(new TypeError(text));
  });

  test('cancelled, before expired', async () => {
    const queue = WorkQueue.create('q').process(() => {});
    const options = { signal: cancelled(), timeoutMs: 0 };
    const error = await rejection(queue.enqueue(1, options));
    expect(error.message).toBe(
      `${Code.JobCancelled}: worker operation was cancelled`,
    );
  });

  test('expired and cancelled, before full', async () => {
    const { queue } = gatedQueue({ maxQueued: 1 });
    queue.enqueue(1);
    queue.enqueue(2);
    const late = await rejection(queue.enqueue(3, { timeoutMs: 0 }));
    expect(late.message).toBe(`${Code.JobTimeout}: worker operation timed out`);
    const gone = await rejection(queue.enqueue(3, { signal: cancelled() }));
    expect(gone.code).toBe(Code.JobCancelled);
    expect((await rejection(queue.enqueue(3))).code).toBe(Code.QueueFull);
    expect(queue.state.stats).toEqual({
      ...NO_STATS,
      enqueued: 2,
      overflow: 1,
    });
  });

  test('what is refused before capacity changes no statistics', async () => {
    const queue = WorkQueue.create('q');
    await rejection(queue.enqueue(1));
    queue.process(() => {});
    await rejection(queue.enqueue(1n));
    await rejection(queue.enqueue(1, []));
    await rejection(queue.enqueue(1, { signal: cancelled() }));
    await rejection(queue.enqueue(1, { timeoutMs: 0 }));
    await queue.stop();
    await rejection(queue.enqueue(1));
    expect(queue.state.stats).toEqual(NO_STATS);
  });

  test('a payload that stops the queue while it is copied', async () => {
    const handler = jest.fn();
    const queue = WorkQueue.create('q').process(handler);
    const payload = {
      get trap() {
        queue.stop();
        return 1;
      },
    };
    const error = await rejection(queue.enqueue(payload));
    expect(error.code).toBe(Code.QueueStopped);
    expect(handler).not.toHaveBeenCalled();
  });
});
