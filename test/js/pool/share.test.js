'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const { WorkerPool } = require('../../../lib/pool/worker-pool.js');

const MB = 2 ** 20;
const busy = ({ input, shared }) => {
  const until = Date.now() + input;
  while (Date.now() < until);
  return shared.table.version;
};
const version = ({ shared }) => shared.table?.version;
const codeOf = (promise) =>
  promise.then(
    () => 'fulfilled',
    ({ code }) => code,
  );

let folder;
let lookup;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'share-'));
  lookup = path.join(folder, 'lookup.mjs');
  fs.writeFileSync(
    lookup,
    `export const find = (key, { shared }) => shared.table[key];
    export const names = (_, context) => Object.keys({ ...context });`,
  );
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

describe.each(['isolate', 'thread'])('share, runtime %s', (runtime) => {
  let pool;
  const create = (options) => {
    pool = WorkerPool.create('pool', { workers: 2, runtime, ...options });
    return pool;
  };
  const shared = () => pool.metrics().shared;
  afterEach(() => pool.stop({ drain: false, timeoutMs: 2000 }));

  test('is encoded once, and decoded once in each worker', async () => {
    create({ workers: 3 });
    pool.share('table', { version: 1, rows: Array(1000).fill({ a: 'b' }) });
    const jobs = Array.from({ length: 60 }, () => pool.run(busy, { input: 2 }));
    await expect(Promise.all(jobs)).resolves.toEqual(Array(60).fill(1));
    expect(shared()).toMatchObject({ values: 1, encodes: 1 });
    expect(shared().decodes).toBe(pool.metrics().gauges.workers);
    const { decodes } = shared();
    for (let i = 0; i < 20; i++) await pool.run(version);
    expect(shared().decodes).toBe(decodes);
  });

  test('arrives as an input does, and memory stays shared', async () => {
    create({ workers: 1 });
    const memory = new SharedArrayBuffer(16);
    const value = {
      text: 'Zürich 東京',
      long: 'ab'.repeat(1000),
      list: [1, null, undefined, 'x', -0.5, 1e301],
      bytes: new Uint8Array([1, 2, 3]),
      buffer: new ArrayBuffer(5),
      node: Buffer.from('node'),
      empty: new Uint8Array(0),
      rows: Array.from({ length: 50 }, (_, id) => ({ id, name: `n${id}` })),
      memory,
      words: new Int32Array(memory, 8, 2),
    };
    pool.share('table', value);
    const seen = await pool.run(({ shared: { table } }) => {
      const { memory, words, ...plain } = table;
      Atomics.add(words, 0, 7);
      return {
        plain,
        same: words.buffer === memory,
        kind: Object.prototype.toString.call(memory),
        names: Object.keys(table),
        isBuffer: table.node instanceof Buffer,
      };
    });
    const { memory: _, words, ...plain } = value;
    expect(seen.plain).toEqual({
      ...plain,
      list: [1, null, null, 'x', -0.5, 1e301],
    });
    expect(seen).toMatchObject({
      same: true,
      kind: '[object SharedArrayBuffer]',
      names: Object.keys(value),
      isBuffer: true,
    });
    expect(Atomics.load(words, 0)).toBe(7);
  });

  test('what a worker writes into bytes is its own', async () => {
    create({ minWorkers: 2 });
    const bytes = new Uint8Array(3 * MB).fill(1);
    pool.share('table', { bytes });
    bytes.fill(9);
    const change = ({ shared: { table } }) => {
      const until = Date.now() + 30;
      while (Date.now() < until);
      table.bytes[1 << 20] += 1;
      return [table.bytes[0], table.bytes[1 << 20]];
    };
    await pool.broadcast(change);
    const rows = await pool.broadcast(change);
    expect(rows.map(({ value }) => value)).toEqual([
      [1, 3],
      [1, 3],
    ]);
  });

  test('a pool with clones shares what those carry', async () => {
    create({ minWorkers: 2, payload: 'clone' });
    const memory = new SharedArrayBuffer(4);
    pool.share('table', {
      map: new Map([['date', new Date(5)]]),
      node: Buffer.from('node'),
      words: new Int32Array(memory),
      bytes: new Uint8Array(100_000).fill(3),
    });
    const rows = await pool.broadcast(({ shared }) => {
      const { map, node, words, bytes } = shared.table;
      Atomics.add(words, 0, 1);
      return [map.get('date').getTime(), node instanceof Buffer, bytes[9]];
    });
    expect(rows.map(({ value }) => value)).toEqual([
      [5, true, 3],
      [5, true, 3],
    ]);
    expect(new Int32Array(memory)[0]).toBe(2);
    expect(shared()).toMatchObject({ values: 1, encodes: 1, decodes: 2 });
  });

  test('exports find it in their context, also one that is copied', async () => {
    create({ module: lookup });
    await expect(pool.invoke('names')).resolves.not.toContain('shared');
    pool.share('table', { a: 'found' });
    await expect(pool.invoke('find', 'a')).resolves.toBe('found');
    await expect(pool.invoke('names')).resolves.toContain('shared');
    const whole = (context) => ({ ...context }).shared.table.a;
    await expect(pool.run(whole)).resolves.toBe('found');
  });

  test('without anything shared it is there and empty', async () => {
    create();
    await expect(
      pool.run(({ shared }) => Object.keys(shared)),
    ).resolves.toEqual([]);
    await expect(
      pool.run((context) => [
        Object.isFrozen(context.shared),
        Object.keys(context).includes('shared'),
      ]),
    ).resolves.toEqual([true, false]);
    expect(shared()).toBeUndefined();
  });

  test('a job sees what was current when it was submitted', async () => {
    create({ workers: 1 });
    const table = pool.share('table', { version: 1 });
    pool.pause();
    const first = pool.run(version);
    table.update({ version: 2 });
    const second = pool.run(version);
    const other = pool.share('other', 'x');
    const third = pool.run(({ shared }) => [
      shared.table.version,
      shared.other ?? null,
    ]);
    other.release();
    const urgent = pool.run(({ shared }) => Object.keys(shared), {
      priority: 0,
    });
    pool.resume();
    await expect(Promise.all([first, second, third, urgent])).resolves.toEqual([
      1,
      2,
      [2, null],
      ['table'],
    ]);
  });

  test('so does one that had to wait for a place', async () => {
    create({
      workers: 1,
      maxQueued: 1,
      overflow: 'backpressure',
      maxBackpressureWaiters: 10,
    });
    const table = pool.share('table', { version: 1 });
    pool.pause();
    const controller = new AbortController();
    const jobs = [1, 2, 3, 4].map(() => pool.run(version));
    const cancelled = pool.run(version, { signal: controller.signal });
    table.update({ version: 2 });
    jobs.push(pool.run(version));
    controller.abort();
    pool.resume();
    await expect(Promise.all(jobs)).resolves.toEqual([1, 1, 1, 1, 2]);
    await expect(codeOf(cancelled)).resolves.toBe(
      'SLOPPY_E_WORK_JOB_CANCELLED',
    );
    await expect(pool.run(version)).resolves.toBe(2);
  });

  test('also where nothing was shared then', async () => {
    create({
      workers: 1,
      maxQueued: 1,
      overflow: 'backpressure',
      maxBackpressureWaiters: 20,
    });
    const see = ({ shared }) => shared.table?.version ?? null;
    const three = () => [pool.run(see), pool.run(see), pool.run(see)];
    pool.pause();
    const jobs = three();
    const table = pool.share('table', { version: 1 });
    jobs.push(...three());
    pool.resume();
    await expect(Promise.all(jobs)).resolves.toEqual([
      ...[null, null, null],
      ...[1, 1, 1],
    ]);
    table.release();
    pool.pause();
    const later = three();
    pool.share('table', { version: 2 });
    pool.resume();
    await expect(Promise.all(later)).resolves.toEqual([null, null, null]);
    await expect(pool.run(see)).resolves.toBe(2);
  });

  test('a running job keeps what it has read', async () => {
    create({ workers: 1 });
    const table = pool.share('table', { version: 1 });
    let started;
    const isStarted = new Promise((resolve) => {
      started = resolve;
    });
    const job = pool.run(
      async ({ emit, shared }) => {
        const mine = shared.table;
        emit('read');
        await new Promise((resolve) => setTimeout(resolve, 50));
        return [mine.version, shared.table.version];
      },
      { onMessage: started },
    );
    await isStarted;
    table.release();
    await expect(job).resolves.toEqual([1, 1]);
    await expect(pool.run(({ shared }) => 'table' in shared)).resolves.toBe(
      false,
    );
  });

  test('renewed and later workers get it too', async () => {
    create({ workers: 1, recycleAfterJobs: 1 });
    pool.share('table', { version: 1 });
    for (let i = 0; i < 4; i++) {
      await expect(pool.run(version)).resolves.toBe(1);
    }
    pool.resize(3);
    const jobs = Array.from({ length: 9 }, () => pool.run(busy, { input: 10 }));
    await expect(Promise.all(jobs)).resolves.toEqual(Array(9).fill(1));
    const killed = pool.run(
      ({ shared }) => {
        for (;;) shared.table.version += 1;
      },
      { timeoutMs: 50 },
    );
    await expect(codeOf(killed)).resolves.toBe('SLOPPY_E_WORK_JOB_TIMEOUT');
    const again = Array.from({ length: 9 }, () =>
      pool.run(busy, { input: 10 }),
    );
    await expect(Promise.all(again)).resolves.toEqual(Array(9).fill(1));
  });

  test('map, stream and broadcast see it', async () => {
    create();
    pool.share('table', { version: 5 });
    const mapped = [];
    const add = ({ input, shared }) => input + shared.table.version;
    for await (const value of pool.map([1, 2], add)) mapped.push(value);
    expect(mapped).toEqual([6, 7]);
    const streamed = [];
    async function* values({ shared }) {
      yield shared.table.version;
      yield shared.table.version + 1;
    }
    for await (const value of pool.stream(values)) streamed.push(value);
    expect(streamed).toEqual([5, 6]);
    const rows = await pool.broadcast(version);
    expect(new Set(rows.map(({ value }) => value))).toEqual(new Set([5]));
  });

  test('with a signal, a limit, host functions and a receipt', async () => {
    create({ host: { twice: (n) => 2 * n } });
    pool.share('table', { version: 21 });
    let receipt;
    const { signal } = new AbortController();
    const job = ({ shared, host }) => host.twice(shared.table.version);
    await expect(
      pool.run(job, {
        signal,
        timeoutMs: 60_000,
        receipt: (given) => {
          receipt = given;
        },
      }),
    ).resolves.toBe(42);
    expect(receipt.outcome).toBe('completed');
  });

  test('two pools do not see what is the other one’s', async () => {
    create();
    const other = WorkerPool.create('other', { runtime });
    try {
      pool.share('table', { version: 'mine' });
      await pool.run(version);
      await expect(other.run(version)).resolves.toBeUndefined();
      other.share('table', { version: 'theirs' });
      await expect(other.run(version)).resolves.toBe('theirs');
      await expect(pool.run(version)).resolves.toBe('mine');
    } finally {
      await other.stop();
    }
  });

  test('stop() lets jobs end with it; later calls say so', async () => {
    create();
    const table = pool.share('table', { version: 1 });
    const other = pool.share('other', { version: 1 });
    const jobs = Array.from({ length: 6 }, () => pool.run(busy, { input: 5 }));
    const stopped = pool.stop();
    expect(() => table.update(2)).toThrow(
      expect.objectContaining({ code: 'SLOPPY_E_WORK_QUEUE_STOPPED' }),
    );
    expect(() => pool.share('late', 2)).toThrow(
      expect.objectContaining({ code: 'SLOPPY_E_WORK_QUEUE_STOPPED' }),
    );
    await expect(Promise.all(jobs)).resolves.toEqual(Array(6).fill(1));
    other.release();
    await stopped;
    table.release();
    expect(table.released).toBe(true);
    expect(shared()).toMatchObject({ values: 0, bytes: 0, encodes: 2 });
    expect(shared().decodes).toBeGreaterThan(0);
  });

  test('every job settles once while values come and go', async () => {
    create({
      workers: 3,
      concurrentJobsPerWorker: 2,
    });
    const table = pool.share('table', { version: 0 });
    const results = [];
    for (let i = 1; i <= 40; i++) {
      const job = pool.run(
        async ({ input, shared }) => {
          if (input % 3 === 0) await null;
          if (input % 5 === 0) await new Promise((end) => setTimeout(end, 1));
          return shared.table.version;
        },
        { input: i },
      );
      results.push(job);
      table.update({ version: i });
      if (i % 7 === 0) pool.share(`other${i}`, i).release();
      if (i % 4 === 0) await null;
    }
    await expect(Promise.all(results)).resolves.toEqual(
      Array.from({ length: 40 }, (_, i) => i),
    );
    await expect(pool.run(version)).resolves.toBe(40);
  });

  test('without anything shared any more, jobs are plain again', async () => {
    create();
    const table = pool.share('table', { version: 1 });
    await expect(pool.run(version)).resolves.toBe(1);
    table.release();
    const jobs = Array.from({ length: 50 }, (_, i) =>
      pool.run(({ input, shared }) => [input, Object.keys(shared).length], {
        input: i,
      }),
    );
    await expect(Promise.all(jobs)).resolves.toEqual(
      Array.from({ length: 50 }, (_, i) => [i, 0]),
    );
  });
});
