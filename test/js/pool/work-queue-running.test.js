'use strict';
// Handlers of a `WorkQueue`: the order and the ends of its jobs.

jest.mock('../../../lib/base/own-time.js', () =>
  require('../support/fakeable-time.js'),
);

const { AsyncLocalStorage } = require('node:async_hooks');

const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { WorkQueue } = require('../../../lib/pool/work-queue.js');
const { NO_STATS, gatedQueue, rejection } = require('./queue-support.js');

describe('process', () => {
  test('returns the queue', () => {
    const queue = WorkQueue.create('q');
    expect(queue.process(() => {})).toBe(queue);
  });

  test.each([undefined, null, {}, 'f'])('refuses %p', (handler) => {
    const queue = WorkQueue.create('q');
    const refusal = new TypeError('WorkQueue.process requires a job handler.');
    expect(() => queue.process(handler)).toThrow(refusal);
    queue.process(() => {});
    expect(() => queue.process(handler)).toThrow(refusal);
  });

  test('may be called once', () => {
    const queue = WorkQueue.create('q').process(() => {});
    expect(() => queue.process(() => {})).toThrow(
      new TypeError('WorkQueue.process may only be called once.'),
    );
  });

  test('is not guarded by stop', async () => {
    const queue = WorkQueue.create('q');
    await queue.stop();
    expect(queue.process(() => {})).toBe(queue);
  });
});

describe('running', () => {
  test('begins inside enqueue when idle, and is active until later', () => {
    const begun = [];
    const queue = WorkQueue.create('q').process(({ id }) => {
      begun.push(id);
    });
    queue.enqueue(1);
    queue.enqueue(2);
    expect(begun).toEqual([1]);
    expect(queue.state).toMatchObject({ active: 1, queued: 1 });
    expect(queue.state.stats).toMatchObject({ enqueued: 2, completed: 0 });
  });

  test('the handler gets a frozen job and context and no this', async () => {
    let seen;
    const queue = WorkQueue.create('q').process(function handler(...args) {
      seen = { args, self: this };
    });
    await queue.enqueue({ n: 1 });
    const [job, context] = seen.args;
    expect(seen.args).toHaveLength(2);
    expect(seen.self).toBeUndefined();
    expect(job).toEqual({ id: 1, data: { n: 1 }, attempt: 1 });
    expect(Object.isFrozen(job)).toBe(true);
    expect(Object.isFrozen(job.data)).toBe(false);
    expect(Object.keys(context)).toEqual(['signal', 'deadline', 'attempt']);
    expect(context.deadline).toBeUndefined();
    expect(context.attempt).toBe(1);
    expect(context.signal.cancelled).toBe(false);
    expect(Object.isFrozen(context)).toBe(true);
  });

  test('the context shows the deadline it was given', async () => {
    const deadline = { remainingMs: () => 60_000 };
    const queue = WorkQueue.create('q').process((_job, context) => [
      context.deadline,
    ]);
    expect((await queue.enqueue(1, { deadline }))[0]).toBe(deadline);
  });

  test('the payload is a private copy, taken at once', async () => {
    const { queue, gates } = gatedQueue();
    queue.enqueue(0);
    const seen = [];
    const other = WorkQueue.create('q').process(({ data }) => seen.push(data));
    const data = { list: [1] };
    other.enqueue(null);
    const done = other.enqueue(data);
    data.list.push(2);
    await done;
    expect(seen[1]).toEqual({ list: [1] });
    gates.get(1).resolve();
  });

  test('results are passed by reference, whatever they are', async () => {
    const results = [undefined, null, () => {}, new Map(), Symbol('s'), 1n];
    const queue = WorkQueue.create('q').process(({ data }) => results[data]);
    for (const [index, result] of results.entries()) {
      expect(await queue.enqueue(index)).toBe(result);
    }
  });

  test('ids count admissions from 1; jobs run in order', async () => {
    const order = [];
    const queue = WorkQueue.create('q').process(async ({ id, data }) => {
      order.push([id, data]);
      await null;
    });
    await Promise.all(['a', 'b', 'c'].map((data) => queue.enqueue(data)));
    expect(order).toEqual([
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
    ]);
  });

  test('no more than concurrency handlers run at once', async () => {
    const { queue, gates } = gatedQueue({ concurrency: 2, maxQueued: 3 });
    const jobs = [1, 2, 3, 4, 5].map((n) => queue.enqueue(n));
    expect([...gates.keys()]).toEqual([1, 2]);
    expect(queue.state).toMatchObject({ active: 2, queued: 3 });
    expect((await rejection(queue.enqueue(6))).code).toBe(Code.QueueFull);
    gates.get(2).resolve();
    await jobs[1];
    expect([...gates.keys()]).toEqual([1, 2, 3]);
    expect(queue.state).toMatchObject({ active: 2, queued: 2 });
  });

  test('a handler may enqueue and see itself active', async () => {
    const states = [];
    const queue = WorkQueue.create('q').process(({ data }) => {
      states.push([queue.state.active, queue.state.queued]);
      if (data > 0) return queue.enqueue(data - 1) && data;
      return 'last';
    });
    await queue.enqueue(2);
    await queue.drain();
    expect(states).toEqual([
      [1, 0],
      [1, 0],
      [1, 0],
    ]);
    expect(queue.state.stats.completed).toBe(3);
  });

  test('each handler sees the async context of its caller', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
    const storage = new AsyncLocalStorage();
    const seen = [];
    const queue = WorkQueue.create('q', {
      maxQueued: 1,
      overflow: 'backpressure',
      retry: { maxAttempts: 3, backoffMs: (attempt) => attempt - 1 },
    }).process(async ({ data, attempt }) => {
      seen.push([data, storage.getStore()]);
      await null;
      if (attempt < 3) throw new Error('again');
    });
    for (const name of ['started', 'queued', 'waiter']) {
      storage.run(name, () => queue.enqueue(name));
    }
    while (queue.state.active > 0) {
      await new Promise((resolve) => process.nextTick(resolve));
      jest.advanceTimersByTime(1);
    }
    jest.useRealTimers();
    expect(seen).toHaveLength(9);
    expect(seen.filter(([data, store]) => data !== store)).toEqual([]);
  });

  test('a full queue refuses and counts it', async () => {
    const { queue } = gatedQueue({ maxQueued: 1 });
    queue.enqueue(1);
    queue.enqueue(2);
    const error = await rejection(queue.enqueue(3));
    expect(error.message).toBe(`${Code.QueueFull}: work queue is full`);
    expect(queue.state.stats).toEqual({
      ...NO_STATS,
      enqueued: 2,
      overflow: 1,
    });
  });

  test('maxQueuedBytes counts what waits to run', async () => {
    const { queue, gates } = gatedQueue({ maxQueuedBytes: 1000 });
    const running = queue.enqueue(new Uint8Array(5000));
    queue.enqueue(new Uint8Array(600));
    const error = await rejection(queue.enqueue(new Uint8Array(600)));
    expect(error.message).toBe(`${Code.QueueFull}: work queue is full`);
    queue.enqueue(new Uint8Array(300));
    gates.get(1).resolve();
    await running;
    queue.enqueue(new Uint8Array(600));
    expect(queue.state).toMatchObject({ active: 1, queued: 2 });
  });

  test('drain resolves when nothing is left, and stays open', async () => {
    const { queue, gates } = gatedQueue();
    const order = [];
    await queue.drain();
    const first = queue.enqueue(1).then(() => order.push('first'));
    const drained = [queue.drain(), queue.drain()].map((promise) =>
      promise.then((value) => order.push(value)),
    );
    const second = queue.enqueue(2).then(() => order.push('second'));
    gates.get(1).resolve();
    await first;
    gates.get(2).resolve();
    await Promise.all([second, ...drained]);
    expect(order).toEqual(['first', 'second', undefined, undefined]);
    expect(queue.state.stopped).toBe(false);
  });
});
