'use strict';
// Parties for what pools tell of jobs, say to all workers and carry as clones:
// each job that was let in has one receipt, each broadcast one row for a worker.

const assert = require('node:assert');
const { WorkerPool } = require('../../lib/index.js');
const { Code, outcomeOf } = require('../scenario/support/check.js');
const { HOST, HUNGRY, JOBS, NEVER } = require('./jobs.js');
const { FREE } = require('./runtimes.js');
const { Tally } = require('./tally.js');

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const ignore = () => {};
// What a thread or process does not interrupt ends it, and neither sees that a job
// waits for nothing.
const ENDING = JOBS.filter(({ run, ends }) => ends && run !== NEVER);
// Ends of jobs that began, so that they have cost something.
const HAS_RUN = ['ok', Code.JobFailed, Code.ResourceLimit, Code.Crashed];

/** One call: what its promise and its receipts say. */
class Call {
  receipts = [];
  outcome = '';
  // Receipts are judged in the end, because errors of listeners are caught.
  receipt = (r) => this.receipts.push(r);

  async watch(promise) {
    this.outcome = await outcomeOf(promise);
  }

  /** One receipt if it has begun, none if it was refused; never two. */
  async check() {
    if (HAS_RUN.includes(this.outcome)) {
      while (this.receipts.length === 0) await wait(1);
    }
    assert.ok(this.receipts.length <= 1, JSON.stringify(this.receipts));
    for (const receipt of this.receipts) {
      assert.ok(Object.isFrozen(receipt));
      assert.ok(receipt.queueMs >= 0 && receipt.runMs >= 0);
      assert.strictEqual(receipt.code ?? 'ok', this.outcome);
    }
  }
}

/** Jobs of every kind, each with a receipt. */
async function receiptActor(random) {
  const runtime = random.pick(FREE);
  const isOwned = runtime !== 'isolate';
  const pool = WorkerPool.create('receipts', {
    runtime,
    workers: 1 + random.below(3),
    maxQueued: 1 + random.below(60),
    overflow: random.pick(['reject', 'backpressure']),
    payload: random.pick(['plain', 'clone']),
    maxQueuedPerKey: random.pick([Infinity, 5]),
    ...random.pick([{}, {}, { agingMs: 2 }, { order: 'deadline' }]),
    ...(isOwned
      ? {}
      : {
          isolation: random.pick(['worker', 'context', 'isolate']),
          recycleAfterJobs: random.pick([Infinity, 5]),
          memoryLimitMb: 16,
        }),
    host: HOST,
  });
  pool.on('error', ignore);
  let events = 0;
  if (random.chance(0.5)) pool.on('job', () => (events += 1));
  const tally = new Tally();
  const calls = [];
  for (let jobs = 10 + random.below(60); jobs > 0; jobs--) {
    const eats = !isOwned && random.chance(0.02);
    const { run, ends } = eats
      ? { run: random.pick(HUNGRY), ends: false }
      : random.pick(isOwned ? ENDING : JOBS);
    const abort = new AbortController();
    const limit = eats ? 20_000 : 1 + random.below(40);
    const call = new Call();
    const promise = pool.run(run, {
      input: { n: random.below(100) },
      receipt: call.receipt,
      signal: abort.signal,
      priority: random.below(8),
      key: random.pick([undefined, 'a', 'b', 'c']),
      [random.pick(['timeoutMs', 'runTimeoutMs'])]:
        !ends || random.chance(0.3) ? limit : undefined,
      onMessage: ignore,
    });
    call.watch(promise);
    calls.push(call);
    tally.add(promise);
    if (!eats && random.chance(0.2)) setTimeout(() => abort.abort(), 3);
    if (random.chance(0.2)) await wait(1);
  }
  if (random.chance(0.5)) await tally.settle();
  await pool.stop({ drain: random.chance(0.5), timeoutMs: random.below(60) });
  await tally.settle();
  for (const call of calls) await call.check();
  assert.ok(events <= calls.length);
}

const GREET = ({ input }) => {
  globalThis.said = input;
  return input;
};
const BAD_ROWS = [
  Code.PoolUnavailable,
  Code.JobTimeout,
  Code.ShutdownCancelled,
  Code.JobCancelled,
];

/** Broadcasts while workers start, end and are renewed. */
async function broadcastActor(random) {
  const size = 1 + random.below(4);
  const pool = WorkerPool.create('broadcast', {
    runtime: random.pick(FREE),
    workers: size,
    maxQueued: 200,
    idleTimeoutMs: random.pick([Infinity, 1, 20]),
  });
  pool.on('error', ignore);
  const tally = new Tally();
  const rounds = [];
  const later = random.chance(0.5);
  if (later) await pool.broadcast(GREET, { input: 0, later });
  for (let n = 1; n <= 10 + random.below(20); n++) {
    if (random.chance(0.3)) {
      // One that costs a worker its globals is left out in the next.
      const isLimited = !later && random.chance(0.3);
      const timeoutMs = isLimited ? 1 + random.below(30) : undefined;
      rounds.push(pool.broadcast(GREET, { input: n, later, timeoutMs }));
    }
    if (later) {
      // Every worker has been told something before its first job.
      tally.add(
        pool
          .run(() => typeof globalThis.said)
          .then((seen) => assert.strictEqual(seen, 'number')),
      );
    } else tally.add(pool.run(() => 1));
    if (random.chance(0.1)) pool.resize(1 + random.below(size + 1));
    if (random.chance(0.1)) {
      pool.pause();
      setTimeout(() => pool.resume(), random.below(5));
    }
    if (random.chance(0.3)) await wait(random.below(5));
  }
  pool.resume();
  if (random.chance(0.5)) await tally.settle();
  await pool.stop({ drain: random.chance(0.5), timeoutMs: random.below(60) });
  await tally.settle();
  for (const round of rounds) {
    const rows = await round.catch((error) => {
      assert.ok(error.code === Code.QueueStopped, error);
      return [];
    });
    for (const { status, reason } of rows) {
      if (status === 'rejected')
        assert.ok(BAD_ROWS.includes(reason.code), reason);
    }
  }
}

function cycle() {
  const object = { deep: [] };
  object.deep.push(object);
  return object;
}

const CLONES = [
  (n) => new Date(n),
  (n) => new Map([[n, { at: new Date(n), big: [BigInt(n)] }]]),
  (n) => new Set([undefined, Number.NaN, -0, n]),
  () => /clone/giu,
  cycle,
  (n) => new Uint8Array(new SharedArrayBuffer(8)).fill(n),
  (n) => new Uint16Array(n * 700).fill(n),
  (n) => Buffer.from('x'.repeat(n)),
  // biome-ignore lint/suspicious/noSparseArray: holes are kept.
  () => [, 1, , 2],
  (n) => new RangeError('cloned', { cause: { n } }),
  (n) => Object(BigInt(n)),
];
const ECHO = ({ input }) => input;

/** Values of every kind there and back, while jobs end in every way. */
async function cloneActor(random) {
  const pool = WorkerPool.create('clones', {
    payload: 'clone',
    runtime: random.pick(['isolate', 'isolate', 'thread']),
    workers: 1 + random.below(2),
    maxQueued: 1 + random.below(60),
  });
  pool.on('error', ignore);
  const tally = new Tally();
  for (let jobs = 20 + random.below(60); jobs > 0; jobs--) {
    const value = random.pick(CLONES)(random.below(100));
    const abort = new AbortController();
    const options = { input: value, signal: abort.signal };
    if (random.chance(0.2)) options.runTimeoutMs = 1 + random.below(20);
    if (random.chance(0.2)) {
      const moved = new ArrayBuffer(random.below(100_000));
      options.input = { value, moved };
      options.transfer = [moved];
      const same = { value, moved: new ArrayBuffer(moved.byteLength) };
      tally.expect(same, pool.run(ECHO, options));
    } else tally.expect(value, pool.run(ECHO, options));
    if (random.chance(0.1)) tally.add(pool.run(() => () => 1));
    if (random.chance(0.1)) setTimeout(() => abort.abort(), random.below(4));
    if (random.chance(0.2)) await wait(1);
  }
  if (random.chance(0.5)) await tally.settle();
  await pool.stop({ drain: random.chance(0.5), timeoutMs: random.below(60) });
  await tally.settle();
}

module.exports = { broadcastActor, cloneActor, receiptActor };
