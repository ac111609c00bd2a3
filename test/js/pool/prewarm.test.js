'use strict';

const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { WorkerPool, prewarm } = require('../../../lib/index.js');

afterEach(() => prewarm({ spares: 0 }));

const eventOf = (pool, name) =>
  new Promise((resolve) => pool.once(name, resolve));
const numberOf = async (pool) => (await pool.stats())[0]?.worker;

test('a pool takes the spare, and another takes its place', async () => {
  await prewarm();
  const pools = [];
  for (let round = 0; round < 3; round++) {
    const pool = WorkerPool.create(`pool ${round}`);
    const started = eventOf(pool, 'workerStarted');
    expect(await pool.run(({ input }) => input + 1, { input: round })).toBe(
      round + 1,
    );
    await started;
    // Its worker is the first of its pool: none was made for it.
    expect(await numberOf(pool)).toBe(1);
    pools.push(pool);
  }
  await Promise.all(pools.map((pool) => pool.stop()));
});

test('the limits of the pool that takes it hold', async () => {
  await prewarm({ memoryLimitMb: 32, workers: 2 });
  const pool = WorkerPool.create('limits', { memoryLimitMb: 32, workers: 2 });
  await expect(
    pool.run(() => {
      const kept = [];
      for (;;) kept.push(new Array(1000).fill(kept.length));
    }),
  ).rejects.toMatchObject({ code: Code.ResourceLimit });
  const slow = pool.run(
    () => {
      for (;;);
    },
    { timeoutMs: 20 },
  );
  await expect(slow).rejects.toMatchObject({ code: Code.JobTimeout });
  expect(await pool.run(() => 'on')).toBe('on');
  expect(pool.state.workers).toBe(2);
  await pool.stop();
  await prewarm({ memoryLimitMb: 32, workers: 2, spares: 0 });
});

test('other options make a pool of their own', async () => {
  await prewarm();
  const host = { twice: (value) => value * 2 };
  const pool = WorkerPool.create('own', { host });
  expect(await pool.run(({ host: outside }) => outside.twice(2))).toBe(4);
  await pool.stop();
});

test('a pool with an environment of its own takes no spare', async () => {
  await prewarm();
  const pool = WorkerPool.create('own', { env: { PORT: '1' }, argv: ['x'] });
  const read = () => [process.env.PORT, process.argv[2]];
  expect(await pool.run(read)).toEqual(['1', 'x']);
  await pool.stop();
});

test('the workers of a spare are told of when it has its pool', async () => {
  await prewarm();
  const pool = WorkerPool.create('told');
  const started = [];
  pool.on('workerStarted', (worker) => started.push(worker));
  const worker = await pool.run((context) => context.worker);
  expect(started).toEqual([worker]);
  await pool.stop();
});

test('names and functions are those of the pool', async () => {
  await prewarm();
  const pool = WorkerPool.create('named');
  const failed = pool.run(function broken() {
    throw new Error('inside');
  });
  await expect(failed).rejects.toMatchObject({
    cause: { stack: expect.stringContaining('named/broken') },
  });
  await pool.stop();
});

test.each([
  [{ spares: -1 }, 'prewarm.spares'],
  [{ spares: 1.5 }, 'prewarm.spares'],
  [{ host: {} }, 'prewarm takes no host'],
  [{ env: {} }, 'prewarm takes no env'],
  [{ argv: [] }, 'prewarm takes no argv'],
  [{ runtime: 'thread' }, 'prewarm.runtime'],
  [{ workers: 0 }, 'prewarm.workers'],
  [7, 'prewarm options'],
])('refuses %j', async (options, text) => {
  await expect(prewarm(options)).rejects.toThrow(TypeError);
  await expect(prewarm(options)).rejects.toThrow(text);
});
