'use strict';
// Pools of threads, and jobs that begin when a test lets them.

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

// Begins when the test lets it, and tells of it without the owner's thread.
const words = () => new Int32Array(new SharedArrayBuffer(16));
const job = ({ input: { at, array } }) => {
  Atomics.store(array, at, 1);
  Atomics.notify(array, at);
  // It waits until the owner has blocked, or let it go.
  Atomics.wait(array, 3, 0);
  return at;
};

async function begun(array, at) {
  while (Atomics.load(array, at) === 0) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

function release(array) {
  Atomics.store(array, 3, 1);
  Atomics.notify(array, 3);
}

/** A pool whose thread has begun the first job, which waits. */
async function withFirst() {
  const pool = createPool({ payload: 'clone' });
  const array = words();
  const first = pool.run(job, { input: { at: 0, array } });
  await begun(array, 0);
  return { array, first, pool };
}

// Blocks this thread until the job has begun.
function awaitBlocked(array, at) {
  Atomics.wait(array, at, 0, 60_000);
  expect(Atomics.load(array, at)).toBe(1);
}

module.exports = {
  awaitBlocked,
  begun,
  createPool,
  job,
  release,
  withFirst,
  words,
};
