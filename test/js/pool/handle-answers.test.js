'use strict';
// Answers that methods of handles give at once, before any job has run.

const { subscribe, unsubscribe } = require('node:diagnostics_channel');

const { Worker, WorkQueue } = require('../../../lib/index.js');
const {
  createPool,
  moduleFile,
  stopAll,
} = require('../conformance/support.js');

afterEach(stopAll);

test.each([[5], [null], [{}], [undefined]])('stream(%p)', (fn) => {
  const pool = createPool();
  expect(() => pool.stream(fn)).toThrow(TypeError);
});

test('onIdle resolves as drain does', async () => {
  const pool = createPool();
  let isOver = false;
  pool
    .run(() => 1)
    .then(() => {
      isOver = true;
    });
  const idle = pool.onIdle();
  expect(idle).toBeInstanceOf(Promise);
  expect(await idle).toBeUndefined();
  expect(isOver).toBe(true);
});

test.each([
  [{}, 2 * 3],
  [{ concurrentJobsPerWorker: 2 }, 2 * 3 * 2],
  [{ maxQueued: 1 }, 3 + 1],
])('map reads that far ahead with %p', async (options, expected) => {
  const pool = createPool({ workers: 3, ...options });
  let reads = 0;
  const source = {
    [Symbol.iterator]: () => ({
      next: () => {
        reads += 1;
        return { done: false, value: reads };
      },
    }),
  };
  pool.pause();
  const results = pool.map(source, ({ input }) => input);
  const first = results.next();
  for (let turn = 0; turn < 20; turn += 1) await null;
  expect(reads).toBe(expected);
  pool.resume();
  expect(await first).toEqual({ done: false, value: 1 });
  await results.return();
});

test.each([
  [{ metrics: true }, 1],
  [{}, 0],
])('a Worker with %p measures from then on', async (options, count) => {
  const path = moduleFile('export const one = () => 1;');
  const worker = await Worker.start(path, options);
  expect(await worker.invoke('one')).toBe(1);
  const { histograms } = worker.metrics();
  const [run] = Object.values(histograms);
  expect(run.count).toBe(count);
  await worker.stop();
});

test('a shared value is released at the end of its block', () => {
  const pool = createPool();
  const value = pool.share('rates', [1, 2]);
  expect([value.name, value.released]).toEqual(['rates', false]);
  expect(value.bytes).toBeGreaterThan(0);
  expect(value[Symbol.dispose]()).toBeUndefined();
  expect([value.released, value.bytes]).toEqual([true, 0]);
  value.release();
  expect(() => value.update(1)).toThrow('was released');
  expect(pool.share('rates', 1).released).toBe(false);
});

describe('a method without its handle', () => {
  const module = 'export const one = () => 1;';
  const handles = {
    WorkerPool: () => createPool(),
    SharedValue: () => createPool().share('a', 1),
    Worker: () => Worker.start(moduleFile(module)),
    WorkQueue: () => WorkQueue.create('q'),
  };

  test.each(Object.keys(handles))('of %s is refused', async (name) => {
    const handle = await handles[name]();
    const prototype = Object.getPrototypeOf(handle);
    const text = 'must be called as a method of its handle.';
    for (const key of Object.getOwnPropertyNames(prototype)) {
      const { value } = Object.getOwnPropertyDescriptor(prototype, key);
      if (typeof value !== 'function' || key === 'constructor') continue;
      if (key.startsWith('__sloppy')) continue;
      for (const other of [
        null,
        undefined,
        1,
        {},
        'text',
        Object.create(handle),
      ]) {
        const call = async () => value.call(other);
        await expect(call()).rejects.toMatchObject({
          name: 'TypeError',
          message: `${name}.${key} ${text}`,
        });
      }
    }
    await handle.stop?.();
  });
});

test('a Worker that has started is told of', async () => {
  const told = [];
  const hear = (message) => told.push(message);
  const channel = 'sloppy-workers:pool:created';
  subscribe(channel, hear);
  const worker = await Worker.start(moduleFile('export const one = 1;'));
  unsubscribe(channel, hear);
  expect(told.map(({ resource }) => resource)).toEqual([worker]);
  await worker.stop();
});
