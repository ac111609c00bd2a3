'use strict';
// The worker that runs a job: its identity, its environment and its figures.

const { Worker } = require('../../../lib/index.js');
const {
  createGate,
  createPool,
  moduleFile,
  rejection,
  runtime,
  startWorker,
  stopAll,
} = require('./support.js');

afterEach(stopAll);

const own = ({ worker }) => worker;

/** Jobs that have met, so that each has a worker of its own. */
async function meet(pool, count, host) {
  const jobs = Array.from({ length: count }, () =>
    pool.run(async (context) => {
      await context.host.wait();
      return context.worker;
    }),
  );
  await host.entered(count);
  host.open();
  return Promise.all(jobs);
}

const poolOf = (workers, more) => {
  const host = createGate();
  return [createPool({ workers, host: { wait: host.wait }, ...more }), host];
};

describe('context.worker', () => {
  test('is of the worker, and the same for each of its jobs', async () => {
    const pool = createPool();
    const first = await pool.run(own);
    expect(first).toEqual({
      number: 1,
      place: 1,
      threadId: expect.any(Number),
      pid: expect.any(Number),
    });
    expect(await pool.run((context) => context.worker)).toEqual(first);
    expect(await pool.run(({ worker }) => Object.isFrozen(worker))).toBe(true);
    expect(first.pid === process.pid).toBe(runtime !== 'process');
  });

  test('threadId and pid are what Node says there', async () => {
    const pool = createPool();
    const [worker, threadId, pid] = await pool.run(async (context) => [
      context.worker,
      (await import('node:worker_threads')).threadId,
      process.pid,
    ]);
    expect([worker.threadId, worker.pid]).toEqual([threadId, pid]);
  });

  test('workers of one pool differ in all but the process', async () => {
    const [pool, host] = poolOf(3);
    const all = await meet(pool, 3, host);
    const sorted = (name) => all.map((each) => each[name]).toSorted();
    expect(sorted('number')).toEqual([1, 2, 3]);
    expect(sorted('place')).toEqual([1, 2, 3]);
    const differ = runtime === 'process' ? 'pid' : 'threadId';
    expect(new Set(sorted(differ)).size).toBe(3);
  });

  test('the next one in its place has another number', async () => {
    const pool = createPool();
    const first = await pool.run(own);
    await pool.recycle();
    const second = await pool.run(own);
    expect(second.place).toBe(first.place);
    expect(second.number).toBe(first.number + 1);
  });

  test('exports have it, and it is not listed', async () => {
    const worker = await startWorker(`
      export const named = (_, { worker }) => worker.number;
      export const whole = (_, context) =>
        [context.worker.number, 'worker' in { ...context }];
    `);
    expect(await worker.invoke('named')).toBe(1);
    expect(await worker.invoke('whole')).toEqual([1, false]);
  });
});

describe('events', () => {
  test('workerStarted and workerExit have it', async () => {
    const pool = createPool();
    const started = [];
    const exited = [];
    pool.on('workerStarted', (worker) => started.push(worker));
    pool.on('workerExit', (worker) => exited.push(worker));
    const first = await pool.run(own);
    await pool.recycle();
    const second = await pool.run(own);
    await pool.stop();
    expect(started).toEqual([first, second]);
    expect(exited).toEqual([first, second]);
    expect(Object.isFrozen(started[0])).toBe(true);
  });

  test('and no worker exits that has not started', async () => {
    const pool = createPool({ workers: 2 });
    const started = new Set();
    const problems = [];
    pool.on('workerStarted', ({ number }) => {
      if (started.has(number)) problems.push(`${number} twice`);
      started.add(number);
    });
    pool.on('workerExit', ({ number }) => {
      if (!started.delete(number)) problems.push(`${number} had not started`);
    });
    const end = () => process.exit(3);
    for (let round = 0; round < 3; round += 1) {
      await Promise.allSettled([pool.run(end), pool.run(end), pool.run(own)]);
    }
    await pool.stop();
    expect(problems).toEqual([]);
    expect(started.size).toBe(0);
    const { workersExited, workersStarted } = pool.metrics().counters;
    expect(workersExited).toBe(workersStarted);
  });
});

describe('identities', () => {
  test('are of the workers that live', async () => {
    const [pool, host] = poolOf(2);
    expect(pool.identities).toEqual([]);
    const all = await meet(pool, 2, host);
    const byNumber = (a, b) => a.number - b.number;
    expect([...pool.identities].sort(byNumber)).toEqual(all.sort(byNumber));
    expect(Object.isFrozen(pool.identities)).toBe(true);
    await pool.recycle();
    const numbers = new Set(all.map(({ number }) => number));
    expect(pool.identities.filter((one) => numbers.has(one.number))).toEqual(
      [],
    );
    await pool.stop();
    expect(pool.identities).toEqual([]);
  });

  test('are known with the events', async () => {
    const pool = createPool();
    const known = [];
    const note = () => known.push(pool.identities.length);
    pool.on('workerStarted', note);
    pool.on('workerExit', note);
    await pool.run(own);
    await pool.stop();
    expect(known).toEqual([1, 0]);
  });

  test('of threads and processes are known from the call on', async () => {
    const pool = createPool({ minWorkers: 2, workers: 2 });
    if (runtime === 'isolate') expect(pool.identities.length).toBeLessThan(3);
    else expect(pool.identities).toHaveLength(2);
    const known = pool.identities;
    const one = await pool.run(own);
    if (runtime !== 'isolate') expect(known).toContainEqual(one);
  });
});

describe('stats()', () => {
  test('has a row for each worker, with its identity', async () => {
    const [pool, host] = poolOf(2);
    const all = await meet(pool, 2, host);
    const rows = await pool.stats();
    const ids = ({ worker, place, threadId, pid }) => ({
      number: worker,
      place,
      threadId,
      pid,
    });
    const byNumber = (a, b) => a.number - b.number;
    expect(rows.map(ids).sort(byNumber)).toEqual(all.sort(byNumber));
    for (const row of rows) {
      expect(Object.isFrozen(row)).toBe(true);
      expect(row.heapUsedBytes).toBeGreaterThan(100_000);
      expect(row.heapTotalBytes).toBeGreaterThanOrEqual(row.heapUsedBytes);
      expect(row.externalBytes).toBeGreaterThanOrEqual(0);
      expect(row.memoryLimitBytes).toBe(128 * 2 ** 20);
      expect(row.cpuMs === null || row.cpuMs > 0).toBe(true);
    }
  });

  test('is that of a worker that holds much', async () => {
    const pool = createPool();
    await pool.run(() => {
      globalThis.kept = Array.from({ length: 1_000_000 }, (_, i) => i + 0.5);
    });
    const [row] = await pool.stats();
    expect(row.heapUsedBytes).toBeGreaterThan(8_000_000);
  });

  test('without a worker there is none', async () => {
    expect(await createPool().stats()).toEqual([]);
  });

  test('a worker that ends meanwhile has none', async () => {
    const pool = createPool();
    await pool.run(own);
    const rows = pool.stats();
    const ended = pool.run(() => process.exit(1));
    await rejection(ended);
    expect((await rows).length).toBeLessThanOrEqual(1);
  });
});

describe('env and argv', () => {
  const read = () => [process.env.PORT ?? null, process.argv.slice(2)];

  test('an object is the same in all workers', async () => {
    const env = { ...process.env, PORT: '4000' };
    const pool = createPool({ env, argv: ['a', 'b c'] });
    env.PORT = '5000';
    expect(await pool.run(read)).toEqual(['4000', ['a', 'b c']]);
    expect(process.env.PORT).toBeUndefined();
  });

  test('a function gives each place its own', async () => {
    const places = [];
    const host = createGate();
    const pool = createPool({
      workers: 2,
      host: { wait: host.wait },
      env: (worker) => {
        places.push(worker);
        return { ...process.env, PORT: `${4000 + worker.place}` };
      },
    });
    expect(places).toEqual([{ place: 1 }, { place: 2 }]);
    const jobs = [1, 2].map(() =>
      pool.run(async (context) => {
        await context.host.wait();
        return [context.worker.place, process.env.PORT];
      }),
    );
    await host.entered(2);
    host.open();
    const rows = await Promise.all(jobs);
    expect(rows.sort()).toEqual([
      [1, '4001'],
      [2, '4002'],
    ]);
  });

  test('the place keeps it when its worker is replaced, and a pool that grows asks for more', async () => {
    const env = jest.fn(({ place }) => ({ ...process.env, PORT: `p${place}` }));
    const host = createGate();
    const pool = createPool({ env, host: { wait: host.wait } });
    const port = () => process.env.PORT;
    expect(await pool.run(port)).toBe('p1');
    await pool.recycle();
    expect(await pool.run(port)).toBe('p1');
    expect(env).toHaveBeenCalledTimes(1);
    pool.resize(2);
    expect(env).toHaveBeenCalledTimes(2);
    const jobs = [1, 2].map(() =>
      pool.run(async (context) => {
        await context.host.wait();
        return process.env.PORT;
      }),
    );
    await host.entered(2);
    host.open();
    expect((await Promise.all(jobs)).sort()).toEqual(['p1', 'p2']);
  });

  test('what it throws, create and resize throw, and nothing changes', async () => {
    const error = new Error('no port left');
    const env = ({ place }) => {
      if (place > 1) throw error;
      return { ...process.env, PORT: 'p' };
    };
    expect(() => createPool({ workers: 2, env })).toThrow(error);
    const pool = createPool({ env });
    expect(() => pool.resize(2)).toThrow(error);
    expect(pool.state.workers).toBe(1);
    expect(await pool.run(() => process.env.PORT)).toBe('p');
  });

  test.each([['x'], [null], [[]], [5]])('%p is no environment', (result) => {
    const text = /^WorkerPool\.env's result must be an object of strings\.$/;
    expect(() => createPool({ env: () => result })).toThrow(TypeError);
    expect(() => createPool({ env: () => result })).toThrow(text);
  });

  test('of a Worker', async () => {
    const path = moduleFile(
      'export const read = () => [process.env.PORT, process.argv.slice(2)];',
    );
    const worker = await Worker.start(path, {
      runtime,
      argv: ['x'],
      env: ({ place }) => ({ ...process.env, PORT: `w${place}` }),
    });
    expect(await worker.invoke('read')).toEqual(['w1', ['x']]);
    expect((await worker.stats()).worker).toBe(1);
    await worker.stop();
  });
});
