'use strict';
// Listeners and callbacks that submit, stop, cancel or throw while they are
// called: what they do must count as if it came a moment later.

const { runNode } = require('../support/run-node.js');
const { createPool, outcomes, stopAll } = require('./support.js');

afterEach(stopAll);

describe('drain', () => {
  test('comes again for a queue that its listener has refilled', async () => {
    const pool = createPool({ workers: 1, maxQueued: 4 });
    const promises = [];
    await new Promise((resolve) => {
      const fill = () => {
        while (promises.length < 100 && !pool.needsDrain) {
          promises.push(pool.run(({ input }) => input, { input: 1 }));
        }
        if (promises.length === 100) resolve();
      };
      pool.on('drain', fill);
      fill();
    });
    expect(await Promise.all(promises)).toEqual(Array(100).fill(1));
  });

  test('may stop the pool, once', async () => {
    const pool = createPool({ workers: 1, maxQueued: 1 });
    let calls = 0;
    const stopped = new Promise((resolve) => {
      pool.on('drain', () => {
        calls += 1;
        resolve(pool.stop());
      });
    });
    const promises = [pool.run(() => 1), pool.run(() => 1)];
    expect(pool.needsDrain).toBe(true);
    expect(await stopped).toEqual({ cancelled: 0, forced: 0 });
    expect(await outcomes(promises)).toEqual(['resolved', 'resolved']);
    expect(calls).toBe(1);
  });

  test('may cancel what is queued, once', async () => {
    const pool = createPool({ workers: 1, maxQueued: 2 });
    const controller = new AbortController();
    const { signal } = controller;
    let calls = 0;
    const drained = new Promise((resolve) => {
      pool.on('drain', () => {
        calls += 1;
        controller.abort();
        resolve();
      });
    });
    const promises = [1, 2, 3].map((input) =>
      pool.run((c) => c.input, { input, signal }),
    );
    const ended = outcomes(promises);
    await drained;
    await ended;
    await pool.drain();
    expect(calls).toBe(1);
  });

  test('may resize the pool', async () => {
    const pool = createPool({ workers: 1, maxQueued: 1 });
    let calls = 0;
    const drained = new Promise((resolve) => {
      pool.on('drain', () => {
        calls += 1;
        pool.resize(calls + 1);
        resolve();
      });
    });
    const promises = [pool.run(() => 1), pool.run(() => 2)];
    await drained;
    expect(await Promise.all(promises)).toEqual([1, 2]);
    expect(calls).toBe(1);
  });
});

describe('idle', () => {
  test('comes again after jobs that its listener has submitted', async () => {
    const pool = createPool({ workers: 1 });
    const results = [];
    const done = new Promise((resolve) => {
      pool.on('idle', () => {
        if (results.length === 5) resolve();
        else results.push(pool.run(() => 1));
      });
    });
    await pool.run(() => 0);
    await done;
    expect(await Promise.all(results)).toEqual([1, 1, 1, 1, 1]);
  });

  test('may stop the pool, once', async () => {
    const pool = createPool({ workers: 1, idleTimeoutMs: 1 });
    let calls = 0;
    const stopped = new Promise((resolve) => {
      pool.on('idle', () => {
        calls += 1;
        resolve(pool.stop());
      });
    });
    expect(await pool.run(() => 1)).toBe(1);
    expect(await stopped).toEqual({ cancelled: 0, forced: 0 });
    expect(calls).toBe(1);
  });
});

describe('onQueueDrain', () => {
  test('is called again after its own jobs had to wait', async () => {
    let left = 10;
    const promises = [];
    let pool;
    const done = new Promise((resolve) => {
      const onQueueDrain = () => {
        if (left === 0) resolve();
        for (let i = 0; i < 2 && left > 0; i += 1, left -= 1) {
          promises.push(pool.run(() => 1));
        }
      };
      pool = createPool({ workers: 1, onQueueDrain });
    });
    promises.push(
      pool.run(() => 1),
      pool.run(() => 1),
      pool.run(() => 1),
    );
    await done;
    expect(await Promise.all(promises)).toEqual(Array(13).fill(1));
  });
});

describe('workerStarted and workerExit', () => {
  test('may submit and stop', async () => {
    const pool = createPool({ workers: 1 });
    const submitted = new Promise((resolve) => {
      pool.once('workerStarted', () => resolve([pool.run(() => 7)]));
    });
    expect(await pool.run(() => 1)).toBe(1);
    expect(await (await submitted)[0]).toBe(7);
    const exited = new Promise((resolve) => {
      pool.once('workerExit', () => {
        resolve(outcomes([pool.run(() => 1), pool.stop()]));
      });
    });
    await pool.stop();
    expect(await exited).toEqual(['SLOPPY_E_WORK_QUEUE_STOPPED', 'resolved']);
  });
});

describe('onMessage', () => {
  test.each([
    ['submits', (pool) => pool.run(() => 2), 'resolved'],
    ['stops', (pool) => pool.stop(), 'resolved'],
    [
      'stops at once',
      (pool) => pool.stop({ drain: false, timeoutMs: 0 }),
      'resolved',
    ],
    ['cancels', (_pool, controller) => controller.abort(), 'resolved'],
  ])('%s', async (_name, act, expected) => {
    const pool = createPool({ workers: 1 });
    const controller = new AbortController();
    let acted;
    const calls = [];
    const onMessage = (value) => {
      calls.push(value);
      acted ??= act(pool, controller) ?? null;
    };
    const promise = pool.run(
      ({ emit }) => {
        emit(1);
        emit(2);
        return 3;
      },
      { onMessage, signal: controller.signal },
    );
    await outcomes([promise]);
    expect(calls[0]).toBe(1);
    expect(await outcomes([acted])).toEqual([expected]);
  });
});

test('a listener for error may submit, and stop', async () => {
  const pool = createPool({ workers: 1 });
  const heard = new Promise((resolve) => {
    pool.on('error', () => resolve([pool.run(() => 5), pool.stop()]));
  });
  await pool.run(async () => {
    setTimeout(() => {
      throw new Error('nobody catches it');
    }, 0);
    await new Promise((resolve) => setTimeout(resolve, 20));
  });
  const [job, stopped] = await heard;
  expect(await job).toBe(5);
  await stopped;
});

test('a listener that throws costs nobody a result', () => {
  const script = `
    const { WorkerPool } = require('./lib/index.js');
    const runtime = process.env.SLOPPY_WORKERS_RUNTIME || 'isolate';
    const pool = WorkerPool.create('p', { runtime, workers: 1, maxQueued: 1 });
    const warned = [];
    process.on('warning', ({ code }) => warned.push(code));
    pool.on('drain', () => { throw new Error('drain'); });
    pool.on('idle', () => { throw new Error('idle'); });
    const promises = [pool.run(() => 1), pool.run(() => 2)];
    Promise.all(promises).then(async (values) => {
      await pool.stop();
      console.log(values.join(), warned.join());
    });
  `;
  expect(runNode(['-e', script])).toBe(
    '1,2 SLOPPY_W_LISTENER_THREW,SLOPPY_W_LISTENER_THREW\n',
  );
});
