'use strict';
// A value that a listener of the caller's throws is the same warning: it never
// ends the process, nor takes anything from jobs and other listeners.

const { WorkerCancellationController } = require('../../../lib/index.js');
const { CancellationController } = require('../../../lib/time.js');
const {
  createMessageWorker,
} = require('../../../lib/message-worker/message-worker.js');
const { createPool, runtime, startWorker, stopAll } = require('./support.js');

// Workers that speak by messages are isolates or threads.
const testOfMessages = runtime === 'process' ? test.skip : test;

let warned;
beforeEach(() => {
  warned = jest.spyOn(process, 'emitWarning').mockReturnValue();
});
afterEach(async () => {
  await stopAll();
  warned.mockRestore();
});

const codes = () => warned.mock.calls.map(([, { code }]) => code);
const until = async (count) => {
  while (codes().length < count) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  // No more than that.
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(codes()).toEqual(Array(count).fill('SLOPPY_W_LISTENER_THREW'));
};

const WAYS = {
  throws: () => {
    throw new Error('secret');
  },
  rejects: async () => {
    await null;
    throw new Error('secret');
  },
  'throws no error': () => {
    throw null;
  },
};
const talk = ({ emit }) => {
  setTimeout(() => {
    throw new Error('uncaught');
  });
  emit(1);
  return new Promise((resolve) => setTimeout(resolve, 20, 'done'));
};

describe.each(Object.entries(WAYS))('a listener that %s', (_way, bad) => {
  // Each registration is a function of its own, hence a warning of its own.
  const thrower = () => () => bad();

  test('to events of a pool', async () => {
    const heard = [];
    const pool = createPool({ maxQueued: 1, overflow: 'backpressure' });
    const names = ['idle', 'drain', 'job', 'workerStarted', 'workerExit'];
    for (const name of [...names, 'message', 'error']) {
      pool.on(name, thrower());
      pool.once(name, thrower());
      pool.on(name, () => heard.push(name));
    }
    const jobs = [1, 2, 3].map(() => pool.run(talk));
    expect(await Promise.all(jobs)).toEqual(['done', 'done', 'done']);
    await pool.drain();
    await pool.stop();
    await until(14);
    expect(new Set(heard)).toEqual(new Set([...names, 'message', 'error']));
  });

  test('of calls and options', async () => {
    const pool = createPool({ onQueueDrain: thrower() });
    const given = { onMessage: thrower(), receipt: thrower() };
    expect(
      await Promise.all([pool.run(talk, given), pool.run(talk, given)]),
    ).toEqual(['done', 'done']);
    await pool.drain();
    await until(3);
  });

  test('of a Worker', async () => {
    const worker = await startWorker(`export const talk = ${talk};
      export const call = (input, context) => talk(context);`);
    const heard = [];
    worker.onMessage(thrower());
    worker.onMessage((value) => heard.push(value));
    worker.onError(thrower());
    worker.onError(({ message }) => heard.push(message));
    expect(await worker.invoke('call')).toBe('done');
    await until(2);
    expect(heard.sort()).toEqual([1, 'uncaught']);
  });

  test('of a signal', async () => {
    const controller = new WorkerCancellationController();
    const { signal } = controller;
    const heard = [];
    signal.addEventListener('abort', thrower());
    signal.addEventListener('abort', (reason) => heard.push(reason));
    const pool = createPool();
    const job = pool.run(() => new Promise(() => {}), { signal });
    controller.cancel('why');
    await expect(job).rejects.toThrow('SLOPPY_E_WORK_JOB_CANCELLED');
    expect(heard).toEqual(['why']);
    await until(1);
  });

  test('of a signal that time or another signal cancels', async () => {
    const source = new AbortController();
    // Long enough for both listeners to be there before.
    const late = CancellationController.timeout(300);
    const linked = CancellationController.linked(source.signal);
    const heard = new Promise((resolve) => {
      for (const { signal } of [late, linked]) {
        signal.addEventListener('abort', thrower());
      }
      late.signal.addEventListener('abort', resolve);
    });
    source.abort();
    await heard;
    await until(2);
  });

  testOfMessages('of a message worker', async () => {
    const worker = createMessageWorker({
      source: `const { parentPort } = require('node:worker_threads');
        parentPort.on('message', (value) => parentPort.postMessage(value));`,
    });
    const heard = new Promise((resolve) => {
      for (const name of ['online', 'message', 'exit']) {
        worker.on(name, thrower());
      }
      worker.addEventListener('message', thrower());
      worker.onmessage = thrower();
      worker.on('message', resolve);
    });
    worker.postMessage('there and back');
    expect(await heard).toBe('there and back');
    await worker.terminate();
    await until(5);
  });
});

test('a listener that throws again is no further warning', async () => {
  const pool = createPool();
  pool.on('job', () => {
    throw new Error('each time');
  });
  for (let i = 0; i < 5; i += 1) await pool.run(() => 1);
  await pool.drain();
  await until(1);
});

test('the warning shows where, and nothing of what a worker sent', async () => {
  const pool = createPool();
  pool.on('message', (value) => {
    throw new Error(value);
  });
  await pool.run(({ emit }) => emit('secret'));
  await until(1);
  const [[text, { detail }]] = warned.mock.calls;
  expect(text).toBe('a listener has thrown');
  expect(detail).toContain('listeners.test.js');
  expect(JSON.stringify(warned.mock.calls)).not.toContain('secret');
});
