'use strict';
// Jobs that share workers, cancelled, late, endless and greedy among them, in
// random order: every promise settles once, the counts add up, and the pool
// works at the end.

const { Deadline } = require('../../lib/index.js');
const { WorkerPool, assert, pass } = require('./support/check.js');

let seed = 20261121;
function random(n) {
  seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
  return seed % n;
}

const kinds = [
  ({ input }) => input,
  async ({ input }) => {
    await null;
    return input;
  },
  ({ input }) =>
    new Promise((resolve) => setTimeout(resolve, input % 7, input)),
  async ({ input, host, emit }) => {
    emit(input);
    const got = await host.echo(input);
    emit(got);
    return got;
  },
  async ({ input, signal }) => {
    for (let i = 0; i < 10 && !signal.cancelled; i++) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    return input;
  },
  async ({ host }) => {
    await host.never();
  },
  async () => {
    await new Promise(() => {});
  },
  async ({ input }) => {
    await null;
    throw new RangeError(`${input}`);
  },
];
const endless = async () => {
  await new Promise((resolve) => setTimeout(resolve, 1));
  for (;;);
};

async function round(pool, count, withEndless) {
  let settled = 0;
  const jobs = [];
  for (let i = 0; i < count; i++) {
    const controller = new AbortController();
    const options = { input: i, signal: controller.signal };
    const pick = random(kinds.length);
    // A job that waits for ever needs an end of its own.
    if (pick === 5 || random(4) === 0) options.timeoutMs = 1 + random(30);
    else options.deadline = Deadline.never();
    if (random(5) === 0) setTimeout(() => controller.abort(), random(20));
    const job = pool.run(kinds[pick], options);
    const done = () => {
      settled += 1;
    };
    job.then(done, done);
    jobs.push(job.catch((error) => error));
    if (random(10) === 0) await new Promise(setImmediate);
  }
  if (withEndless) {
    jobs.push(pool.run(endless, { timeoutMs: 20 }).catch((error) => error));
  }
  const results = await Promise.all(jobs);
  assert.strictEqual(settled, count);
  for (let i = 0; i < count; i++) {
    const result = results[i];
    if (result instanceof Error) assert.match(result.code, /^SLOPPY_E_/);
    else assert.strictEqual(result, i);
  }
}

(async () => {
  for (const cancelGraceMs of [0, 3]) {
    const pool = WorkerPool.create('shared', {
      workers: 2,
      concurrentJobsPerWorker: 5,
      cancelGraceMs,
      maxQueued: 10_000,
      recycleAfterJobs: 400,
      host: { echo: async (x) => x, never: () => new Promise(() => {}) },
    });
    for (let i = 0; i < 12; i++) await round(pool, 150, i % 3 === 2);
    await pool.drain();
    const { stats, active, queued } = pool.state.queue;
    assert.strictEqual(active + queued, 0);
    assert.strictEqual(
      stats.enqueued,
      stats.completed + stats.failed + stats.cancelled + stats.timedOut,
    );
    assert.strictEqual(await pool.run(() => 'well'), 'well');
    await pool.stop();
  }
  pass();
})();
