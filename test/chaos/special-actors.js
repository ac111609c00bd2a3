'use strict';
// Parties for what pools do in special ways: tiny jobs through shared memory,
// several jobs on one worker, workers that are prepared, stops in every state.

const assert = require('node:assert');
const { join } = require('node:path');
const { WorkerPool } = require('../../lib/index.js');
const { HOST, HUNGRY, SHARED } = require('./jobs.js');
const { Tally } = require('./tally.js');

const PREPARED = join(__dirname, 'fixtures/prepared.mjs');
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const ignore = () => {};
const echo = ({ input }) => input;

/** Checks what a pool says of itself once all is over. */
function expectIdle(pool) {
  const { active, queued, stats } = pool.state.queue;
  assert.deepStrictEqual({ active, queued }, { active: 0, queued: 0 });
  assert.ok(stats.completed + stats.failed <= stats.enqueued, 'enqueued');
}

/** Stops a pool in one of the ways that there are, perhaps in several. */
async function stopSomehow(pool, random) {
  const ways = Array.from({ length: 1 + random.below(2) }, () => ({
    drain: random.chance(0.5),
    timeoutMs: random.below(60),
  }));
  await Promise.all(ways.map((way) => pool.stop(way)));
  await assert.rejects(pool.run(echo, { input: 1 }), {
    code: 'SLOPPY_E_WORK_QUEUE_STOPPED',
  });
}

const tinyInput = (random) =>
  random.pick([
    () => random.below(1000),
    () => null,
    () => 'x'.repeat(random.below(60)),
    () => 'é€'.repeat(random.below(20)),
    () => ({ n: random.below(9), t: 'tiny' }),
    () => [random.next(), [true, -0]],
    () => Array.from({ length: 30 }, (_, i) => i),
  ])();

/** Bursts of jobs that go through the ring, and what disturbs them. */
async function ringActor(random) {
  const size = 1 + random.below(3);
  const pool = WorkerPool.create('ring', {
    workers: size,
    maxQueued: 1 + random.below(1000),
    overflow: random.pick(['reject', 'backpressure']),
    recycleAfterJobs: random.pick([Infinity, Infinity, 40]),
    idleTimeoutMs: random.pick([Infinity, 1]),
    metrics: random.chance(0.3),
  });
  const tally = new Tally();
  for (let bursts = 2 + random.below(8); bursts > 0; bursts--) {
    const limited = random.chance(0.3);
    for (let n = random.below(400); n > 0; n--) {
      const input = tinyInput(random);
      const options = { input };
      if (limited) options.timeoutMs = 1 + random.below(30);
      if (random.chance(0.01)) {
        options.signal = AbortSignal.timeout(random.below(5));
      }
      tally.expect(input, pool.run(echo, options));
    }
    if (random.chance(0.2)) {
      const loop = () => {
        for (;;);
      };
      tally.add(pool.run(loop, { timeoutMs: 1 + random.below(20) }));
    }
    if (random.chance(0.2)) pool.resize(1 + random.below(size + 1));
    if (random.chance(0.1)) pool.stats().catch(ignore);
    if (random.chance(0.1)) {
      pool.pause();
      setTimeout(() => pool.resume(), random.below(5));
    }
    if (random.chance(0.7)) await wait(random.below(5));
  }
  pool.resume();
  if (random.chance(0.3)) await tally.settle();
  await stopSomehow(pool, random);
  await tally.settle();
  expectIdle(pool);
}

/** Workers that run many jobs at a time, some of which do not yield. */
async function sharedActor(random) {
  const hungry = random.chance(0.15);
  const pool = WorkerPool.create('shared', {
    workers: 1 + random.below(2),
    concurrentJobsPerWorker: 2 + random.below(15),
    maxQueued: 1 + random.below(100),
    cancelGraceMs: random.pick([0, 0, 3]),
    recycleAfterJobs: random.pick([Infinity, Infinity, 20]),
    memoryLimitMb: hungry ? 16 : 64,
    host: HOST,
  });
  pool.on('error', ignore);
  const tally = new Tally();
  for (let jobs = 20 + random.below(150); jobs > 0; jobs--) {
    const eats = hungry && random.chance(0.03);
    const { run, ends } = eats
      ? { run: random.pick(HUNGRY), ends: false }
      : random.pick(SHARED);
    const abort = new AbortController();
    const limited = !ends || random.chance(0.3);
    const limit = eats ? 20_000 : 1 + random.below(40);
    tally.add(
      pool.run(run, {
        input: random.below(100),
        signal: abort.signal,
        timeoutMs: limited ? limit : undefined,
      }),
    );
    if (!eats && random.chance(0.2)) setTimeout(() => abort.abort(), 3);
    if (random.chance(0.2)) await wait(1);
  }
  if (random.chance(0.5)) await tally.settle();
  await stopSomehow(pool, random);
  await tally.settle();
  expectIdle(pool);
}

/** Workers that must be prepared, and often cannot be. */
async function initActor(random) {
  const way = random.pick([
    'works',
    'works',
    'throws',
    'loops',
    'never',
    'waits',
    'eats',
    'exits',
  ]);
  const pool = WorkerPool.create('prepared', {
    workers: 1 + random.below(2),
    minWorkers: random.below(2),
    isolation: random.pick(['worker', 'worker', 'context', 'isolate']),
    memoryLimitMb: 16,
    init: {
      module: PREPARED,
      data: { way, luck: random.pick([0, 0.5, 0.9]) },
      timeoutMs: way === 'eats' ? 20_000 : 20 + random.below(40),
    },
  });
  pool.on('error', ignore);
  const tally = new Tally(['StartupFailed']);
  const ends = ['throws', 'loops', 'nothing'];
  const use = ({ input, state }) => {
    state.end = input;
    return state.ready;
  };
  for (let jobs = 1 + random.below(12); jobs > 0; jobs--) {
    const input = random.pick(ends);
    const limited = way !== 'eats' && random.chance(0.5);
    const timeoutMs = limited ? 1 + random.below(80) : undefined;
    tally.expect(1, pool.run(use, { input, timeoutMs }));
    if (random.chance(0.3)) await wait(random.below(10));
  }
  if (random.chance(0.5)) await tally.settle();
  await stopSomehow(pool, random);
  await tally.settle();
  expectIdle(pool);
}

/** A pool that is stopped when it has hardly begun, and from odd places. */
async function stopActor(random) {
  const tally = new Tally();
  let stopped;
  let pool;
  const stop = () => {
    stopped ??= stopSomehow(pool, random);
  };
  pool = WorkerPool.create('stopped', {
    workers: 1 + random.below(2),
    minWorkers: random.below(2),
    host: { stop, wait },
  });
  pool.on('error', ignore);
  const where = random.below(6);
  if (where === 0) stop();
  if (where === 1) pool.pause();
  const jobs = [
    echo,
    async ({ host }) => {
      await host.stop();
      return host.wait(5);
    },
    ({ emit }) => {
      emit(1);
      for (;;);
    },
    function loop() {
      for (;;);
    },
  ];
  for (let n = random.below(20); n > 0; n--) {
    const run = random.pick(where === 2 ? jobs : jobs.slice(0, -1));
    const promise = pool.run(run, {
      input: 1,
      onMessage: stop,
      timeoutMs: 1 + random.below(100),
    });
    if (where === 3) promise.finally(stop).catch(ignore);
    tally.add(promise);
  }
  if (where === 4) await wait(random.below(4));
  stop();
  await stopped;
  await tally.settle();
  expectIdle(pool);
}

const READERS = [
  ({ shared }) => shared.table?.n ?? null,
  ({ shared }) => {
    const { table } = shared;
    if (table === undefined) return null;
    // A worker's own, whatever others do with theirs.
    const seen = table.bytes[0];
    table.bytes[table.bytes.length - 1] += 1;
    return seen === table.n % 256 ? table.n : 'torn';
  },
  async ({ shared }) => {
    const { table } = shared;
    await new Promise((resolve) => setTimeout(resolve, 1));
    return table?.n ?? null;
  },
  (context) => ({ ...context }).shared.table?.n ?? null,
];

/** Shared values come, change and go while jobs read them. */
async function valuesActor(random) {
  const size = 1 + random.below(3);
  const pool = WorkerPool.create('values', {
    workers: size,
    maxQueued: 1 + random.below(200),
    overflow: random.pick(['reject', 'backpressure']),
    isolation: random.pick(['worker', 'worker', 'context', 'isolate']),
    recycleAfterJobs: random.pick([Infinity, Infinity, 7]),
    idleTimeoutMs: random.pick([Infinity, 1]),
  });
  const tally = new Tally();
  let n = 0;
  let releases = 0;
  let table = null;
  const next = () => {
    n += 1;
    return {
      n,
      bytes: new Uint8Array(2 + random.below(300_000)).fill(n % 256),
    };
  };
  const change = () => {
    if (table === null) {
      table = pool.share('table', next());
    } else if (random.chance(0.7)) {
      table.update(next());
    } else {
      table.release();
      table = null;
      releases += 1;
    }
  };
  const read = (abort) => {
    const expected = table === null ? null : n;
    const before = releases;
    const job = pool.run(random.pick(READERS), {
      signal: abort.signal,
      priority: random.below(8),
      timeoutMs: random.pick([undefined, 1 + random.below(30)]),
    });
    tally.add(
      job.then((seen) => {
        // One that was released meanwhile may be gone.
        if (seen === null && releases > before) return;
        assert.strictEqual(seen, expected);
      }),
    );
  };
  for (let steps = 20 + random.below(60); steps > 0; steps--) {
    if (random.chance(0.4)) change();
    const abort = new AbortController();
    for (let jobs = random.below(6); jobs > 0; jobs--) read(abort);
    if (random.chance(0.1)) tally.add(pool.run(HANGS, { timeoutMs: 5 }));
    if (random.chance(0.2)) abort.abort();
    if (random.chance(0.2)) pool.resize(1 + random.below(size));
    if (random.chance(0.3)) await wait(random.below(3));
  }
  await stopSomehow(pool, random);
  table?.release();
  await tally.settle();
  expectIdle(pool);
}

const HANGS = ({ shared }) => {
  for (;;) shared.table?.bytes.fill(7);
};

module.exports = {
  initActor,
  ringActor,
  sharedActor,
  stopActor,
  valuesActor,
};
