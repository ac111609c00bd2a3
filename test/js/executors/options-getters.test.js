'use strict';

// Reading a job's options may run code of the caller's, which may submit jobs
// of its own: each job sends its own payload.

const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const { Worker } = require('../../../lib/pool/worker.js');
const { WorkerPool } = require('../../../lib/pool/worker-pool.js');

const MINE = ['mine', { n: 1 }];
const OTHER = ['other', 1, 2, 3, { n: 2 }];

const VALUES = {
  deadline: undefined,
  onMessage: undefined,
  priority: 4,
  signal: new AbortController().signal,
  timeoutMs: 60_000,
  transfer: undefined,
};

/** Options whose `key` submits another job when it is read. */
function bagWith(key, submitOther, others) {
  return Object.defineProperty({}, key, {
    enumerable: true,
    get() {
      if (others.length < 8) others.push(submitOther());
      return VALUES[key];
    },
  });
}

async function check(submit, key) {
  const others = [];
  const bag = bagWith(key, () => submit(OTHER), others);
  expect(await submit(MINE, bag)).toEqual(MINE);
  expect(others.length).toBeGreaterThan(0);
  for (const other of others) expect(await other).toEqual(OTHER);
}

describe.each(['isolate', 'thread'])('of a pool, runtime %s', (runtime) => {
  let pool;
  beforeAll(() => {
    pool = WorkerPool.create('getters', { workers: 1, runtime });
  });
  afterAll(() => pool.stop());

  test.each(Object.keys(VALUES))('%s', async (key) => {
    const echo = ({ input }) => input;
    await check((input, bag = {}) => {
      // The bag stays: the getter shall run where options are read.
      bag.input = input;
      return pool.run(echo, bag);
    }, key);
  });
});

test.each(['isolate', 'thread'])(
  'a payload whose getter submits another job, runtime %s',
  async (runtime) => {
    const pool = WorkerPool.create('getters', { workers: 1, runtime });
    const echo = ({ input }) => input;
    let other;
    const input = {
      get first() {
        other = pool.run(echo, { input: OTHER });
        return 1;
      },
      second: 'mine',
    };
    const mine = pool.run(echo, { input });
    expect(await mine).toEqual({ first: 1, second: 'mine' });
    expect(await other).toEqual(OTHER);
    await pool.stop();
  },
);

describe('of a worker', () => {
  const folder = mkdtempSync(join(tmpdir(), 'getters-'));
  const path = join(folder, 'echo.mjs');
  let worker;
  beforeAll(async () => {
    writeFileSync(path, 'export const echo = (value) => value;');
    worker = await Worker.start(path);
  });
  afterAll(async () => {
    await worker.stop();
    rmSync(folder, { recursive: true });
  });

  const ofWorkers = Object.keys(VALUES).filter((key) => key !== 'priority');
  test.each(ofWorkers)('%s', async (key) => {
    await check((input, bag) => worker.invoke('echo', input, bag), key);
  });
});
