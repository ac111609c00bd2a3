'use strict';
// Jobs of threads and processes share the realm that reads and writes values.
// A built-in that they replace may spoil their own work, and no other value.

const { deepStrictEqual } = require('node:assert');

const { WorkerPool } = require('../../../lib/index.js');

const pools = [];

function createPool(runtime, more = {}) {
  const pool = WorkerPool.create('patched', { runtime, workers: 1, ...more });
  pools.push(pool);
  return pool;
}

afterEach(() =>
  Promise.all(
    pools.splice(0).map((pool) => pool.stop({ drain: false, timeoutMs: 0 })),
  ),
);

const LARGE = Array.from({ length: 600 }, (_, id) => ({ id, name: `n${id}` }));
// Left out is what Node's own modules call: Array.prototype.pop for immediates,
// Function.prototype.call and apply for sockets.
const PATCHED = [
  ...['Array.from', 'Array.prototype.map', 'Array.prototype.filter'],
  ...['Array.prototype.slice', 'Array.prototype.push', 'Array.isArray'],
  ...['Array.prototype.@@iterator', 'Array.prototype.includes'],
  ...['Reflect.apply', 'Math.min', 'Atomics.compareExchange'],
  ...['Number.isFinite', 'Number.isInteger'],
  ...['String.prototype.indexOf', 'String.prototype.slice'],
  ...['Buffer.from', 'Buffer.allocUnsafe', 'Buffer.concat'],
  ...['Buffer.prototype.readUInt32LE', 'Buffer.prototype.readDoubleLE'],
  ...['Buffer.prototype.writeUInt32LE', 'Buffer.prototype.writeDoubleLE'],
  ...['Buffer.prototype.latin1Slice', 'Buffer.prototype.subarray'],
  ...['Uint8Array.prototype.set', 'ArrayBuffer.isView'],
  ...['Map.prototype.get', 'Map.prototype.set'],
  ...['Map.prototype.has', 'Map.prototype.delete', 'Map.prototype.size'],
];

function replace({ input }) {
  let owner = globalThis;
  const names = input.split('.');
  for (let i = 0; i < names.length - 1; i += 1) owner = owner[names[i]];
  const last = names[names.length - 1];
  const key = last === '@@iterator' ? Symbol.iterator : last;
  const fail = () => {
    throw new Error('replaced');
  };
  const isRead = Object.getOwnPropertyDescriptor(owner, key)?.get !== undefined;
  if (isRead) Object.defineProperty(owner, key, { get: fail });
  else owner[key] = fail;
}

// Names that messages to a worker have, or lack.
const PARTS = [
  ...['aheadAt', 'cancel', 'entry', 'figures', 'hears', 'leave', 'listens'],
  ...['mail', 'over', 'sealed', 'seq', 'shared', 'slot'],
];

function pollute({ input }) {
  Object.defineProperty(Object.prototype, input, {
    value: 'polluted',
    configurable: true,
    writable: true,
  });
}

function make() {
  const list = [];
  for (let id = 0; id < 600; id += 1) list[id] = { id, name: `n${id}` };
  return list;
}

describe.each(['thread', 'process'])('%s', (runtime) => {
  test.each(PATCHED)('%s', async (name) => {
    const pool = createPool(runtime);
    await pool.run(replace, { input: name });
    expect(await pool.run(({ input }) => input.length, { input: LARGE })).toBe(
      600,
    );
    deepStrictEqual(await pool.run(make), LARGE);
    expect(await pool.run(({ input }) => input, { input: 'small' })).toBe(
      'small',
    );
  });

  test('the size of maps, where several jobs run and one is cancelled', async () => {
    const pool = createPool(runtime, { concurrentJobsPerWorker: 2 });
    await pool.run(replace, { input: 'Map.prototype.size' });
    const controller = new AbortController();
    const cancelled = pool.run(
      ({ signal, emit }) => {
        emit('runs');
        return new Promise((resolve) => {
          signal.onCancel(() => resolve(String(signal.reason)));
        });
      },
      { signal: controller.signal, onMessage: () => controller.abort('why') },
    );
    await expect(cancelled).rejects.toMatchObject({
      code: 'SLOPPY_E_WORK_JOB_CANCELLED',
    });
    const echo = ({ input }) => input;
    const jobs = [1, 2, 3, 4].map((input) => pool.run(echo, { input }));
    expect(await Promise.all(jobs)).toEqual([1, 2, 3, 4]);
    expect(pool.metrics().counters.workersStarted).toBe(1);
  });

  test.each(PARTS)('a polluted %s', async (name) => {
    const pool = createPool(runtime);
    await pool.run(pollute, { input: name });
    deepStrictEqual(await pool.run(make), LARGE);
    const [first, second] = await Promise.all([
      pool.run(({ input }) => input, { input: 'first' }),
      pool.run(({ input }) => input, { input: 'second' }),
    ]);
    expect([first, second]).toEqual(['first', 'second']);
    const controller = new AbortController();
    const cancelled = pool.run(
      ({ signal, emit }) => {
        emit('runs');
        return new Promise((resolve) => signal.onCancel(resolve));
      },
      { signal: controller.signal, onMessage: () => controller.abort() },
    );
    await expect(cancelled).rejects.toMatchObject({
      code: 'SLOPPY_E_WORK_JOB_CANCELLED',
    });
    await pool.stop();
    expect(pool.metrics().counters.workersStarted).toBe(1);
  });
});
