'use strict';
// Random storms of run, cancel, deadline, drain and stop: every promise
// settles exactly once, the counters add up, nothing stays behind.
//   node core-storm.js [rounds] [seed]

const { WorkerPool, Code, assert, outcomeOf, pass } =
  require('./support/check.js');

const rounds = Number(process.argv[2] ?? 25);
let seed = Number(process.argv[3] ?? 20_240_607);
console.log(`seed ${seed}`);

// mulberry32
function random() {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}
const below = (n) => Math.floor(random() * n);
const pick = (list) => list[below(list.length)];

const JOBS = [
  () => 1,
  ({ input }) => input,
  () => {
    for (;;);
  },
  async () => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    return 1;
  },
  () => new Promise(() => {}),
  () => {
    throw new RangeError('on purpose');
  },
  () => {
    setInterval(() => {}, 1);
    return new Promise(() => {});
  },
  ({ emit }) => {
    for (let i = 0; i < 20; i++) emit(i);
  },
  ({ signal }) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve('aborted'));
      setTimeout(resolve, 20);
    }),
  () => new Uint8Array(50_000),
  () => {
    const end = Date.now() + 2;
    while (Date.now() < end);
    return 'spun';
  },
];

async function round(number) {
  const pool = WorkerPool.create(`storm ${number}`, {
    workers: 1 + below(3),
    maxQueued: 1 + below(40),
    overflow: pick(['reject', 'backpressure']),
    maxBackpressureWaiters: 1 + below(20),
    isolation: pick(['worker', 'worker', 'context', 'isolate']),
    cancelGraceMs: pick([0, 0, 1, 5]),
    memoryLimitMb: 64,
  });
  const counts = new Map();
  const settled = [];
  let asked = 0;
  const jobs = 60 + below(60);
  for (let i = 0; i < jobs; i++) {
    const abort = new AbortController();
    asked += 1;
    const fn = pick(JOBS);
    const endless = fn === JOBS[2] || fn === JOBS[6];
    const promise = pool.run(fn, {
      input: { i, text: 'x'.repeat(below(100)) },
      signal: abort.signal,
      timeoutMs: endless || below(3) === 0 ? below(30) : undefined,
      priority: below(8),
    });
    let times = 0;
    settled.push(
      outcomeOf(promise).then((outcome) => {
        times += 1;
        assert.strictEqual(times, 1);
        counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      }),
    );
    if (below(4) === 0) {
      const when = below(15);
      if (when === 0) abort.abort();
      else setTimeout(() => abort.abort(), when);
    }
    if (below(6) === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    if (below(40) === 0) await new Promise(setImmediate);
  }
  const how = below(4);
  if (how === 0) await Promise.all(settled);
  if (how === 1) await pool.drain();
  const [stopped] = await Promise.all([
    pool.stop({ drain: how !== 2, timeoutMs: below(60) }),
    how === 3 ? pool.stop({ drain: false, timeoutMs: 1 }) : undefined,
  ]);
  await Promise.all(settled);
  assert.strictEqual(typeof stopped.forced, 'number');

  const { queue } = pool.state;
  const total = [...counts.values()].reduce((a, b) => a + b, 0);
  assert.strictEqual(total, asked);
  assert.strictEqual(queue.active, 0);
  assert.strictEqual(queue.queued, 0);
  const of = (name) => counts.get(Code[name]) ?? 0;
  const { stats } = queue;
  assert.strictEqual(stats.completed, counts.get('ok') ?? 0, 'completed');
  assert.ok(stats.failed >= of('JobFailed'), 'failed');
  for (const outcome of counts.keys()) {
    assert.ok(
      outcome === 'ok' ||
        [
          'JobFailed',
          'JobCancelled',
          'JobTimeout',
          'ShutdownCancelled',
          'QueueFull',
          'QueueStopped',
        ].some((name) => Code[name] === outcome),
      outcome,
    );
  }
}

(async () => {
  for (let number = 0; number < rounds; number++) {
    const before = seed;
    await round(number).catch((error) => {
      console.log(`round ${number}, seed ${before}`);
      throw error;
    });
  }
  pass();
})();
