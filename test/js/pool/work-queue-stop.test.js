'use strict';

jest.mock('../../../lib/base/own-time.js', () =>
  require('../support/fakeable-time.js'),
);

const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { pendingTimers } = require('../../../lib/timers/timer-heap.js');
const {
  WorkerCancellationController,
} = require('../../../lib/signals/cancellation.js');
const { WorkQueue } = require('../../../lib/pool/work-queue.js');

const STOPPED = `${Code.QueueStopped}: work queue is stopped`;
const CANCELLED = `${Code.ShutdownCancelled}: queued job was cancelled by shutdown`;
const FORCED = `${Code.ShutdownCancelled}: worker operation was cancelled by shutdown`;

const turn = () => new Promise((resolve) => process.nextTick(resolve));

/** One running, one queued and one waiting job, and what became of them. */
function busyQueue(options) {
  const runs = [];
  const log = [];
  const queue = WorkQueue.create('busy', {
    maxQueued: 1,
    overflow: 'backpressure',
    ...options,
  }).process(
    ({ data }, { signal }) =>
      new Promise((resolve) => runs.push({ data, signal, finish: resolve })),
  );
  const submit = (data, operation) => {
    queue.enqueue(data, operation).then(
      (value) => log.push([data, value]),
      (error) => log.push([data, error.message]),
    );
  };
  for (const data of ['running', 'queued', 'waiter']) submit(data);
  return { queue, runs, log, submit };
}

afterEach(() => expect(pendingTimers()).toBe(0));

describe.each([
  ['stop()', (queue) => queue.stop()],
  ['stop({ drain: true })', (queue) => queue.stop({ drain: true })],
  ['stop({ drain: null })', (queue) => queue.stop({ drain: null })],
  ['stop(null)', (queue) => queue.stop(null)],
])('%s', (_name, stop) => {
  test('finishes running and queued jobs and turns waiters away', async () => {
    const { queue, runs, log } = busyQueue();
    const stopped = stop(queue);
    expect(queue.state).toMatchObject({ stopped: true, active: 1, queued: 1 });
    await turn();
    expect(log).toEqual([['waiter', STOPPED]]);
    expect(runs[0].signal.cancelled).toBe(false);
    runs[0].finish('one');
    await turn();
    runs[1].finish('two');
    expect(await stopped).toBeUndefined();
    expect(log.slice(1)).toEqual([
      ['running', 'one'],
      ['queued', 'two'],
    ]);
    expect(queue.state.stats).toEqual({
      enqueued: 2,
      completed: 2,
      failed: 0,
      cancelled: 0,
      timedOut: 0,
      retryExhausted: 0,
      overflow: 1,
    });
    await expect(queue.enqueue(1)).rejects.toThrow(STOPPED);
  });
});

describe('stop({ drain: false })', () => {
  test('rejects queued jobs and waiters; the running one may finish', async () => {
    const { queue, runs, log } = busyQueue();
    const stopped = queue.stop({ drain: false });
    expect(queue.state).toMatchObject({ stopped: true, active: 1, queued: 0 });
    expect(queue.state.stats.cancelled).toBe(2);
    await turn();
    expect(log).toEqual([
      ['queued', CANCELLED],
      ['waiter', CANCELLED],
    ]);
    runs[0].finish('delivered');
    expect(await stopped).toBeUndefined();
    expect(log[2]).toEqual(['running', 'delivered']);
    expect(queue.state.stats).toMatchObject({
      enqueued: 2,
      completed: 1,
      cancelled: 2,
    });
  });

  test('tells running handlers by their signals', async () => {
    const { queue, runs } = busyQueue();
    const heard = [];
    runs[0].signal.addEventListener('abort', (reason) => heard.push(reason));
    const stopped = queue.stop({ drain: false });
    expect(heard).toEqual(['shutdown']);
    runs[0].finish();
    await stopped;
  });

  test('may follow a draining stop; both resolve', async () => {
    const { queue, runs, log } = busyQueue();
    const order = [];
    const first = queue.stop().then(() => order.push(1));
    const second = queue.stop({ drain: false }).then(() => order.push(2));
    const third = queue.stop().then(() => order.push(3));
    await turn();
    expect(log).toEqual([
      ['waiter', STOPPED],
      ['queued', CANCELLED],
    ]);
    expect(queue.state.stats.cancelled).toBe(1);
    runs[0].finish();
    await Promise.all([first, second, third]);
    expect(order).toEqual([1, 2, 3]);
    expect(runs).toHaveLength(1);
  });

  test('lets drain() resolve', async () => {
    const { queue, runs } = busyQueue();
    const drained = queue.drain();
    queue.stop({ drain: false });
    runs[0].finish();
    await drained;
  });

  test('a job between two attempts gets its next, with a cancelled signal', async () => {
    const signals = [];
    const queue = WorkQueue.create('q', { retry: { maxAttempts: 2 } }).process(
      (_job, { signal }) => {
        signals.push(signal);
        if (signals.length > 1) return 'done';
        queueMicrotask(() =>
          queueMicrotask(() => queue.stop({ drain: false })),
        );
        throw new Error('once');
      },
    );
    expect(await queue.enqueue(1)).toBe('done');
    expect(signals.map(({ reason }) => reason)).toEqual([
      undefined,
      'shutdown',
    ]);
  });
});

describe('stopping', () => {
  test('an idle queue resolves at once, every time', async () => {
    const queue = WorkQueue.create('q').process(() => {});
    await queue.stop();
    await queue.stop({ drain: false });
    await queue.stop({ timeoutMs: 0 });
  });

  test('a bad timeoutMs rejects and stops nothing', async () => {
    const queue = WorkQueue.create('q').process(() => 1);
    for (const timeoutMs of [-1, NaN, Infinity, '5', null]) {
      await expect(queue.stop({ timeoutMs })).rejects.toThrow(
        new TypeError('worker timeoutMs must be finite and non-negative.'),
      );
    }
    expect(queue.state.stopped).toBe(false);
  });

  test('a signal cancelled by another stop rejection is harmless', async () => {
    const { queue, runs, log, submit } = busyQueue({ maxQueued: 3 });
    const controller = new WorkerCancellationController();
    submit('later', { signal: controller.signal });
    const stopped = queue.stop({ drain: false });
    controller.cancel();
    runs[0].finish();
    await stopped;
    expect(log.filter(([name]) => name === 'later')).toEqual([
      ['later', CANCELLED],
    ]);
    expect(queue.state.stats.cancelled).toBe(3);
  });
});

describe('timeoutMs', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
  });
  afterEach(() => jest.useRealTimers());

  test('gives up on what is left', async () => {
    const { queue, runs, log } = busyQueue();
    const stopped = queue.stop({ timeoutMs: 100 });
    jest.advanceTimersByTime(99);
    expect(queue.state.active).toBe(1);
    jest.advanceTimersByTime(1);
    expect(queue.state).toMatchObject({ active: 0, queued: 0 });
    expect(await stopped).toBeUndefined();
    expect(log).toEqual([
      ['waiter', STOPPED],
      ['queued', FORCED],
      ['running', FORCED],
    ]);
    expect(runs).toHaveLength(1);
    expect(runs[0].signal.reason).toBe('shutdown');
    const { stats } = queue.state;
    expect(stats).toMatchObject({ enqueued: 2, cancelled: 2 });
    runs[0].finish('late');
    await turn();
    expect(queue.state.stats).toEqual(stats);
  });

  test('is forgotten when everything ends before', async () => {
    const { queue, runs } = busyQueue();
    const stopped = queue.stop({ drain: false, timeoutMs: 100 });
    runs[0].finish();
    await stopped;
    expect(pendingTimers()).toBe(0);
  });

  test('limits the step of the app host', async () => {
    const { queue, runs } = busyQueue();
    const stopped = queue.__sloppyStopForApp('bye', { timeoutMs: 10 });
    jest.advanceTimersByTime(10);
    expect(await stopped).toEqual({ forced: true });
    expect(runs[0].signal.reason).toBe('bye');
  });
});

const describeDispose =
  Symbol.asyncDispose === undefined ? describe.skip : describe;
describeDispose('disposal', () => {
  test('await using drains', async () => {
    const { queue, runs } = busyQueue({ maxQueued: 2 });
    const disposed = queue[Symbol.asyncDispose]();
    for (const index of [0, 1, 2]) {
      runs[index].finish();
      await turn();
    }
    await disposed;
    expect(queue.state).toMatchObject({ stopped: true, active: 0 });
  });

  test('using does not', async () => {
    const { queue, runs, log } = busyQueue();
    expect(queue[Symbol.dispose]()).toBeUndefined();
    await turn();
    expect(log).toHaveLength(2);
    runs[0].finish();
    await queue.drain();
  });
});
