'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const { WorkerPool } = require('../../../lib/pool/worker-pool.js');
const { createGate } = require('../conformance/support.js');

const busy = ({ input }) => {
  const until = Date.now() + input;
  while (Date.now() < until);
  return globalThis.version;
};
const setVersion = ({ input }) => {
  globalThis.version = input;
  globalThis.times = (globalThis.times ?? 0) + 1;
  return globalThis.times;
};
const endless = () => {
  for (;;);
};
const values = (rows) => rows.map(({ value }) => value);
const codes = (rows) => rows.map(({ reason }) => reason?.code);

let folder;
let cacheModule;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'broadcast-'));
  cacheModule = path.join(folder, 'cache.mjs');
  fs.writeFileSync(
    cacheModule,
    `let rate = 1;
    export const refresh = (next, { state }) => { rate = next; return state; };
    export const convert = (amount) => amount * rate;
    export const init = () => 'ready';`,
  );
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

describe.each(['isolate', 'thread'])('broadcast, runtime %s', (runtime) => {
  let pool;
  const create = (options) => {
    pool = WorkerPool.create('pool', { workers: 2, runtime, ...options });
    return pool;
  };
  /** Jobs for all workers at once. */
  const onAll = (count = 6) =>
    Promise.all(
      Array.from({ length: count }, () => pool.run(busy, { input: 20 })),
    );
  afterEach(() => pool.stop({ drain: false, timeoutMs: 2000 }));

  test('runs once in each worker that lives', async () => {
    create({ minWorkers: 2, workers: 4 });
    const rows = await pool.broadcast(setVersion, { input: 'a' });
    expect(rows).toEqual([
      { status: 'fulfilled', value: 1 },
      { status: 'fulfilled', value: 1 },
    ]);
    expect(values(await pool.broadcast(setVersion, { input: 'b' }))).toEqual([
      2, 2,
    ]);
  });

  test('without a worker there is nobody, and none is started', async () => {
    create();
    await expect(pool.broadcast(setVersion)).resolves.toEqual([]);
    expect(pool.metrics().gauges.workers).toBe(0);
  });

  test('calls an export with a copy of the input, and its context', async () => {
    create({
      module: cacheModule,
      init: { module: cacheModule },
      minWorkers: 2,
    });
    const rows = await pool.broadcast('refresh', { input: 3 });
    expect(values(rows)).toEqual(['ready', 'ready']);
    await expect(pool.invoke('convert', 2)).resolves.toBe(6);
  });

  test('later workers have run it before their first job', async () => {
    create({ workers: 3 });
    await pool.broadcast(setVersion, { input: 'late', later: true });
    await expect(onAll()).resolves.toEqual(Array(6).fill('late'));
    const rows = await pool.broadcast(() => globalThis.times);
    expect(new Set(values(rows))).toEqual(new Set([1]));
  });

  test('renewed workers have too', async () => {
    create({ recycleAfterJobs: 3, workers: 2, maxQueued: 1000 });
    await pool.broadcast(setVersion, { input: 7, later: true });
    await expect(onAll(30)).resolves.toEqual(Array(30).fill(7));
    const ended = pool.run(endless, { timeoutMs: 20 });
    await expect(ended).rejects.toMatchObject({
      code: 'SLOPPY_E_WORK_JOB_TIMEOUT',
    });
    await expect(onAll()).resolves.toEqual(Array(6).fill(7));
  });

  test('of one function the last call counts, in the order of calls', async () => {
    create();
    const note = ({ input }) => {
      globalThis.notes = [...(globalThis.notes ?? []), input];
    };
    const other = ({ input }) => {
      globalThis.notes = [...(globalThis.notes ?? []), input, input];
    };
    await pool.broadcast(note, { input: 'old', later: true });
    await pool.broadcast(other, { input: 'x', later: true });
    await pool.broadcast(note, { input: 'new', later: true });
    await expect(pool.run(() => globalThis.notes)).resolves.toEqual([
      'x',
      'x',
      'new',
    ]);
  });

  test('the input is copied when it is called', async () => {
    create();
    const input = { bytes: new Uint8Array([1, 2]) };
    await pool.broadcast(
      ({ input: given }) => {
        globalThis.version = given.bytes[0];
      },
      { input, later: true },
    );
    input.bytes[0] = 9;
    await expect(onAll()).resolves.toEqual(Array(6).fill(1));
  });

  test('an end of its own for each worker', async () => {
    create({ minWorkers: 2 });
    const rows = await pool.broadcast(() => {
      throw new RangeError('no');
    });
    expect(codes(rows)).toEqual(Array(2).fill('SLOPPY_E_WORK_JOB_FAILED'));
    expect(rows[0].reason.cause).toBeInstanceOf(RangeError);
    const late = await pool.broadcast(endless, { timeoutMs: 30 });
    expect(codes(late)).toEqual(Array(2).fill('SLOPPY_E_WORK_JOB_TIMEOUT'));
    await expect(onAll()).resolves.toHaveLength(6);
  });

  test('a worker that leaves before has its row', async () => {
    const gate = createGate();
    create({ minWorkers: 2, host: { wait: gate.wait } });
    const jobs = [0, 1].map(() => pool.run(({ host }) => host.wait()));
    await gate.entered(2);
    const rows = pool.broadcast(() => 'ran');
    pool.resize(1);
    gate.open();
    expect((await rows).map(({ status }) => status).sort()).toEqual([
      'fulfilled',
      'rejected',
    ]);
    expect(codes(await rows).sort()[0]).toBe(
      'SLOPPY_E_WORKER_POOL_UNAVAILABLE',
    );
    await Promise.all(jobs);
  });

  test('a worker that dies of it has its row too', async () => {
    create({ minWorkers: 2, memoryLimitMb: 32 });
    const rows = await pool.broadcast(() => {
      const kept = [];
      for (;;) kept.push(new Array(1000).fill(kept.length));
    });
    expect(codes(rows)).toEqual(
      Array(2).fill('SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED'),
    );
  });

  test('takes no place in the queue, and comes before what waits', async () => {
    create({ workers: 1, maxQueued: 1 });
    const turn = () => {
      globalThis.turns = (globalThis.turns ?? 0) + 1;
      return globalThis.turns;
    };
    await pool.run(() => 1);
    pool.pause();
    const queued = pool.run(turn);
    const rows = pool.broadcast(turn);
    pool.resume();
    expect(values(await rows)).toEqual([1]);
    expect(await queued).toBe(2);
    expect(pool.state.queue).toMatchObject({ queued: 0, active: 0 });
  });

  test('waits with the others while the pool is paused', async () => {
    create({ minWorkers: 2 });
    await onAll();
    pool.pause();
    let isOver = false;
    const rows = pool
      .broadcast(() => 1)
      .then(() => {
        isOver = true;
      });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isOver).toBe(false);
    pool.resume();
    await rows;
  });

  test('a signal ends what was begun, and later', async () => {
    create({ minWorkers: 1 });
    const controller = new AbortController();
    const { signal } = controller;
    const rows = pool.broadcast(endless, { signal });
    await pool.broadcast(setVersion, { input: 1, later: true, signal }).catch(
      () => {},
      setTimeout(() => controller.abort(), 50),
    );
    expect(codes(await rows)).toEqual(['SLOPPY_E_WORK_JOB_CANCELLED']);
    await expect(pool.run(busy, { input: 0 })).resolves.toBeUndefined();
    await expect(pool.broadcast(setVersion, { signal })).rejects.toMatchObject({
      code: 'SLOPPY_E_WORK_JOB_CANCELLED',
    });
  });

  test('what fails later is an error event, and jobs go on', async () => {
    create();
    const told = new Promise((resolve) => {
      pool.on('error', (error, origin) => resolve([error.code, origin]));
    });
    const fails = () => {
      throw new Error('no');
    };
    await pool.broadcast(fails, { later: true });
    await expect(pool.run(() => 1)).resolves.toBe(1);
    await expect(told).resolves.toEqual([
      'SLOPPY_E_WORK_JOB_FAILED',
      'broadcast',
    ]);
  });

  test('one that costs a worker its globals does not keep it from jobs', async () => {
    create();
    pool.on('error', () => {});
    await pool.broadcast(endless, { later: true, timeoutMs: 20 });
    await expect(onAll()).resolves.toHaveLength(6);
  });

  test('runs once where it waits for a worker whose globals end', async () => {
    create({ workers: 1 });
    await pool.run(busy, { input: 0 });
    const late = pool.run(endless, { timeoutMs: 50 }).catch(({ code }) => code);
    const rows = pool.broadcast(setVersion, { input: 1, later: true });
    expect(await late).toBe('SLOPPY_E_WORK_JOB_TIMEOUT');
    await rows;
    expect(await pool.run(() => globalThis.times)).toBe(1);
  });

  test.each([true, false])(
    'comes before a job that is left at the stop, drain %s',
    async (drain) => {
      create({ workers: 1 });
      await pool.broadcast(setVersion, { input: 7, later: true });
      const job = pool.run(busy, { input: 0 });
      const [seen] = await Promise.all([job, pool.stop({ drain })]);
      expect(seen).toBe(7);
    },
  );

  test('stop without drain takes back what has not begun', async () => {
    create({ workers: 1, minWorkers: 1 });
    await pool.run(() => 1);
    pool.pause();
    const rows = pool.broadcast(() => 1);
    await pool.stop({ drain: false });
    expect(codes(await rows)).toEqual(['SLOPPY_E_WORKER_SHUTDOWN_CANCELLED']);
    await expect(pool.broadcast(() => 1)).rejects.toMatchObject({
      code: 'SLOPPY_E_WORK_QUEUE_STOPPED',
    });
  });

  test('refuses what it cannot do', async () => {
    create();
    const broken = [
      [[7], 'requires a function'],
      [['refresh'], 'requires a pool made with the option module'],
      [[busy, { latter: true }], 'did you mean "later"'],
      [[busy, { later: 1 }], 'WorkerPool.broadcast.later must be a boolean'],
      [[busy, []], 'options must be a plain object'],
      [[busy, { timeoutMs: -1 }], 'timeoutMs must be finite'],
    ];
    for (const [given, text] of broken) {
      await expect(pool.broadcast(...given)).rejects.toThrow(TypeError);
      await expect(pool.broadcast(...given)).rejects.toThrow(text);
    }
    const cycle = {};
    cycle.self = cycle;
    await expect(pool.broadcast(busy, { input: cycle })).rejects.toMatchObject({
      code: 'SLOPPY_E_WORKER_MESSAGE_SERIALIZATION_FAILED',
    });
  });

  test('holds whatever becomes of the workers', async () => {
    create({ workers: 3, maxQueued: 1000, recycleAfterJobs: 4 });
    let seed = 1;
    const random = (below) => {
      seed = (seed * 48271) % 2147483647;
      return seed % below;
    };
    const jobs = [];
    const rounds = [pool.broadcast(setVersion, { input: 0, later: true })];
    for (let version = 1; version <= 15; version += 1) {
      for (let i = 0; i < 6; i += 1) {
        const atLeast = version - 1;
        const job = pool.run(busy, { input: random(4) });
        jobs.push(job.then((seen) => ({ seen, atLeast })));
      }
      const dies = pool.run(endless, { timeoutMs: 1 + random(20) });
      jobs.push(dies.catch(({ code }) => code));
      pool.resize(1 + random(3));
      await new Promise((resolve) => setTimeout(resolve, random(25)));
      rounds.push(pool.broadcast(setVersion, { input: version, later: true }));
    }
    for (const end of await Promise.all(jobs)) {
      if (end.atLeast === undefined) {
        expect(end).toBe('SLOPPY_E_WORK_JOB_TIMEOUT');
      } else {
        expect(end.seen).toBeGreaterThanOrEqual(0);
      }
    }
    await Promise.all(rounds);
    await pool.drain();
    expect(pool.state.queue).toMatchObject({ queued: 0, active: 0 });
    await expect(onAll()).resolves.toEqual(Array(6).fill(15));
  });
});

test.each(['context', 'isolate'])(
  'not with isolation %s',
  async (isolation) => {
    const pool = WorkerPool.create('pool', { isolation });
    await expect(pool.broadcast(() => 1)).rejects.toThrow(
      'WorkerPool.broadcast requires isolation "worker"',
    );
    await pool.stop();
  },
);
