'use strict';
// Events, pauses and sizes of pools, in all runtimes.

const { on, once } = require('node:events');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const {
  createPool,
  occupy,
  outcomes,
  rejection,
  stopAll,
} = require('./support.js');

afterEach(stopAll);

describe('events and needsDrain', () => {
  test('Node waits for them', async () => {
    const pool = createPool();
    const idle = once(pool, 'idle');
    const started = on(pool, 'workerStarted');
    await pool.run(() => 1);
    expect(await idle).toEqual([]);
    const [worker] = (await started.next()).value;
    expect(worker.number).toBe(1);
    await started.return();
    const controller = new AbortController();
    const failing = rejection(once(pool, 'idle', controller));
    controller.abort();
    expect((await failing).name).toBe('AbortError');
  });

  test('idle tells of a change, not of a stop or a resize', async () => {
    const pool = createPool();
    const heard = jest.fn();
    pool.on('idle', heard).resize(2);
    expect(heard).not.toHaveBeenCalled();
    await pool.run(() => 1);
    await pool.drain();
    expect(heard).toHaveBeenCalledTimes(1);
    pool.resize(1);
    await pool.stop();
    expect(heard).toHaveBeenCalledTimes(1);
  });

  test('idle is heard by who listens while a job runs', async () => {
    const pool = createPool();
    const job = pool.run(() => 1);
    const idle = once(pool, 'idle');
    await job;
    expect(await idle).toEqual([]);
  });

  test('needsDrain is true when a submission would wait', async () => {
    const pool = createPool({ maxQueued: 1 });
    expect(pool.needsDrain).toBe(false);
    const controller = new AbortController();
    const { started } = occupy(pool, { signal: controller.signal });
    await started;
    const queued = pool.run(() => 1);
    expect(pool.needsDrain).toBe(true);
    const drained = new Promise((resolve) => pool.once('drain', resolve));
    controller.abort();
    await drained;
    expect(pool.needsDrain).toBe(false);
    expect(await queued).toBe(1);
  });

  test('idle, and listeners that come off', async () => {
    const pool = createPool();
    let calls = 0;
    const listener = () => {
      calls += 1;
    };
    expect(pool.on('idle', listener)).toBe(pool);
    await pool.run(() => 1);
    await pool.onIdle();
    expect(calls).toBe(1);
    expect(pool.off('idle', listener)).toBe(pool);
    await pool.run(() => 1);
    await pool.onIdle();
    expect(calls).toBe(1);
  });

  test('workerStarted comes once for each thread, before its exit', async () => {
    const pool = createPool({ workers: 2, minWorkers: 2 });
    const seen = [];
    pool.on('workerStarted', () => seen.push('started'));
    pool.on('workerExit', () => seen.push('exit'));
    await pool.run(() => 1);
    await pool.stop();
    // The second thread may start after the first has ended.
    expect([...seen].sort()).toEqual(['exit', 'exit', 'started', 'started']);
    expect(seen[0]).toBe('started');
    expect(seen[3]).toBe('exit');
  });

  test('onQueueDrain is called when nothing waits to run any more', async () => {
    const calls = [];
    const pool = createPool({
      onQueueDrain: () => calls.push(pool.state.queue.queued),
    });
    await pool.run(() => 1);
    expect(calls).toEqual([]);
    for (const rounds of [1, 2]) {
      await Promise.all([1, 2, 3].map((input) => pool.run(() => 1, { input })));
      await pool.onIdle();
      expect(calls).toEqual(Array(rounds).fill(0));
    }
  });

  test('onQueueDrain counts jobs that wait for a place', async () => {
    let calls = 0;
    const onQueueDrain = () => {
      calls += 1;
    };
    const pool = createPool({
      maxQueued: 1,
      overflow: 'backpressure',
      maxBackpressureWaiters: 10,
      onQueueDrain,
    });
    await Promise.all(
      [1, 2, 3, 4].map((input) => pool.run(() => 1, { input })),
    );
    await pool.onIdle();
    expect(calls).toBe(1);
  });

  test.each([null, 1, 'x', {}])('onQueueDrain %p', (onQueueDrain) => {
    expect(() => createPool({ onQueueDrain })).toThrow(
      new TypeError('WorkerPool.onQueueDrain must be a function.'),
    );
  });
});

describe('pause and resume', () => {
  test('nothing starts in between', async () => {
    const pool = createPool();
    await pool.run(() => 1);
    expect(pool.pause()).toBe(pool);
    let settled = false;
    const job = pool.run(() => 'later');
    job.then(() => {
      settled = true;
    });
    const other = createPool();
    for (let i = 0; i < 20; i += 1) await other.run(() => 1);
    expect(settled).toBe(false);
    expect(pool.resume()).toBe(pool);
    expect(await job).toBe('later');
  });

  test('a paused pool can be stopped', async () => {
    const pool = createPool();
    pool.pause();
    const jobs = outcomes([pool.run(() => 1)]);
    await pool.stop();
    expect(await jobs).toEqual(['resolved']);
  });
});

describe('resize', () => {
  test('changes how many jobs run at once', async () => {
    const pool = createPool({ workers: 1, maxQueued: 5 });
    expect(pool.resize(3)).toBe(pool);
    expect(pool.state).toMatchObject({
      workers: 3,
      queue: { concurrency: 3 },
    });
    const controller = new AbortController();
    const running = [1, 2, 3].map(() =>
      occupy(pool, { signal: controller.signal }),
    );
    await Promise.all(running.map(({ started }) => started));
    expect(pool.state.queue).toMatchObject({ active: 3, queued: 0 });
    controller.abort();
    await pool.drain();
    pool.resize(1);
    expect(await pool.run(() => 1)).toBe(1);
  });

  test('admits as many jobs as the new size allows', async () => {
    const pool = createPool({ workers: 1, maxQueued: 1 }).resize(4);
    const jobs = Array.from({ length: 5 }, (_, input) =>
      pool.run((context) => context.input, { input }),
    );
    expect((await rejection(pool.run(() => 1))).code).toBe(Code.QueueFull);
    expect(await Promise.all(jobs)).toEqual([0, 1, 2, 3, 4]);
  });

  test.each([0, -1, 1.5, '2', undefined])('%p throws', (workers) => {
    expect(() => createPool().resize(workers)).toThrow(TypeError);
  });
});
