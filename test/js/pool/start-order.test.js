'use strict';
// The options `order` and `agingMs`: which of the waiting jobs starts next.

const { occupy } = require('../conformance/support.js');
const { Heap } = require('../../../lib/base/heap.js');
const { WorkerPool, prewarm } = require('../../../lib/index.js');
const fc = require('fast-check');

const pools = [];

function poolWith(options) {
  const pool = WorkerPool.create('order', { maxQueued: 1000, ...options });
  pools.push(pool);
  return pool;
}

afterEach(async () => {
  const left = pools.splice(0);
  await Promise.all(left.map((pool) => pool.stop({ drain: false })));
});

/** Occupies the one worker. @returns {() => Promise<void>} ends it */
async function busy(pool) {
  const controller = new AbortController();
  const { signal } = controller;
  const { started, promise } = occupy(pool, { signal, priority: 0 });
  await started;
  return async () => {
    controller.abort();
    await promise.catch(() => {});
  };
}

/** Runs jobs while the worker is busy. @returns names in the order of start */
async function startedOf(pool, jobs) {
  const release = await busy(pool);
  const order = [];
  const runs = [];
  for (const { name, wait, ...options } of jobs) {
    if (wait !== undefined) await new Promise((r) => setTimeout(r, wait));
    const run = ({ input, emit }) => emit(input);
    const onMessage = (value) => order.push(value);
    runs.push(pool.run(run, { input: name, onMessage, ...options }));
  }
  await release();
  await Promise.all(runs);
  return order.join(' ');
}

describe.each(['isolate', 'thread'])('in runtime %s', (runtime) => {
  test('without options by priority, then by arrival', async () => {
    const pool = poolWith({ runtime, order: 'priority', agingMs: Infinity });
    const order = await startedOf(pool, [
      { name: 'a', priority: 7 },
      { name: 'b' },
      { name: 'c', deadline: 1e6 },
      { name: 'd', priority: 0 },
    ]);
    expect(order).toBe('d b c a');
  });

  test('the earliest deadline first, whatever the priority', async () => {
    const pool = poolWith({ runtime, order: 'deadline' });
    const order = await startedOf(pool, [
      { name: 'never', priority: 1 },
      { name: 'late', priority: 0, deadline: 3e6 },
      { name: 'urgent', priority: 0 },
      { name: 'soon', priority: 7, timeoutMs: 1e6 },
      { name: 'mid', deadline: 2e6 },
    ]);
    expect(order).toBe('soon mid late urgent never');
  });

  test('a job that has waited is before a more urgent newcomer', async () => {
    const pool = poolWith({ runtime, agingMs: 1 });
    const order = await startedOf(pool, [
      { name: 'old', priority: 7 },
      { name: 'new', priority: 0, wait: 30 },
      { name: 'same', priority: 0 },
    ]);
    expect(order).toBe('old new same');
  });

  test('and one that has not waited enough is not', async () => {
    const pool = poolWith({ runtime, agingMs: 1e6 });
    const order = await startedOf(pool, [
      { name: 'old', priority: 7 },
      { name: 'plain' },
      { name: 'new', priority: 0, wait: 5 },
    ]);
    expect(order).toBe('new plain old');
  });

  test('a job of low priority runs although urgent ones never end', async () => {
    const pool = poolWith({ runtime, agingMs: 2 });
    let goesOn = true;
    const flood = async () => {
      while (goesOn) await pool.run(() => 1, { priority: 0 });
    };
    const floods = [flood(), flood(), flood()];
    expect(await pool.run(() => 'low', { priority: 7 })).toBe('low');
    goesOn = false;
    await Promise.all(floods);
  });

  test.each([{ order: 'deadline' }, { agingMs: 1e6 }])(
    'stop without drain keeps what would start next: %j',
    async (options) => {
      const pool = poolWith({ runtime, workers: 1, ...options });
      const give = ({ input }) => input;
      // The worker must not take one before the others are there.
      const release = await busy(pool);
      const jobs = [
        pool.run(give, { input: 0, priority: 7 }),
        pool.run(give, { input: 1, priority: 0, timeoutMs: 1e6 }),
        pool.run(give, { input: 2, priority: 1, deadline: 2e6 }),
      ];
      const stopped = pool.stop({ drain: false });
      await release();
      const ends = await Promise.allSettled(jobs);
      const ran = [1, 2, 0].map((i) => ends[i].status === 'fulfilled');
      // The executor may have had room for the first of them.
      expect(ran).toEqual([...ran].sort((a, b) => Number(b) - Number(a)));
      const cancelled = ran.filter((has) => !has).length;
      expect(await stopped).toEqual({ cancelled, forced: 0 });
    },
  );

  test('cancelled and late jobs leave the queue', async () => {
    const pool = poolWith({ runtime, order: 'deadline' });
    const release = await busy(pool);
    const controllers = Array.from({ length: 50 }, () => new AbortController());
    const jobs = controllers.map(({ signal }, i) =>
      pool.run(({ input }) => input, { input: i, signal, timeoutMs: 1e6 - i }),
    );
    const late = pool.run(() => 1, { timeoutMs: 5 });
    await expect(late).rejects.toMatchObject({
      code: 'SLOPPY_E_WORK_JOB_TIMEOUT',
    });
    for (let i = 0; i < 50; i += 2) controllers[i].abort();
    await release();
    const ends = await Promise.allSettled(jobs);
    ends.forEach(({ status, value }, i) => {
      expect([status, value]).toEqual(
        i % 2 === 0 ? ['rejected', undefined] : ['fulfilled', i],
      );
    });
    expect(pool.state.queue).toMatchObject({ queued: 0, active: 0 });
  });
});

test('bad options are refused', () => {
  const make = (options) => () => WorkerPool.create('order', options);
  expect(make({ order: 'fifo' })).toThrow(
    new TypeError('WorkerPool.order must be "priority" or "deadline".'),
  );
  expect(make({ order: null })).toThrow(TypeError);
  expect(make({ agingMs: 0 })).toThrow(TypeError);
  expect(make({ agingMs: '5' })).toThrow(TypeError);
  expect(make({ agingMs: 5, order: 'deadline' })).toThrow(
    new TypeError('WorkerPool.agingMs requires order "priority".'),
  );
  expect(make({ agingsMs: 5 })).toThrow(/did you mean "agingMs"/);
});

test('a pool does not take a spare with another order', async () => {
  await prewarm({ spares: 1, memoryLimitMb: 33 });
  try {
    const pool = poolWith({ memoryLimitMb: 33, maxQueued: 64, agingMs: 1 });
    const order = await startedOf(pool, [
      { name: 'old', priority: 7 },
      { name: 'new', priority: 0, wait: 30 },
    ]);
    expect(order).toBe('old new');
  } finally {
    await prewarm({ spares: 0, memoryLimitMb: 33 });
  }
});

test('a heap agrees with a sorted list', () => {
  const step = fc.record({ take: fc.nat(3), rank: fc.nat(20), at: fc.nat() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const isBefore = (a, b) =>
        a.rank < b.rank || (a.rank === b.rank && a.id < b.id);
      const heap = new Heap(isBefore);
      const model = [];
      steps.forEach(({ take, rank, at }, id) => {
        if (take > 1 || model.length === 0) {
          const item = { rank, id };
          heap.push(item);
          model.push(item);
          model.sort((a, b) => (isBefore(a, b) ? -1 : 1));
        } else if (take === 1) {
          expect(heap.shift()).toBe(model.shift());
        } else {
          heap.remove(model.splice(at % model.length, 1)[0]);
        }
      });
      expect(heap.size).toBe(model.length);
      while (model.length > 0) expect(heap.shift()).toBe(model.shift());
    }),
  );
});
