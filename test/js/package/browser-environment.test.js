/** @jest-environment ./test/js/support/browser-environment.js */
'use strict';
// Jest's jsdom environment: no structuredClone, and timers that are numbers.

const { join } = require('node:path');

const { Worker, WorkerPool } = require('../../../lib/index.js');
const { rejection } = require('../support/promises.js');
const { folderWith, removeFolders } = require('../modules/support.js');

afterEach(removeFolders);

test('it is what it says', () => {
  expect(globalThis.structuredClone).toBeUndefined();
  expect(typeof setTimeout(() => {}, 0)).toBe('number');
});

test.each(['isolate', 'thread'])('a pool with runtime %s', async (runtime) => {
  const pool = WorkerPool.create('browser', {
    runtime,
    workers: 2,
    idleTimeoutMs: 20,
  });
  const { buffer } = new Uint8Array(8);
  const length = await pool.run(({ input }) => input.byteLength, {
    input: buffer,
    transfer: [buffer],
    timeoutMs: 30_000,
  });
  expect([length, buffer.byteLength]).toEqual([8, 0]);
  const late = pool.run(() => new Promise(() => setTimeout(() => {}, 1e6)), {
    timeoutMs: 20,
  });
  expect((await rejection(late)).code).toBe('SLOPPY_E_WORK_JOB_TIMEOUT');
  const idle = new Promise((resolve) => pool.once('workerExit', resolve));
  await Promise.all([pool.run(() => 1), pool.run(() => 2)]);
  await idle;
  await pool.stop();
});

test.each(['isolate', 'thread'])(
  'a Worker with runtime %s',
  async (runtime) => {
    const folder = folderWith({
      'tasks.mjs': 'export const init = () => 1; export const run = (n) => n;',
    });
    const worker = await Worker.start(join(folder, 'tasks.mjs'), {
      runtime,
      init: {},
    });
    expect(await worker.invoke('run', [1])).toEqual([1]);
    await worker.stop();
  },
);
