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
// The numbers are those of lanes.js.
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

  constructor(options) {
    const { workers, maxQueued, overflow } = options;
    const { maxPerKey, maxQueuedPerKey, affinity } = options;
    this.executor = new Driven(workers);
    this.perKey = { maxPerKey, maxQueuedPerKey, affinity };
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

  submit(key, priority, isCancellable, weight = 1) {
    const controller = new AbortController();
    const { signal } = controller;
    const operation = isCancellable ? readOperation({ signal }) : NO_OPERATION;
    const entry = { executor: { host: { encodings: 0 }, hasHost: false } };
    const job = new PoolJob(operation, { bytes: 1 }, entry, null);
    job.name = this.jobs.length;
    job.controller = isCancellable ? controller : null;
    job.priority = priority;
    if (key !== null) {
      job.key = key;
      job.rare.weight = weight;
    }
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
        weight: fc.constantFrom(1, 1, 1, 2, 5),
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
  affinity: fc.boolean(),
});

const stops = fc.constantFrom('drain', 'cancel', 'none');

async function run(pool, command) {
  const { admission, executor } = pool;
  if (command.type === 'submit') {
    const { key, priority, isCancellable, weight } = command;
    pool.submit(key, priority, isCancellable, weight);
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

/** Each key has a number of its own, if an executor is to know it. */
function checkHomes(started, affinity) {
  const numbers = new Map();
  for (const { key, home } of started) {
    if (key === null || !affinity) expect(home).toBe(0);
    else expect(numbers.get(key) ?? home).toBe(home);
    if (key !== null) numbers.set(key, home);
  }
  if (affinity) expect(new Set(numbers.values()).size).toBe(numbers.size);
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
      checkHomes(executor.started, options.affinity);
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

test('keys with a backlog get their weights', () => {
  const property = fc.property(
    fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 2, maxLength: 6 }),
    fc.integer({ min: 1, max: 3 }),
    (weights, rounds) => {
      const pool = new Pool({
        workers: 1,
        maxPerKey: 1,
        maxQueuedPerKey: Infinity,
        maxQueued: 100_000,
        overflow: 'reject',
      });
      const { admission, executor } = pool;
      pool.submit('first', 4, false, 2);
      weights.forEach((weight, at) => {
        for (let i = 0; i < weight * (rounds + 1); i++) {
          pool.submit(`k${at}`, 4, false, weight);
        }
      });
      const total = weights.reduce((a, b) => a + b);
      for (let round = 0; round < rounds; round++) {
        for (let i = 0; i < total; i++) {
          executor.end(executor.running[0], admission);
        }
        weights.forEach((weight, at) => {
          const mine = executor.started.filter(({ key }) => key === `k${at}`);
          expect(mine).toHaveLength(weight * (round + 1));
        });
      }
      while (executor.running.length > 0) {
        executor.end(executor.running[0], admission);
      }
      expect(executor.started).toHaveLength(1 + total * (rounds + 1));
      // Nothing is left of the weights: keys without one get jobs ahead again.
      for (let i = 0; i < 20; i++) pool.submit(`new${i}`, 4, false);
      expect(executor.jobs()).toHaveLength(2 + MORE);
    },
  );
  fc.assert(property, { numRuns: 50 });
});

test('nine tenants beside one with 10 000 jobs wait three job lengths', () => {
  const WORKERS = 4;
  const pool = new Pool({
    workers: WORKERS,
    maxPerKey: 1,
    maxQueuedPerKey: Infinity,
    maxQueued: 100_000,
    overflow: 'reject',
  });
  const { admission, executor } = pool;
  for (let i = 0; i < 10_000; i++) pool.submit('big', 4, false);
  // The number of jobs that started before each of the nine.
  const submitted = new Map();
  let seen = 0;
  let waited = 0;
  const note = () => {
    for (; seen < executor.started.length; seen++) {
      const at = submitted.get(executor.started[seen]);
      if (at !== undefined) waited = Math.max(waited, seen - at);
    }
  };
  const submit = (key) => {
    const at = executor.started.length;
    pool.submit(key, 4, false);
    submitted.set(pool.jobs.at(-1), at);
    note();
  };
  for (let step = 0; executor.running.length > 0; step++) {
    const isBusy = (key) => executor.jobs().some((job) => job.key === key);
    if (step < 5000) {
      for (let tenant = 0; tenant < 9; tenant++) {
        const key = `small${tenant}`;
        // All at once, one by one, and none for a while.
        const isDue = step % 400 === 0 || step % (50 + 7 * tenant) === 0;
        if (isDue && !isBusy(key)) submit(key);
      }
    }
    executor.end(executor.running[step % executor.running.length], admission);
    note();
  }
  expect(submitted.size).toBeGreaterThan(400);
  expect(waited).toBeLessThanOrEqual(3 * WORKERS);
  const names = executor.started
    .filter(({ key }) => key === 'big')
    .map(({ name }) => name);
  expect(names).toHaveLength(10_000);
  expect(names).toEqual([...names].sort((a, b) => a - b));
});
