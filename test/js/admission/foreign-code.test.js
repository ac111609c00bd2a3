'use strict';
// Foreign code that calls back where the library does not expect it: found by
// test/sim-js, one test for each.

const { WorkerPool, WorkQueue } = require('../../../lib/index.js');
const { subscribe } = require('../../../lib/signals/any-signal.js');

const codeOf = (promise) =>
  promise.then(
    () => 'fulfilled',
    (error) => error.code,
  );

/** A foreign signal whose members run `on.read` and `on.add`. */
function foreignSignal(on = {}) {
  const listeners = new Set();
  return {
    listeners,
    isCancelled: false,
    get aborted() {
      on.read?.();
      return this.isCancelled;
    },
    addEventListener(_type, listener) {
      on.add?.();
      listeners.add(listener);
    },
    removeEventListener: (_type, listener) => listeners.delete(listener),
    cancel() {
      this.isCancelled = true;
      for (const listener of [...listeners]) listener();
    },
  };
}

test('a signal whose first listener is refused tells a later one', () => {
  let told = 0;
  const on = {
    add() {
      on.add = undefined;
      subscribe(signal, () => {
        told += 1;
      });
      throw new Error('no room');
    },
  };
  const signal = foreignSignal(on);
  expect(() => subscribe(signal, () => {})).toThrow('no room');
  signal.cancel();
  expect(told).toBe(1);
});

test('a signal that is cancelled while it is subscribed to is told of', () => {
  const on = { add: () => signal.cancel() };
  const signal = foreignSignal(on);
  let told = 0;
  expect(
    subscribe(signal, () => {
      told += 1;
    }),
  ).toBeNull();
  expect(told).toBe(1);
  expect(signal.listeners.size).toBe(0);
});

test('a listener that was added twice over leaves with its subscriber', () => {
  const on = {
    add() {
      on.add = undefined;
      subscribe(signal, () => {}).remove();
    },
  };
  const signal = foreignSignal(on);
  subscribe(signal, () => {}).remove();
  expect(signal.listeners.size).toBe(0);
});

/**
 * An input that is read again when its job is sent, because subscribing to the
 * signal has encoded another one. `again` runs then.
 */
function readTwice(pool, again) {
  const signal = foreignSignal({
    add: () => pool.run(({ input }) => input, { input: 'other' }),
  });
  let reads = 0;
  const input = {
    get value() {
      reads += 1;
      if (reads > 1) again(signal);
      return 1;
    },
  };
  return { input, signal, readings: () => reads };
}

test('a waiter that its own input cancels settles once', async () => {
  const pool = WorkerPool.create('own-input', {
    workers: 1,
    maxQueued: 1,
    overflow: 'backpressure',
    maxBackpressureWaiters: 4,
  });
  const { input, signal, readings } = readTwice(pool, () => {
    signal.cancel();
    throw new Error('unreadable');
  });
  try {
    const jobs = [pool.run(() => 1), pool.run(() => 2)];
    const run = pool.run(({ input: given }) => given, { input, signal });
    expect(await codeOf(run)).toBe('SLOPPY_E_WORK_JOB_CANCELLED');
    expect(readings()).toBeGreaterThan(1);
    await Promise.all(jobs);
    await pool.drain();
    const { cancelled, refused, submitted } = pool.metrics().counters;
    expect({ cancelled, refused, submitted }).toEqual({
      cancelled: 1,
      refused: 0,
      submitted: 4,
    });
  } finally {
    await pool.stop();
  }
});

test('a waiter whose input cannot be copied leaves its key', async () => {
  const pool = WorkerPool.create('leaves', {
    workers: 1,
    maxQueued: 1,
    overflow: 'backpressure',
    maxBackpressureWaiters: 4,
  });
  const { input, signal } = readTwice(pool, () => {
    throw new Error('unreadable');
  });
  try {
    const jobs = [pool.run(() => 1), pool.run(() => 2)];
    const run = pool.run(({ input: given }) => given, {
      input,
      signal,
      key: 'mine',
    });
    expect(await codeOf(run)).toBe(
      'SLOPPY_E_WORKER_MESSAGE_SERIALIZATION_FAILED',
    );
    await Promise.all(jobs);
    await pool.drain();
    expect(pool.metrics().keys).toEqual({ active: 0, held: 0 });
  } finally {
    await pool.stop();
  }
});

test('a job whose input cannot be read again is refused', async () => {
  const pool = WorkerPool.create('again', { workers: 1, maxQueued: 8 });
  const { input, signal } = readTwice(pool, () => {
    throw new Error('unreadable');
  });
  try {
    const run = pool.run(({ input: given }) => given, { input, signal });
    expect(await codeOf(run)).toBe(
      'SLOPPY_E_WORKER_MESSAGE_SERIALIZATION_FAILED',
    );
    await pool.drain();
    const { active, queued, stats } = pool.state.queue;
    expect({ active, queued }).toEqual({ active: 0, queued: 0 });
    // The other one.
    expect(stats.enqueued).toBe(1);
    expect(signal.listeners.size).toBe(0);
  } finally {
    await pool.stop();
  }
});

test('a job that its own input cancels does not run', async () => {
  const pool = WorkerPool.create('never-runs', { workers: 1, maxQueued: 8 });
  const { input, signal, readings } = readTwice(pool, () => signal.cancel());
  const messages = [];
  try {
    const run = pool.run(({ emit }) => emit('it runs'), {
      input,
      signal,
      onMessage: (message) => messages.push(message),
    });
    expect(await codeOf(run)).toBe('SLOPPY_E_WORK_JOB_CANCELLED');
    expect(readings()).toBe(2);
    await pool.drain();
    expect(pool.state.queue).toMatchObject({ active: 0, queued: 0 });
    expect(messages).toEqual([]);
  } finally {
    await pool.stop();
  }
});

test('stop resolves though a signal throws when it is read', async () => {
  const pool = WorkerPool.create('thrower', { workers: 1, maxQueued: 8 });
  const on = {};
  const signal = foreignSignal(on);
  // The first makes the signal known, so that the second is a plain job.
  const jobs = [
    pool.run(() => 1, { signal }),
    pool.run(() => 2, { signal }),
    pool.run(() => 3, { signal }),
  ];
  on.read = () => {
    throw new Error('unreadable');
  };
  const settled = Promise.allSettled(jobs);
  await expect(pool.stop({ drain: false })).resolves.toBeDefined();
  await settled;
  expect(signal.listeners.size).toBe(0);
});

test('a queued waiter gets the bytes that a start has freed', async () => {
  const queue = WorkQueue.create('bytes', {
    concurrency: 2,
    maxQueued: 4,
    maxQueuedBytes: 60,
    overflow: 'backpressure',
  });
  queue.process(() => new Promise(() => {}));
  const data = 'x'.repeat(20);
  let isFirst = true;
  const signal = foreignSignal({
    read() {
      if (!isFirst || queue.state.active + queue.state.queued === 0) return;
      isFirst = false;
      queue.enqueue(data).catch(() => {});
      queue.enqueue(data).catch(() => {});
    },
  });
  queue.enqueue(data, { signal }).catch(() => {});
  expect(queue.state).toMatchObject({ active: 2, queued: 1 });
  await queue.stop({ drain: false, timeoutMs: 0 });
});
