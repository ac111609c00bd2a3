'use strict';
// The parties of a chaotic round. Each does a random amount of random things,
// settles everything it began, and checks its own counts.

const assert = require('node:assert');
const { join } = require('node:path');
const threads = require('node:worker_threads');
const { Worker, WorkerPool } = require('../../lib/index.js');
const {
  createMessageWorker,
} = require('../../lib/message-worker/message-worker.js');
const { HOST, HUNGRY, JOBS } = require('./jobs.js');
const data = require('./data-actors.js');
const neighbours = require('./neighbour-actors.js');
const runtimes = require('./runtime-actors.js');
const special = require('./special-actors.js');
const { Tally } = require('./tally.js');

const MODULE = join(__dirname, '../scenario/fixtures/modules/counter.mjs');
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const ignore = () => {};

async function readStream(pool, random) {
  const leave = random.below(12);
  const options = { timeoutMs: 200 };
  const make = random.chance(0.5)
    ? function* () {
        for (let i = 0; i < 40; i++) yield i;
      }
    : async function* () {
        for (let i = 0; ; i++) yield { i };
      };
  let expected = 0;
  for await (const value of pool.stream(make, options)) {
    assert.strictEqual(typeof value === 'number' ? value : value.i, expected);
    if (++expected > leave * 4) break;
  }
}

async function mapAll(pool, random) {
  const n = random.below(30);
  let next = 0;
  const double = ({ input }) => input * 2;
  const list = Array.from({ length: n }, (_, i) => i);
  for await (const value of pool.map(list, double, { timeoutMs: 500 })) {
    assert.strictEqual(value, next++ * 2);
  }
  assert.strictEqual(next, n);
}

async function streamIn(pool, random) {
  const n = 1 + random.below(60);
  async function* numbers() {
    for (let i = 0; i < n; i++) yield i;
  }
  const sum = async ({ input }) => {
    let total = 0;
    for await (const value of input) total += value;
    return total;
  };
  const total = await pool.run(sum, { input: numbers(), timeoutMs: 500 });
  assert.strictEqual(total, (n * (n - 1)) / 2);
}

function submit(pool, random, tally, hungry) {
  const abort = new AbortController();
  const eats = hungry && random.chance(0.03);
  const job = eats
    ? { run: random.pick(HUNGRY), ends: false }
    : random.pick(JOBS);
  const limited = !job.ends || random.chance(0.3);
  const limit = eats ? 20_000 : 1 + random.below(40);
  tally.add(
    pool.run(job.run, {
      input: { n: random.below(100), text: 'x'.repeat(random.below(100)) },
      signal: abort.signal,
      timeoutMs: limited ? limit : undefined,
      priority: random.below(8),
      onMessage: ignore,
    }),
  );
  if (!eats && random.chance(0.25)) {
    const when = random.below(15);
    if (when === 0) abort.abort();
    else setTimeout(() => abort.abort(), when);
  }
}

function disturb(pool, random, size) {
  switch (random.below(8)) {
    case 0:
      pool.resize(1 + random.below(size + 1));
      break;
    case 1:
      pool.pause();
      setTimeout(() => pool.resume(), random.below(10));
      break;
    case 2:
      pool.drain();
      break;
    case 3:
      pool.stats().catch(ignore);
      break;
    default:
  }
}

async function poolActor(random) {
  const size = 1 + random.below(3);
  const hungry = random.chance(0.25);
  const pool = WorkerPool.create('chaos', {
    workers: size,
    minWorkers: random.below(size + 1),
    maxQueued: 1 + random.below(40),
    overflow: random.pick(['reject', 'backpressure']),
    maxBackpressureWaiters: 1 + random.below(20),
    isolation: random.pick(['worker', 'worker', 'context', 'isolate']),
    cancelGraceMs: random.pick([0, 0, 1, 5]),
    recycleAfterJobs: random.pick([Infinity, Infinity, 7]),
    idleTimeoutMs: random.pick([Infinity, 1, 20]),
    cpuLimitMs: random.pick([Infinity, Infinity, 30_000]),
    memoryLimitMb: hungry ? 16 : 64,
    host: HOST,
  });
  pool.on('error', ignore);
  const tally = new Tally();
  const plain = random.chance(0.4);
  const jobs = 40 + random.below(80);
  for (let i = 0; i < jobs; i++) {
    submit(pool, random, tally, hungry);
    if (!plain && random.chance(0.1)) {
      tally.add(random.pick([readStream, mapAll, streamIn])(pool, random));
    }
    if (random.chance(0.05)) disturb(pool, random, size);
    if (random.chance(0.2)) await wait(1);
  }
  pool.resume();
  const how = random.below(4);
  if (how === 0) await tally.settle();
  if (how === 1) await pool.drain();
  const timeoutMs = random.below(60);
  const [stopped] = await Promise.all([
    pool.stop({ drain: how !== 2, timeoutMs }),
    how === 3 ? pool.stop({ drain: false, timeoutMs: 1 }) : undefined,
  ]);
  await tally.settle();
  assert.strictEqual(typeof stopped.forced, 'number');
  const { active, queued, stats } = pool.state.queue;
  assert.deepStrictEqual({ active, queued }, { active: 0, queued: 0 });
  const ok = tally.counts.get('ok') ?? 0;
  // Streams and maps are several jobs, or end without an outcome of one.
  if (plain) assert.strictEqual(stats.completed, ok, 'completed');
  assert.ok(stats.completed + stats.failed <= stats.enqueued, 'enqueued');
}

async function workerActor(random) {
  const tally = new Tally();
  const worker = await Worker.start(MODULE, {
    memoryLimitMb: 32,
    startTimeoutMs: 200_000,
  });
  const calls = 5 + random.below(30);
  for (let i = 0; i < calls; i++) {
    const name = random.pick(['add', 'later', 'identity', 'loop', 'fails']);
    tally.add(worker.invoke(name, i, { timeoutMs: 1 + random.below(60) }));
    if (random.chance(0.02)) tally.add(worker.invoke('eat', null));
    if (random.chance(0.2)) tally.add(worker.post({ i }));
    if (random.chance(0.3)) await wait(1);
  }
  if (random.chance(0.5)) await tally.settle();
  await worker.stop({ timeoutMs: random.below(50) });
  await tally.settle();
}

async function messageActor(random) {
  const source = `
    const { parentPort } = require('node:worker_threads');
    parentPort.on('message', (n) => {
      if (n === 'loop') for (;;);
      if (n === 'exit') process.exit(3);
      if (n === 'throw') throw new Error('on purpose');
      parentPort.postMessage(n);
    });`;
  const worker = createMessageWorker({ runtime: 'isolate', source });
  let answers = 0;
  worker.on('error', ignore);
  worker.on('message', (n) => assert.strictEqual(n, answers++));
  const exited = new Promise((resolve) => worker.once('exit', resolve));
  const n = random.below(30);
  for (let i = 0; i < n; i++) worker.postMessage(i);
  const end = random.pick(['loop', 'exit', 'throw', 'none']);
  if (end !== 'none') worker.postMessage(end);
  await wait(random.below(30));
  worker.terminate();
  await exited;
  assert.ok(answers <= n);
}

async function threadActor(random) {
  const thread = new threads.Worker(join(__dirname, 'thread.js'), {
    workerData: random.below(4),
  });
  thread.on('error', (error) => {
    assert.strictEqual(error.message, 'on purpose');
  });
  const exited = new Promise((resolve) => thread.once('exit', resolve));
  if (random.chance(0.5)) {
    await Promise.race([exited, wait(random.below(150))]);
    await thread.terminate();
  }
  await exited;
}

const ACTORS = [
  poolActor,
  poolActor,
  poolActor,
  workerActor,
  messageActor,
  threadActor,
  ...Object.values(special),
  ...Object.values(neighbours),
  ...Object.values(data),
  ...Object.values(runtimes),
];

module.exports = { ACTORS };
