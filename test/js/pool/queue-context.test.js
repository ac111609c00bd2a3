'use strict';

// A file of its own: once a store has been used, Node 20 and 22 keep contexts
// with hooks, in every test that follows.

const { AsyncLocalStorage, createHook } = require('node:async_hooks');

const { WorkQueue } = require('../../../lib/pool/work-queue.js');

/** A queue that notes, for each job, what `read` says inside its handler. */
function noting(read) {
  const seen = [];
  const queue = WorkQueue.create('q').process(async ({ data }) => {
    await null;
    seen.push([data, read()]);
  });
  return { queue, seen };
}

test('a store that is first used while jobs wait is for those after it', async () => {
  const storage = new AsyncLocalStorage();
  const { queue, seen } = noting(() => storage.getStore());
  queue.enqueue('started');
  queue.enqueue('before');
  storage.run('mine', () => queue.enqueue('mine'));
  storage.run('yours', () => queue.enqueue('yours'));
  storage.run('mine', () => queue.enqueue('mine'));
  queue.enqueue(undefined);
  await queue.drain();
  expect(seen).toEqual([
    ['started', undefined],
    ['before', undefined],
    ['mine', 'mine'],
    ['yours', 'yours'],
    ['mine', 'mine'],
    [null, undefined],
  ]);
  storage.disable();
});

test('two stores, one after the other changed', async () => {
  const one = new AsyncLocalStorage();
  const two = new AsyncLocalStorage();
  const { queue, seen } = noting(() => [one.getStore(), two.getStore()]);
  queue.enqueue(0);
  one.run(1, () => {
    queue.enqueue(1);
    two.run(2, () => queue.enqueue(2));
    queue.enqueue(3);
  });
  await queue.drain();
  expect(seen.map(([, stores]) => stores)).toEqual([
    [undefined, undefined],
    [1, undefined],
    [1, 2],
    [1, undefined],
  ]);
  one.disable();
  two.disable();
});

test('with hooks, each waiting job is a resource of its own', async () => {
  const made = [];
  const hook = createHook({
    init(id, type) {
      if (type === 'SloppyWorkQueueJob') made.push(id);
    },
  }).enable();
  const { queue } = noting(() => undefined);
  for (let n = 0; n < 4; n++) queue.enqueue(n);
  await queue.drain();
  hook.disable();
  expect(new Set(made).size).toBe(3);
});

test('a queue that is empty holds no store', async () => {
  const { queue } = noting(() => undefined);
  const storage = new AsyncLocalStorage();
  const held = storage.run({ big: true }, () => {
    queue.enqueue(1);
    queue.enqueue(2);
    return new WeakRef(storage.getStore());
  });
  await queue.drain();
  storage.disable();
  const { setFlagsFromString } = require('node:v8');
  const { runInNewContext } = require('node:vm');
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc');
  // The realms of the tests that follow here would have it otherwise.
  setFlagsFromString('--no-expose-gc');
  for (let n = 0; n < 20 && held.deref() !== undefined; n++) {
    await new Promise((resolve) => setImmediate(resolve));
    gc();
  }
  expect(held.deref()).toBeUndefined();
});
