'use strict';

const { run } = require('./documented.js');

// Each test starts processes, on machines that may be busy.
jest.setTimeout(240_000);

const HANDLERS = `
  exports.plus = ({ left, right }) => left + right;
  exports.times = async ({ left, right }) => left * right;
`;

test('the handlers of the contracts, in a Scheduler', async () => {
  const results = await run({
    'handlers.js': HANDLERS,
    'main.mjs': `
      import path from 'node:path';
      import { Scheduler } from 'sloppy-workers/scheduler';
      const file = path.join(import.meta.dirname ?? process.cwd(), 'handlers.js');
      const scheduler = new Scheduler(2, file);
      scheduler.start();
      const tasks = [['plus', { left: 2, right: 3 }],
        ['times', { left: 2, right: 3 }], ['request', {}], ['minus', {}]];
      for (const [type, payload] of tasks) {
        const answer = await scheduler.runTask(type, payload).catch((e) => e);
        console.log(answer?.message ?? answer);
      }
      await scheduler.stop();`,
  });
  expect(results).toMatchObject({ code: 0, stderr: '' });
  const unknown = 'Task minus failed: Unknown task type "minus"';
  expect(results.lines).toEqual(['5', '6', 'undefined', unknown]);
});

// A worker with nothing but the messages of the contracts.
const WORKER = `
  const { parentPort, workerData } = require('node:worker_threads');
  parentPort.on('message', ({ id, data }) => {
    const { fail, leave, crash, x } = data;
    if (leave) process.exit(leave);
    if (crash) throw new Error(crash);
    if (fail) parentPort.postMessage({ callbackId: id, error: fail });
    else parentPort.postMessage({ callbackId: id, result: x * workerData.by });
  });
`;

test('a worker of the contracts, in a WorkerPool', async () => {
  const results = await run({
    'worker.js': WORKER,
    'main.mjs': `
      import { WorkerPool } from 'sloppy-workers/pool';
      const pool = new WorkerPool(2, process.cwd() + '/worker.js', { by: 2 });
      const failed = (data) => pool.submit(data).catch((error) => error);
      const done = await Promise.all([1, 2, 3].map((x) => pool.submit({ x })));
      const answers = [
        done,
        await failed({ fail: 'text' }),
        await failed({ fail: { message: 'no', why: [1] } }),
        String(await failed({ leave: 3 })),
        String(await failed({ crash: 'boom' })),
        await pool.submit({ x: 21 }),
      ];
      pool.stop();
      let stopped = true;
      const queued = pool.submit({ x: 4 }).then((value) => [value, stopped]);
      await new Promise((resolve) => setTimeout(resolve, 20));
      stopped = false;
      pool.resume();
      answers.push(await queued, await pool.wait(), await pool.terminate());
      console.log(JSON.stringify(answers));`,
  });
  expect(results).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(results.lines.at(-1))).toEqual([
    [2, 4, 6],
    'text',
    { message: 'no', why: [1] },
    'Error: Worker stopped with exit code 3',
    'Error: Worker error: boom',
    42,
    [8, false],
    null,
    0,
  ]);
});

test('the public API of the workers page', async () => {
  const results = await run({
    'doubled.mjs': 'export const doubled = (x) => x * 2;',
    'main.mjs': `
      import {
      BackgroundService,
      WorkQueue,
      WorkerPool,
      Worker
      } from "sloppy/workers";
      let signal;
      const service = BackgroundService.create('service', (ctx) => {
        signal = ctx.signal;
        return new Promise((resolve) => {
          signal.addEventListener('abort', resolve);
        });
      });
      const queue = WorkQueue.create('queue', { overflow: 'reject' })
        .process((job) => job.data + 1);
      const pool = WorkerPool.create('pool');
      const worker = await Worker.start('./doubled.mjs');
      await service.start();
      console.log(
        await queue.enqueue(1),
        await pool.run(({ input }) => input * 3, { input: 2 }),
        await worker.invoke('doubled', 4),
        signal.cancelled,
      );
      await service.stop();
      console.log(signal.cancelled);
      await queue.stop({ drain: true });
      await pool.stop({ drain: false });
      await worker.stop({ drain: true });`,
  });
  expect(results).toMatchObject({ code: 0, stderr: '' });
  expect(results.lines).toEqual(['2 6 8 false', 'true']);
});
