'use strict';

const {
  MessageWorkerPool,
  WorkerPool,
} = require('../../../lib/adapters/message-pool.js');
const { fixture } = require('./support.js');

const SQUARE = fixture('square-worker.cjs');
const running = [];

function pool(...args) {
  const made = new WorkerPool(...args);
  running.push(made);
  return made;
}

afterEach(() => Promise.all(running.splice(0).map((one) => one.terminate())));

/** Resolves once the worker that runs now has ended. */
const anyExit = (one) =>
  new Promise((resolve) => {
    for (const worker of one.workerPool) worker.once('exit', resolve);
  });

test('one class, two names', () => {
  expect(MessageWorkerPool).toBe(WorkerPool);
});

test('starts all workers at once, one by default', () => {
  expect(pool(3, SQUARE).workerPool.size).toBe(3);
  expect(pool(undefined, SQUARE).workerPool.size).toBe(1);
  expect(pool(2, SQUARE).workerPool).toBeInstanceOf(Set);
});

test('submit resolves with the result', async () => {
  const squares = pool(2, SQUARE);
  expect(await Promise.all([2, 3, 4].map((n) => squares.submit(n)))).toEqual([
    4, 9, 16,
  ]);
});

test('the worker gets { id, data }, ids counting from 0', async () => {
  const one = pool(1, SQUARE);
  const messages = [];
  for (let i = 0; i < 3; i++) messages.push(await one.submit('message'));
  expect(messages).toEqual([
    { callbackId: 0, data: 'message' },
    { callbackId: 1, data: 'message' },
    { callbackId: 2, data: 'message' },
  ]);
});

test('workerData reaches the worker, {} by default', async () => {
  expect(await pool(1, SQUARE, { foo: 'bar' }).submit('data')).toEqual({
    foo: 'bar',
  });
  expect(await pool(1, SQUARE).submit('data')).toEqual({});
});

test.each([
  ['a string', 'plain text'],
  ['an object', { message: 'bad', extra: 1 }],
])('rejects with the very error of the worker: %s', async (_name, error) => {
  await expect(pool(1, SQUARE).submit({ error })).rejects.toEqual(error);
});

test.each([
  ['falsy results', { result: 0 }, 0],
  ['an empty text', { result: '' }, ''],
  ['false', { result: false }, false],
  ['null', { result: null }, null],
  ['a falsy error', { error: '', result: 5 }, 5],
  ['neither', {}, undefined],
])('resolves with %s', async (_name, answer, expected) => {
  expect(await pool(1, SQUARE).submit(answer)).toBe(expected);
});

test('a foreign callbackId is ignored', async () => {
  expect(await pool(1, SQUARE).submit('foreign')).toBe('right');
});

test('tasks run one per worker, in their order', async () => {
  const two = pool(2, SQUARE);
  const order = [];
  const tasks = [1, 2, 3, 4, 5].map((n) =>
    two.submit(n).then((result) => order.push(result)),
  );
  expect(two.pendingTasks).toBe(2);
  await Promise.all(tasks);
  expect(order.toSorted((a, b) => a - b)).toEqual([1, 4, 9, 16, 25]);
  expect(two.pendingTasks).toBe(0);
});

test('stop queues, resume gives out', async () => {
  const one = pool(1, SQUARE);
  one.stop();
  const task = one.submit(6);
  expect([one.pendingTasks, one.stopped]).toEqual([0, true]);
  await one.wait();
  one.resume();
  expect(one.pendingTasks).toBe(1);
  one.resume();
  expect(await task).toBe(36);
});

test('wait resolves when no task runs; what stop holds does not count', async () => {
  const one = pool(1, SQUARE);
  const running = one.submit(7);
  const queued = one.submit(8);
  one.stop();
  expect(await one.wait()).toBeUndefined();
  expect(await running).toBe(49);
  expect(one.pendingTasks).toBe(0);
  one.resume();
  await one.wait();
  expect(await queued).toBe(64);
});

test('terminate ends, repeats and settles what runs and what waits', async () => {
  const one = pool(1, SQUARE);
  const running = one.submit('loop');
  const queued = one.submit(2);
  const settled = Promise.allSettled([running, queued]);
  expect(await one.terminate()).toBe(0);
  expect(await one.terminate()).toBe(0);
  const [first, second] = await settled;
  expect(first.reason).toBeInstanceOf(Error);
  expect(first.reason.message).toBe('Worker stopped with exit code 1');
  expect(second.reason.code).toBe('SLOPPY_E_WORKER_SHUTDOWN_CANCELLED');
  expect([one.workerPool.size, one.pendingTasks]).toEqual([0, 0]);
  await expect(one.submit(3)).rejects.toMatchObject({
    code: 'SLOPPY_E_WORK_QUEUE_STOPPED',
  });
  one.resume();
  expect(one.workerPool.size).toBe(0);
});

test('await using terminates', async () => {
  const one = pool(1, SQUARE);
  await one[Symbol.asyncDispose]();
  expect(one.workerPool.size).toBe(0);
});

describe('a worker that dies', () => {
  test('by an error: the task tells, the worker is replaced', async () => {
    const one = pool(1, SQUARE);
    const died = anyExit(one);
    const [thrown, next] = await Promise.allSettled([
      one.submit('throw'),
      one.submit(5),
    ]);
    expect(thrown.reason.message).toBe('Worker error: boo');
    expect(thrown.reason.code).toBe('SLOPPY_E_WORKER_CRASHED');
    expect(next.value).toBe(25);
    await died;
    expect([one.workerPool.size, one.pendingTasks]).toEqual([1, 0]);
  });

  test.each([2, 0])('by exit code %i', async (code) => {
    const two = pool(2, SQUARE);
    await Promise.all([two.submit(1), two.submit(2)]);
    const task = two.submit({ exit: code });
    await expect(task).rejects.toThrow(`Worker stopped with exit code ${code}`);
    await two.wait();
    expect([two.workerPool.size, two.pendingTasks]).toEqual([2, 0]);
    expect(await two.submit(3)).toBe(9);
  });

  test('before it was up: tasks are told, and no restart without one', async () => {
    const one = pool(1, fixture('gone.cjs'));
    await expect(one.submit(1)).rejects.toThrow(/^Worker (error|stopped)/);
    await expect(one.submit(1)).rejects.toThrow(/^Worker (error|stopped)/);
    expect(one.workerPool.size).toBe(0);
  });
});

test('data that cannot travel rejects and leaves the worker free', async () => {
  const one = pool(1, SQUARE);
  await expect(one.submit(() => 1)).rejects.toMatchObject({
    code: 'SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD',
  });
  expect(one.pendingTasks).toBe(0);
  expect(await one.submit(3)).toBe(9);
});
