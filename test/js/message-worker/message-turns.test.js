'use strict';

// Each message comes in a turn of its own: what its listener leaves to do, in
// promises and ticks, is done before the next. Programs depend on it that wait
// for one message at a time.

const {
  createMessageWorker,
} = require('../../../lib/message-worker/message-worker.js');

const COUNT = 100;

// Posts at once as many as it is asked for, and some while it comes up.
const BURST = `
  const { parentPort } = require('node:worker_threads');
  const burst = (count) => {
    for (let i = 0; i < count; i++) parentPort.postMessage(i);
  };
  burst(${COUNT});
  parentPort.on('message', burst);`;

// Says in what order its messages and what they leave to do came.
const RECORDER = `
  const { parentPort } = require('node:worker_threads');
  const seen = [];
  parentPort.on('message', async (i) => {
    if (i === 'seen') return parentPort.postMessage(seen);
    seen.push('message ' + i);
    await null;
    await null;
    seen.push('then ' + i);
  });`;

const until = async (condition) => {
  while (!condition()) await new Promise(setImmediate);
};

async function listenTo(worker, seen) {
  worker.on('message', (i) => {
    seen.push(`message ${i}`);
    process.nextTick(() => seen.push(`tick ${i}`));
    Promise.resolve()
      .then(() => {})
      .then(() => seen.push(`then ${i}`));
  });
}

const expected = Array.from({ length: COUNT }, (_, i) => [
  `message ${i}`,
  `tick ${i}`,
  `then ${i}`,
]).flat();

test('to the owner, also what came before the worker was up', async () => {
  const worker = createMessageWorker({ source: BURST });
  const seen = [];
  listenTo(worker, seen);
  await until(() => seen.length === expected.length);
  expect(seen).toEqual(expected);
  seen.length = 0;
  worker.postMessage(COUNT);
  await until(() => seen.length === expected.length);
  expect(seen).toEqual(expected);
  await worker.terminate();
});

test('to the owner that the worker does not hold', async () => {
  const worker = createMessageWorker({ source: BURST });
  const seen = [];
  listenTo(worker, seen);
  worker.unref();
  await until(() => seen.length === expected.length);
  seen.length = 0;
  worker.postMessage(COUNT);
  await until(() => seen.length === expected.length);
  expect(seen).toEqual(expected);
  await worker.terminate();
});

test('to the worker', async () => {
  const worker = createMessageWorker({ source: RECORDER });
  for (let i = 0; i < COUNT; i++) worker.postMessage(i);
  worker.postMessage('seen');
  const seen = await new Promise((resolve) => worker.once('message', resolve));
  expect(seen).toEqual(expected.filter((line) => !line.startsWith('tick')));
  await worker.terminate();
});

test.each([
  ['the end comes after all that was said', 0],
  ['the same to an owner that was busy until then', 500],
])('%s', async (_name, busyMs) => {
  const worker = createMessageWorker({
    source: `
      const { parentPort } = require('node:worker_threads');
      for (let i = 0; i < ${COUNT}; i++) parentPort.postMessage(i);
      process.exit(3);`,
  });
  const seen = [];
  listenTo(worker, seen);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, busyMs);
  const code = await new Promise((resolve) => worker.once('exit', resolve));
  expect(code).toBe(3);
  expect(seen).toEqual(expected);
});
