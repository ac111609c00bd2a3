'use strict';
// The call option `key`: jobs of one key run in order, and keys take turns.

const { WorkerPool } = require('../../../lib/index.js');
const {
  busy,
  createGate,
  poolWith,
  recorder,
  stopPools,
  turn,
} = require('./lanes-support.js');

afterEach(stopPools);

describe.each(['isolate', 'thread'])('in runtime %s', (runtime) => {
  test('a key with a backlog does not hold up another', async () => {
    const pool = poolWith({ runtime });
    const { order, run } = recorder(pool);
    const big = Array.from({ length: 40 }, (_, i) => run('big', `big${i}`));
    await big[9];
    const before = order.length;
    await run('small', 'small');
    // Those that the executor had come first, and those whose messages were
    // on their way.
    expect(order.indexOf('small') - before).toBeLessThan(10);
    await Promise.all(big);
    const names = order.filter((name) => name !== 'small');
    expect(names).toEqual(names.map((_, i) => `big${i}`));
  });

  test('keys take turns, each in its order', async () => {
    const pool = poolWith({ runtime });
    const release = await busy(pool, { key: 'x' });
    const { order, run } = recorder(pool);
    const jobs = [];
    for (const key of ['a', 'b', 'c']) {
      for (let i = 0; i < 4; i += 1) jobs.push(run(key, key + i));
    }
    await release();
    await Promise.all(jobs);
    // The first one was with the executor before the others came.
    for (let i = 0; i < 4; i += 1) {
      const round = order.slice(3 * i, 3 * i + 3).sort();
      expect(round).toEqual([`a${i}`, `b${i}`, `c${i}`]);
    }
  });

  test('keys take turns by their weights', async () => {
    const pool = poolWith({ runtime });
    const release = await busy(pool, { key: 'x' });
    const { order, run } = recorder(pool);
    const jobs = [];
    const weights = { a: 3, b: 1, c: 2 };
    for (const [key, weight] of Object.entries(weights)) {
      for (let i = 0; i < 6; i += 1) jobs.push(run(key, key, { weight }));
    }
    await release();
    await Promise.all(jobs);
    expect(order.join('')).toBe('aaabccaaabccbccbbb');
  });

  test('a key has the weight of its latest call', async () => {
    const pool = poolWith({ runtime });
    const release = await busy(pool, { key: 'x' });
    const { order, run } = recorder(pool);
    const jobs = [];
    for (let i = 0; i < 4; i += 1) jobs.push(run('a', 'a', { weight: 4 }));
    for (let i = 0; i < 4; i += 1) jobs.push(run('b', 'b', { weight: 3 }));
    jobs.push(run('a', 'a', { weight: 2 }));
    await release();
    await Promise.all(jobs);
    expect(order.join('')).toBe('aabbbaaba');
  });

  test('a wrong weight', async () => {
    const pool = poolWith({ runtime });
    for (const weight of [0, 101, 1.5, '2', null, Number.NaN]) {
      await expect(pool.run(() => 1, { key: 'a', weight })).rejects.toThrow(
        new TypeError('worker weight must be an integer from 1 to 100.'),
      );
    }
    await expect(pool.run(() => 1, { weight: 2 })).rejects.toThrow(
      new TypeError('worker weight requires a key.'),
    );
    await expect(pool.run(() => 1, { key: 'a', weight: 100 })).resolves.toBe(1);
  });

  test('tenants with one job wait for one, beside one with 500', async () => {
    const pool = poolWith({ runtime, payload: 'clone', workers: 1 });
    const started = new Int32Array(new SharedArrayBuffer(4));
    const start = ({ input }) => Atomics.add(input, 0, 1);
    const run = (key) => pool.run(start, { key, input: started });
    const big = Array.from({ length: 500 }, () => run('big'));
    await big[0];
    for (let i = 0; i < 90; i += 1) {
      const before = Atomics.load(started, 0);
      expect((await run(`small${i % 9}`)) - before).toBeLessThanOrEqual(3);
    }
    await Promise.all(big);
  });

  test('one job of a key at a time, or maxPerKey', async () => {
    for (const maxPerKey of [1, 2]) {
      let running = 0;
      let most = 0;
      const full = createGate();
      const gate = createGate();
      const host = {
        async enter() {
          running += 1;
          if (running === maxPerKey) full.open();
          most = Math.max(most, running);
          await gate.opened;
          await turn();
          running -= 1;
        },
      };
      const pool = poolWith({ runtime, workers: 4, maxPerKey, host });
      const jobs = Array.from({ length: 8 }, () =>
        pool.run(({ host }) => host.enter(), { key: 'a' }),
      );
      const other = pool.run(() => 'other', { key: 'b' });
      expect(await other).toBe('other');
      await full.opened;
      expect(pool.state.queue).toMatchObject({
        active: maxPerKey,
        queued: 8 - maxPerKey,
      });
      expect(pool.metrics().gauges.queued).toBe(8 - maxPerKey);
      gate.open();
      await Promise.all(jobs);
      expect(most).toBe(maxPerKey);
    }
  });

  test('a more urgent job does not overtake an older one of its key', async () => {
    const pool = poolWith({ runtime, maxPerKey: 8 });
    const release = await busy(pool, { priority: 0 });
    const { order, run } = recorder(pool);
    const jobs = [7, 0, 3].map((priority, i) => run('a', i, { priority }));
    await release();
    await Promise.all(jobs);
    expect(order).toEqual([0, 1, 2]);
  });

  test('inputs are copied when the call is made, buffers moved', async () => {
    const pool = poolWith({ runtime });
    const release = await busy(pool, { key: 'a' });
    const input = { list: [1], bytes: new Uint8Array([1, 2]) };
    const { buffer } = input.bytes;
    const transfer = [buffer];
    const first = pool.run(({ input }) => input, { key: 'a', input, transfer });
    input.list.push(2);
    expect(buffer.byteLength).toBe(0);
    await release();
    expect(await first).toEqual({ list: [1], bytes: new Uint8Array([1, 2]) });
  });

  test('map, stream and receipts have keys', async () => {
    const pool = poolWith({ runtime });
    const receipts = [];
    const receipt = (each) => receipts.push(each);
    const key = 'tenant';
    const options = { key, receipt, concurrency: 4 };
    const values = [];
    for await (const value of pool.map(
      [1, 2, 3],
      ({ input }) => input,
      options,
    )) {
      values.push(value);
    }
    const streamed = pool.stream(
      async function* () {
        yield 4;
      },
      { key, receipt },
    );
    for await (const value of streamed) values.push(value);
    await pool.run(() => 5, { receipt });
    await turn();
    expect(values).toEqual([1, 2, 3, 4]);
    expect(receipts.map((each) => each.key)).toEqual([
      ...Array(4).fill(key),
      null,
    ]);
  });

  test('the receipt of a job that was held back says how long', async () => {
    const pool = poolWith({ runtime });
    const release = await busy(pool, { key: 'a' });
    const receipts = [];
    const receipt = (each) => receipts.push(each);
    const controller = new AbortController();
    const { signal } = controller;
    const jobs = [
      pool.run(() => 1, { key: 'a', receipt, signal }),
      pool.run(() => 1, { key: 'a', receipt }),
    ];
    await new Promise((resolve) => setTimeout(resolve, 20));
    controller.abort();
    await release();
    await Promise.allSettled(jobs);
    await turn();
    expect(receipts[0]).toMatchObject({ outcome: 'cancelled', runMs: 0 });
    expect(receipts[0].queueMs).toBeGreaterThan(0);
    expect(receipts[1]).toMatchObject({ outcome: 'completed', key: 'a' });
    expect(receipts[1].queueMs).toBeGreaterThan(0);
  });

  test('a paused pool, and one that grows', async () => {
    const pool = poolWith({ runtime });
    pool.pause();
    const { order, run } = recorder(pool);
    const jobs = Array.from({ length: 20 }, (_, i) => run(`k${i}`, i));
    await turn();
    expect(order).toEqual([]);
    pool.resize(4);
    pool.resume();
    await Promise.all(jobs);
    expect(order).toHaveLength(20);
  });
});

test('many keys leave nothing behind', async () => {
  const pool = poolWith({ workers: 2 });
  const jobs = Array.from({ length: 1000 }, (_, i) =>
    pool.run(({ input }) => input, { key: `k${i % 397}`, input: i }),
  );
  const values = await Promise.all(jobs);
  expect(values.every((value, i) => value === i)).toBe(true);
  expect(pool.state.queue).toMatchObject({ active: 0, queued: 0 });
});

test('bad keys and options are refused', async () => {
  const pool = poolWith();
  for (const key of ['', 'x'.repeat(257), 5, null, Symbol('s'), {}]) {
    await expect(pool.run(() => 1, { key })).rejects.toThrow(
      new TypeError('worker key must be a string of 1 to 256 characters.'),
    );
  }
  expect(await pool.run(() => 1, { key: '__proto__' })).toBe(1);
  await expect(pool.broadcast(() => 1, { key: 'a' })).rejects.toThrow(
    /^WorkerPool.broadcast has no option "key": .* Use WorkerPool.run/,
  );
  const make = (options) => () => WorkerPool.create('lanes', options);
  expect(make({ maxPerKey: 0 })).toThrow(TypeError);
  expect(make({ maxQueuedPerKey: 0 })).toThrow(TypeError);
  expect(make({ maxPerKey: 2, order: 'deadline' })).toThrow(
    new TypeError('WorkerPool.maxPerKey above 1 requires order "priority".'),
  );
  expect(make({ maxPerKeys: 1 })).toThrow(/did you mean "maxPerKey"/);
});
