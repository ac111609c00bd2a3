'use strict';

jest.mock('../../../lib/base/own-time.js', () =>
  require('../support/fakeable-time.js'),
);

const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const {
  WorkerCancellationController,
} = require('../../../lib/signals/cancellation.js');
const { WorkQueue } = require('../../../lib/pool/work-queue.js');

const turn = () => new Promise((resolve) => process.nextTick(resolve));
const rejection = (promise) => promise.then(Promise.reject, (error) => error);

/** One slot, one place, so that the third job waits. */
function smallQueue(options) {
  const runs = [];
  const queue = WorkQueue.create('small', {
    maxQueued: 1,
    overflow: 'backpressure',
    maxBackpressureWaiters: 2,
    ...options,
  }).process(
    (job) => new Promise((resolve) => runs.push({ ...job, finish: resolve })),
  );
  return { queue, runs };
}

async function finishAll(queue, runs) {
  const drained = queue.drain();
  for (let next = 0; queue.state.active > 0; next += 1) {
    runs[next].finish(runs[next].data);
    await turn();
  }
  await drained;
}

test('a waiter is counted as overflow, not as queued or enqueued', async () => {
  const { queue, runs } = smallQueue();
  for (const data of ['a', 'b', 'c']) queue.enqueue(data);
  expect(queue.state).toMatchObject({ active: 1, queued: 1 });
  expect(queue.state.stats).toMatchObject({ enqueued: 2, overflow: 1 });
  await finishAll(queue, runs);
  expect(queue.state.stats).toMatchObject({
    enqueued: 3,
    completed: 3,
    overflow: 1,
  });
});

test('too many waiters are refused, and counted as well', async () => {
  const { queue, runs } = smallQueue();
  for (const data of [1, 2, 3, 4]) queue.enqueue(data);
  const error = await rejection(queue.enqueue(5));
  expect(error.message).toBe(
    `${Code.QueueFull}: work queue backpressure waiters are full`,
  );
  expect(queue.state.stats).toMatchObject({ enqueued: 2, overflow: 3 });
  await finishAll(queue, runs);
});

test('waiters are admitted oldest first; ids are given on admission', async () => {
  const { queue, runs } = smallQueue();
  const controller = new WorkerCancellationController();
  queue.enqueue('a');
  queue.enqueue('b');
  const gone = queue.enqueue('gone', { signal: controller.signal });
  queue.enqueue('c');
  controller.cancel();
  queue.enqueue('d');
  await finishAll(queue, runs);
  expect((await rejection(gone)).code).toBe(Code.JobCancelled);
  expect(runs.map(({ id, data }) => [id, data])).toEqual([
    [1, 'a'],
    [2, 'b'],
    [3, 'c'],
    [4, 'd'],
  ]);
});

test('a fresh submission never overtakes a waiter', async () => {
  const { queue, runs } = smallQueue();
  const first = queue.enqueue('first');
  queue.enqueue('queued');
  queue.enqueue('waiter');
  // Submitted in the very reaction to the completion that makes room.
  const barging = first.then(() => {
    expect(queue.state).toMatchObject({ active: 1, queued: 1 });
    return queue.enqueue('fresh');
  });
  runs[0].finish();
  await first;
  await finishAll(queue, runs);
  await barging;
  expect(runs.map(({ data }) => data)).toEqual([
    'first',
    'queued',
    'waiter',
    'fresh',
  ]);
});

test('a handler that starts on a free place queues behind the waiters', async () => {
  const order = [];
  const queue = WorkQueue.create('q', {
    maxQueued: 1,
    overflow: 'backpressure',
  });
  queue.process(({ data }) => {
    order.push(data);
    if (data === 'queued') queue.enqueue('from inside');
  });
  for (const data of ['first', 'queued', 'waiter']) queue.enqueue(data);
  await queue.drain();
  expect(order).toEqual(['first', 'queued', 'waiter', 'from inside']);
});

test('a waiter keeps the payload as it was', async () => {
  const { queue, runs } = smallQueue();
  const data = { n: 1 };
  queue.enqueue(null);
  queue.enqueue(null);
  queue.enqueue(data);
  data.n = 2;
  await finishAll(queue, runs);
  expect(runs[2].data).toEqual({ n: 1 });
});

test('a cancelled waiter frees its waiting place at once', async () => {
  const { queue, runs } = smallQueue();
  const controller = new WorkerCancellationController();
  queue.enqueue(1);
  queue.enqueue(2);
  const waiter = queue.enqueue(3, { signal: controller.signal });
  queue.enqueue(4);
  controller.cancel('secret');
  expect(queue.state.stats).toMatchObject({ enqueued: 2, cancelled: 1 });
  const accepted = queue.enqueue(5);
  expect((await rejection(waiter)).message).toBe(
    `${Code.JobCancelled}: worker operation was cancelled`,
  );
  await finishAll(queue, runs);
  expect(await accepted).toBe(5);
  expect(runs.map(({ data }) => data)).toEqual([1, 2, 4, 5]);
});

test('an expired waiter frees its waiting place at once', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
  try {
    const { queue, runs } = smallQueue({ maxBackpressureWaiters: 1 });
    queue.enqueue(1);
    queue.enqueue(2);
    const waiter = queue.enqueue(3, { timeoutMs: 20 });
    jest.advanceTimersByTime(20);
    expect(queue.state.stats).toMatchObject({ enqueued: 2, timedOut: 1 });
    expect((await rejection(waiter)).message).toBe(
      `${Code.JobTimeout}: worker operation timed out`,
    );
    queue.enqueue(4);
    await finishAll(queue, runs);
    expect(runs.map(({ data }) => data)).toEqual([1, 2, 4]);
  } finally {
    jest.useRealTimers();
  }
});

test('signal and deadline are checked again on admission', async () => {
  const { queue, runs } = smallQueue();
  const signal = { aborted: false };
  queue.enqueue(1);
  queue.enqueue(2);
  const waiter = queue.enqueue(3, { signal });
  const other = queue.enqueue(4);
  signal.aborted = true;
  runs[0].finish();
  await turn();
  expect((await rejection(waiter)).code).toBe(Code.JobCancelled);
  expect(queue.state).toMatchObject({ active: 1, queued: 1 });
  expect(queue.state.stats).toMatchObject({ enqueued: 3, cancelled: 1 });
  await finishAll(queue, runs);
  expect(await other).toBe(4);
});

test('a queued job that is cancelled lets the next waiter in', async () => {
  const { queue, runs } = smallQueue();
  const controller = new WorkerCancellationController();
  queue.enqueue(1);
  rejection(queue.enqueue(2, { signal: controller.signal }));
  queue.enqueue(3);
  controller.cancel();
  expect(queue.state).toMatchObject({ active: 1, queued: 1 });
  expect(queue.state.stats).toMatchObject({ enqueued: 3, cancelled: 1 });
  await finishAll(queue, runs);
  expect(runs.map(({ data }) => data)).toEqual([1, 3]);
});

test('drain includes the waiters', async () => {
  const { queue, runs } = smallQueue();
  const last = [1, 2, 3].map((data) => queue.enqueue(data))[2];
  let drained = false;
  const drain = queue.drain().then(() => {
    drained = true;
  });
  runs[0].finish();
  await turn();
  runs[1].finish();
  await turn();
  expect(drained).toBe(false);
  runs[2].finish('last');
  expect(await last).toBe('last');
  await drain;
});

test('a waiter too large for the bytes blocks those behind it', async () => {
  const { queue, runs } = smallQueue({ maxQueued: 9, maxQueuedBytes: 100 });
  const controller = new WorkerCancellationController();
  const large = new Uint8Array(500);
  queue.enqueue('first');
  rejection(queue.enqueue(large, { signal: controller.signal }));
  queue.enqueue('small');
  expect(queue.state).toMatchObject({ active: 1, queued: 0 });
  controller.cancel();
  expect(queue.state).toMatchObject({ active: 1, queued: 1 });
  queue.enqueue(large);
  await finishAll(queue, runs);
  expect(runs.map(({ data }) => data)).toEqual(['first', 'small', large]);
});

test('a job that starts makes room for the bytes of a waiter', async () => {
  const { queue, runs } = smallQueue({ maxQueued: 9, maxQueuedBytes: 100 });
  const bytes = new Uint8Array(80);
  queue.enqueue('first');
  queue.enqueue(bytes);
  queue.enqueue(bytes);
  expect(queue.state).toMatchObject({ active: 1, queued: 1 });
  runs[0].finish();
  await turn();
  expect(queue.state).toMatchObject({ active: 1, queued: 1 });
  expect(queue.state.stats.enqueued).toBe(3);
  await finishAll(queue, runs);
});
