'use strict';
// `threadId` of node:worker_threads, of which names and seeds are made.

const {
  createMessageWorker,
} = require('../../../lib/message-worker/message-worker.js');
const { createPool, stopAll } = require('./support.js');

afterEach(stopAll);

test('workers that live at the same time have different ones', async () => {
  let here = 0;
  let all;
  const met = new Promise((resolve) => {
    all = resolve;
  });
  const meet = () => {
    here += 1;
    if (here === 6) all();
    return met;
  };
  const own = async ({ host }) => {
    const { threadId } = await import('node:worker_threads');
    await host.meet();
    return threadId;
  };
  const pools = ['isolate', 'thread'].map((runtime) =>
    createPool({ runtime, workers: 3, host: { meet } }),
  );
  const jobs = pools.flatMap((pool) => [1, 2, 3].map(() => pool.run(own)));
  const ids = await Promise.all(jobs);
  const worker = createMessageWorker({
    runtime: 'isolate',
    source: `const { parentPort, threadId } = require('node:worker_threads');
      parentPort.postMessage(threadId);`,
  });
  ids.push(await new Promise((resolve) => worker.on('message', resolve)));
  await worker.terminate();
  expect(new Set(ids).size).toBe(7);
  for (const id of ids) {
    expect(Number.isInteger(id) && id > 0).toBe(true);
  }
});

test('a worker keeps its own', async () => {
  const pool = createPool();
  const own = async () => (await import('node:worker_threads')).threadId;
  const first = await pool.run(own);
  expect(await pool.run(own)).toBe(first);
});
