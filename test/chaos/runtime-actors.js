'use strict';
// Parties for what all runtimes promise alike: whatever ends a job, and however
// busy the owner is, the pool's counters are those of the promises that it gave.

const assert = require('node:assert');
const { WorkerPool } = require('../../lib/index.js');
const { Code, outcomeOf } = require('../scenario/support/check.js');
const { HOST, JOBS, NEVER } = require('./jobs.js');
const { ALL } = require('./runtimes.js');

const ignore = () => {};
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const REFUSED = [Code.QueueFull, Code.QueueStopped, Code.PoolSaturated];
const CANCELLED = [Code.JobCancelled, Code.ShutdownCancelled];

// A job that waits for nothing is seen where nothing of another can be left. What
// does not return ends with its thread or process, whose starts are dear.
function jobOf(random, { concurrentJobsPerWorker, runtime }) {
  const job = random.pick(JOBS);
  const isOwned = runtime !== 'isolate';
  const goesOn =
    job.run === NEVER && (isOwned || concurrentJobsPerWorker !== 1);
  const isDear = isOwned && !job.ends && random.chance(0.7);
  return goesOn || isDear ? JOBS[0] : job;
}

/** Keeps the owner's thread busy, so that limits are over before their timers. */
function stall(ms) {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

function optionsOf(runtime, random) {
  const isOwned = runtime !== 'isolate';
  const workers = 1 + random.below(isOwned ? 2 : 3);
  const isSandbox = runtime === 'sandbox';
  return {
    runtime: isSandbox ? undefined : runtime,
    workers,
    metrics: true,
    maxQueued: 1 + random.below(40),
    overflow: random.pick(['reject', 'backpressure']),
    maxBackpressureWaiters: 1 + random.below(20),
    cancelGraceMs: random.pick([0, 0, 1, 5]),
    recycleAfterJobs: random.pick([Infinity, Infinity, 9]),
    ...random.pick([{}, {}, { agingMs: 2 }, { order: 'deadline' }]),
    ...(isSandbox
      ? { sandbox: true, runTimeoutMs: 2000 }
      : { concurrentJobsPerWorker: random.pick([1, 1, 3]) }),
    host: HOST,
  };
}

/** The counters that the outcomes of all calls make. */
function expectAccounts(pool, outcomes) {
  const byCode = {};
  const expected = { completed: 0, failed: 0, cancelled: 0, timedOut: 0 };
  let refused = 0;
  for (const outcome of outcomes) {
    if (outcome !== 'ok') byCode[outcome] = (byCode[outcome] ?? 0) + 1;
    if (outcome === 'ok') expected.completed += 1;
    else if (REFUSED.includes(outcome)) refused += 1;
    else if (outcome === Code.JobTimeout) expected.timedOut += 1;
    else if (CANCELLED.includes(outcome)) expected.cancelled += 1;
    else expected.failed += 1;
  }
  const { counters, gauges } = pool.metrics();
  assert.deepStrictEqual(
    { ...counters, byCode: { ...counters.byCode } },
    {
      ...expected,
      byCode,
      refused,
      submitted: outcomes.length - refused,
      workersStarted: counters.workersStarted,
      workersExited: counters.workersStarted,
    },
  );
  const { waiting, queued, running } = gauges;
  assert.deepStrictEqual(
    { waiting, queued, running },
    { waiting: 0, queued: 0, running: 0 },
  );
}

/** Jobs of every kind on each runtime, whose owner stands still now and then. */
async function accountsActor(random) {
  const runtime = random.pick(ALL);
  const isOwned = runtime !== 'isolate';
  const settings = optionsOf(runtime, random);
  const pool = WorkerPool.create('accounts', settings);
  pool.on('error', ignore);
  const keys = random.chance(0.5) ? [undefined, 'a', 'b'] : [undefined];
  const calls = [];
  for (let n = 20 + random.below(isOwned ? 40 : 120); n > 0; n--) {
    const { run, ends } = jobOf(random, settings);
    const abort = new AbortController();
    const limit = 1 + random.below(random.pick([4, 40]));
    const stalls = random.chance(0.3);
    const options = {
      input: { n },
      signal: abort.signal,
      priority: random.below(8),
      key: random.pick(keys),
      [random.pick(['timeoutMs', 'runTimeoutMs'])]:
        !ends || random.chance(0.3) ? limit : undefined,
      onMessage: () => stalls && stall(random.below(5)),
    };
    calls.push(outcomeOf(pool.run(run, options)));
    if (random.chance(0.2)) setTimeout(() => abort.abort(), random.below(8));
    if (random.chance(0.1)) stall(random.below(30));
    if (random.chance(0.2)) await wait(1);
  }
  if (random.chance(0.5)) await Promise.all(calls);
  await pool.stop({ drain: random.chance(0.5), timeoutMs: random.below(60) });
  expectAccounts(pool, await Promise.all(calls));
}

module.exports = { accountsActor };
