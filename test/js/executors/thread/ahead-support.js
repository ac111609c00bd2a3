'use strict';
// Pools of threads whose jobs say when they have begun, without the owner.

const { WorkerPool } = require('../../../../lib/index.js');

const pools = [];

function createPool(options) {
  const pool = WorkerPool.create('ahead', { runtime: 'thread', ...options });
  pools.push(pool);
  return pool;
}

afterEach(() =>
  Promise.all(
    pools.splice(0).map((pool) => pool.stop({ drain: false, timeoutMs: 0 })),
  ),
);

// The last word is the gate.
const GATE = 7;
const words = () => new Int32Array(new SharedArrayBuffer(32));

// Begins when the test lets it, and tells of it without the owner's thread.
const job = ({ input: { at, array } }) => {
  Atomics.store(array, at, 1);
  Atomics.notify(array, at);
  // Until the owner has blocked, or let it go.
  Atomics.wait(array, 7, 0);
  return at;
};

async function begun(array, at) {
  while (Atomics.load(array, at) === 0) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/**
 * So many workers of the pool have ended a job, each one, so that their owner
 * takes none of them for one that starts.
 */
function ready(pool, count) {
  const met = words();
  const meet = ({ input: { array, all } }) => {
    if (Atomics.add(array, 0, 1) + 1 === all) {
      Atomics.store(array, 1, 1);
      Atomics.notify(array, 1);
    }
    Atomics.wait(array, 1, 0);
  };
  const input = { array: met, all: count };
  return Promise.all(
    Array.from({ length: count }, () => pool.run(meet, { input })),
  );
}

function release(array) {
  Atomics.store(array, GATE, 1);
  Atomics.notify(array, GATE);
}

/** A pool whose thread has begun the first job, which waits. */
async function withFirst(options) {
  const pool = createPool({ payload: 'clone', ...options });
  const array = words();
  const first = pool.run(job, { input: { at: 0, array } });
  await begun(array, 0);
  return { array, first, pool };
}

/** Blocks this thread until the job has begun. */
function awaitBlocked(array, at) {
  Atomics.wait(array, at, 0, 60_000);
  expect(Atomics.load(array, at)).toBe(1);
}

module.exports = {
  awaitBlocked,
  begun,
  createPool,
  job,
  ready,
  release,
  withFirst,
  words,
};
