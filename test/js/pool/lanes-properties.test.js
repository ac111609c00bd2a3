'use strict';
// Lanes above an executor that the test drives, so that every order of ends can
// occur and nothing depends on time.

const fc = require('fast-check');

const { Admission } = require('../../../lib/admission/admission.js');
const { PoolJob } = require('../../../lib/executors/pool-job.js');
const { Outcome } = require('../../../lib/errors/outcome.js');
const { NO_OPERATION } = require('../../../lib/admission/operation.js');
const { readOperation } = require('../../../lib/admission/read-operation.js');

const KEYS = ['a', 'b', 'c', 'd'];
const RUNS = 300;
// As in lanes.js.
const MORE = 14;

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Starts jobs in the order of priority, then of arrival, as pools do. */
class Driven {
  waiting = [];
  running = [];
  /** Those whose code goes on although they are settled. */
  interrupted = [];
  started = [];
  most = new Map();

  constructor(workers) {
    this.workers = workers;
  }

  jobs() {
    return [...this.running, ...this.waiting];
  }

  keep(job) {
    job.stash = job.value;
    job.value = null;
  }

  submit(job) {
    this.waiting.push(job);
    this.dispatch();
  }

  dispatch() {
    while (this.running.length < this.workers && this.waiting.length > 0) {
      const urgent = Math.min(...this.waiting.map((job) => job.priority));
      const at = this.waiting.findIndex((job) => job.priority === urgent);
      const [job] = this.waiting.splice(at, 1);
      this.running.push(job);
      this.started.push(job);
      const { key } = job;
      const now = this.running.filter((other) => other.key === key).length;
      this.most.set(key, Math.max(now, this.most.get(key) ?? 0));
    }
  }

  remove(job) {
    const at = this.waiting.indexOf(job);
    if (at < 0) return false;
    this.waiting.splice(at, 1);
    return true;
  }

  interrupt(job) {
    this.interrupted.push(job);
  }

  /** A job's code is over: well, badly, or with its worker. */
  end(job, admission) {
    this.running.splice(this.running.indexOf(job), 1);
    if (this.interrupted.includes(job)) admission.release(job);
    else admission.finish(job, Outcome.Completed, job.name);
    this.dispatch();
  }
}

class Pool {
  ends = new Map();
  jobs = [];
  refused = 0;

  constructor({ workers, maxPerKey, maxQueuedPerKey, maxQueued, overflow }) {
    this.executor = new Driven(workers);
    this.perKey = { maxPerKey, maxQueuedPerKey };
    this.admission = new Admission({
      name: 'lanes',
      maxQueued,
      concurrency: workers,
      overflow,
      maxBackpressureWaiters: 5,
      executor: this.executor,
      perKey: this.perKey,
    });
  }

  submit(key, priority, isCancellable) {
    const controller = new AbortController();
    const { signal } = controller;
    const operation = isCancellable ? readOperation({ signal }) : NO_OPERATION;
    const entry = { executor: { host: { encodings: 0 }, hasHost: false } };
    const job = new PoolJob(operation, { bytes: 1 }, entry, null);
    job.name = this.jobs.length;
    job.controller = isCancellable ? controller : null;
    job.priority = priority;
    if (key !== null) job.key = key;
    let promise;
    try {
      promise = this.admission.admit(job);
    } catch {
      this.refused += 1;
      return;
    }
    this.jobs.push(job);
    this.ends.set(job, []);
    const note = (end) => () => this.ends.get(job).push(end);
    promise.then(note('fulfilled'), note('rejected'));
  }
}

const commands = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        type: fc.constant('submit'),
        key: fc.option(fc.constantFrom(...KEYS), { freq: 6 }),
        priority: fc.constantFrom(0, 4, 4, 4, 7),
        isCancellable: fc.boolean(),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ type: fc.constant('end'), at: fc.nat(9) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ type: fc.constant('cancel'), at: fc.nat(50) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constant('resize'),
        workers: fc.integer({ min: 1, max: 4 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('turn') }) },
  ),
  { maxLength: 80 },
);

const settings = fc.record({
  workers: fc.integer({ min: 1, max: 4 }),
  maxPerKey: fc.integer({ min: 1, max: 3 }),
  maxQueuedPerKey: fc.constantFrom(1, 4, Infinity),
  maxQueued: fc.constantFrom(3, 100),
  overflow: fc.constantFrom('reject', 'backpressure'),
});

const stops = fc.constantFrom('drain', 'cancel', 'none');

async function run(pool, command) {
  const { admission, executor } = pool;
  if (command.type === 'submit') {
    pool.submit(command.key, command.priority, command.isCancellable);
  } else if (command.type === 'end' && executor.running.length > 0) {
    const { running } = executor;
    executor.end(running[command.at % running.length], admission);
  } else if (command.type === 'cancel' && pool.jobs.length > 0) {
    pool.jobs[command.at % pool.jobs.length].controller?.abort();
  } else if (command.type === 'resize') {
    executor.workers = command.workers;
    admission.resize(command.workers);
    executor.dispatch();
  } else if (command.type === 'turn') {
    await turn();
  }
}

function checkLanes({ admission, executor, jobs, perKey }) {
  const held = [];
  admission.lanes?.forEachHeld((job) => held.push(job));
  expect(admission.places.heldBack).toBe(held.length);
  expect(admission.places.taken).toBe(held.length + executor.jobs().length);
  for (const key of KEYS) {
    const ofKey = jobs.filter((job) => job.key === key && job.lane !== null);
    expect(ofKey.length).toBeLessThanOrEqual(
      perKey.maxPerKey + perKey.maxQueuedPerKey,
    );
  }
  const { queued, active } = admission.snapshot();
  expect(queued).toBeGreaterThanOrEqual(held.length);
  expect(queued + active).toBeLessThanOrEqual(admission.places.taken);
}

test('jobs of a key run in order, few at once, and each settles once', async () => {
  const property = fc.asyncProperty(
    settings,
    commands,
    stops,
    async (options, list, stop) => {
      const pool = new Pool(options);
      const { admission, executor } = pool;
      for (const command of list) {
        await run(pool, command);
        checkLanes(pool);
      }
      const stopped =
        stop === 'none'
          ? admission.drain()
          : admission.stop({ drain: stop === 'drain' });
      checkLanes(pool);
      while (executor.running.length > 0) {
        executor.end(executor.running[0], admission);
        checkLanes(pool);
      }
      await stopped;
      await turn();
      for (const ends of pool.ends.values()) expect(ends).toHaveLength(1);
      for (const key of KEYS) {
        const names = executor.started
          .filter((job) => job.key === key)
          .map(({ name }) => name);
        expect(names).toEqual([...names].sort((a, b) => a - b));
        expect(executor.most.get(key) ?? 0).toBeLessThanOrEqual(
          options.maxPerKey,
        );
      }
      expect(admission.lanes?.snapshot().active ?? 0).toBe(0);
      expect(admission.places).toMatchObject({ taken: 0, heldBack: 0 });
    },
  );
  await fc.assert(property, { numRuns: RUNS });
});

test('the number of jobs ahead of a new key is bounded', async () => {
  const property = fc.property(
    fc.integer({ min: 1, max: 4 }),
    fc.integer({ min: 1, max: 3 }),
    fc.integer({ min: 1, max: 30 }),
    fc.integer({ min: 0, max: 400 }),
    (workers, maxPerKey, keys, each) => {
      const pool = new Pool({
        workers,
        maxPerKey,
        maxQueuedPerKey: Infinity,
        maxQueued: 100_000,
        overflow: 'reject',
      });
      const { admission, executor } = pool;
      for (let i = 0; i < each; i++) {
        for (let k = 0; k < keys; k++) pool.submit(`k${k}`, 4, false);
      }
      const before = executor.started.length;
      pool.submit('new', 4, false);
      const isNew = (job) => job.key === 'new';
      while (!executor.started.some(isNew)) {
        executor.end(executor.running[0], admission);
      }
      // Those that the executor has, and one of each other key.
      const has = Math.min(2 * workers + MORE, keys * maxPerKey);
      const ahead = executor.started.findIndex(isNew) - before;
      expect(ahead).toBeLessThanOrEqual(has + keys);
    },
  );
  fc.assert(property, { numRuns: 50 });
});
