'use strict';

const { AsyncLocalStorage } = require('node:async_hooks');
const diagnostics = require('node:diagnostics_channel');

const { WorkerPool, WorkQueue } = require('../../../lib/index.js');
const { Outcome } = require('../../../lib/errors/outcome.js');
const { JobTrace } = require('../../../lib/observe/job-trace.js');
const { Watch } = require('../../../lib/observe/watch.js');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { createPool, rejection, stopAll } = require('../conformance/support.js');
const { BAD_ENDS, SECRET } = require('../support/ends-of-calls.js');

const JOB_STATES = [
  'submitted',
  'waiting',
  'queued',
  'started',
  'retried',
  'settled',
  'refused',
];
const OTHERS = [
  'worker:started',
  'worker:exited',
  'pool:created',
  'pool:stopped',
];
// Node's threads tell neither CPU time nor the size of a result.
const onThreads = process.env.SLOPPY_WORKERS_RUNTIME === 'thread';

const unsubscribes = [];
afterEach(async () => {
  for (const unsubscribe of unsubscribes.splice(0)) unsubscribe();
  await stopAll();
});

/** The events that the channels tell from now on: [state, message] */
function listen(
  names = [...JOB_STATES.map((state) => `job:${state}`), ...OTHERS],
  onTold = () => {},
) {
  const told = [];
  for (const name of names) {
    const channel = `sloppy-workers:${name}`;
    const listener = (message) => {
      told.push([name.replace('job:', ''), message]);
      onTold(name);
    };
    diagnostics.subscribe(channel, listener);
    unsubscribes.push(() => diagnostics.unsubscribe(channel, listener));
  }
  return told;
}

const ofJobs = (told) => told.filter(([name]) => JOB_STATES.includes(name));
const states = (told) => ofJobs(told).map(([name]) => name);

test('a job goes through its states, in order', async () => {
  const pool = createPool();
  const told = listen();
  await pool.run(
    function double({ input }) {
      return input * 2;
    },
    { input: 21, priority: 2 },
  );
  expect(states(told)).toEqual(['submitted', 'queued', 'started', 'settled']);
  const [submitted, queued, started, settled] = ofJobs(told).map(([, m]) => m);
  const same = {
    kind: 'pool',
    name: pool.name,
    job: submitted.job,
    at: expect.any(Number),
  };
  expect(submitted).toEqual({
    ...same,
    entry: 'double',
    payloadBytes: 8,
    priority: 2,
  });
  expect(queued).toEqual(same);
  expect(started).toEqual({ ...same, queueMs: expect.any(Number) });
  expect(settled).toEqual({
    ...same,
    outcome: 'completed',
    code: undefined,
    payloadBytes: 8,
    resultBytes: onThreads ? undefined : 8,
    queueMs: started.queueMs,
    runMs: expect.any(Number),
    cpuMs: onThreads ? undefined : expect.any(Number),
  });
  for (const [, message] of told) expect(Object.isFrozen(message)).toBe(true);
});

test('a job is told of when it starts, not when it is over', async () => {
  const pool = createPool();
  let heard;
  const started = new Promise((resolve) => {
    heard = resolve;
  });
  const told = listen(['job:started', 'job:settled'], heard);
  const controller = new AbortController();
  const job = pool.run(
    () => {
      for (;;);
    },
    { signal: controller.signal },
  );
  await started;
  expect(states(told)).toEqual(['started']);
  controller.abort();
  await rejection(job);
  expect(states(told)).toEqual(['started', 'settled']);
  expect(told[1][1]).toMatchObject({
    outcome: 'cancelled',
    code: Code.JobCancelled,
  });
});

test('nothing comes after settled', () => {
  const told = listen();
  const trace = new JobTrace(new Watch('pool', 'late'), 'entry', null);
  const job = { bytes: 8, priority: 4, waitedMs: 0 };
  trace.queued(job);
  trace.settled(Outcome.Cancelled, Code.JobCancelled);
  trace.started(job, 1);
  expect(states(told)).toEqual(['submitted', 'queued', 'settled']);
});

test('one that has to wait for a place says so', async () => {
  const pool = createPool({ maxQueued: 1, overflow: 'backpressure' });
  const told = listen();
  await Promise.all([1, 2, 3].map(() => pool.run(() => 1)));
  const last = Math.max(...ofJobs(told).map(([, { job }]) => job));
  const ofLast = ofJobs(told).filter(([, { job }]) => job === last);
  expect(ofLast.map(([state]) => state)).toEqual([
    'submitted',
    'waiting',
    'queued',
    'started',
    'settled',
  ]);
});

test.each(BAD_ENDS)(
  '%s is told with its code and without values',
  async (outcome, code, call) => {
    const pool = createPool();
    const told = listen();
    await rejection(call(pool));
    const [, settled] = told.find(([name]) => name === 'settled');
    expect(settled).toMatchObject({ outcome, code });
    expect(JSON.stringify(told)).not.toContain(SECRET);
  },
);

test('a call that is not taken is refused and nothing else', async () => {
  const pool = createPool();
  const told = listen();
  await rejection(pool.run(() => 1, { input: Symbol(SECRET) }));
  await rejection(pool.run(() => 1, { priority: 99 }));
  expect(ofJobs(told)).toEqual([
    [
      'refused',
      {
        kind: 'pool',
        name: pool.name,
        at: expect.any(Number),
        code: Code.UnsupportedPayload,
      },
    ],
    [
      'refused',
      {
        kind: 'pool',
        name: pool.name,
        at: expect.any(Number),
        code: 'TypeError',
      },
    ],
  ]);
});

test('pools and their threads are told of', async () => {
  const told = listen();
  const pool = WorkerPool.create('threads');
  await pool.run(() => 1);
  await pool.stop();
  await pool.stop();
  const others = told.filter(([name]) => OTHERS.includes(name));
  const same = { kind: 'pool', name: 'threads', at: expect.any(Number) };
  const worker = {
    number: 1,
    place: 1,
    threadId: expect.any(Number),
    pid: process.pid,
  };
  expect(others).toEqual([
    ['pool:created', { ...same, resource: pool }],
    ['worker:started', { ...same, workers: 1, worker }],
    ['worker:exited', { ...same, workers: 0, worker }],
    ['pool:stopped', same],
  ]);
});

test('a WorkQueue tells of its attempts', async () => {
  const queue = WorkQueue.create('attempts', { retry: { maxAttempts: 2 } });
  queue.process(({ attempt }) => {
    if (attempt === 1) throw new Error(SECRET);
    return SECRET;
  });
  const told = listen();
  await queue.enqueue(SECRET);
  expect(states(told)).toEqual([
    'submitted',
    'queued',
    'started',
    'retried',
    'settled',
  ]);
  expect(told[0][1]).toMatchObject({
    kind: 'queue',
    name: 'attempts',
    entry: '',
  });
  expect(told[3][1]).toMatchObject({ attempt: 2 });
  expect(told[4][1]).toMatchObject({
    outcome: 'completed',
    runMs: expect.any(Number),
  });
  expect(JSON.stringify(told)).not.toContain(SECRET);
});

test('subscribers see the store of whoever submitted', async () => {
  const storage = new AsyncLocalStorage();
  const seen = new Set();
  listen(undefined, (name) => {
    if (name.startsWith('job:')) seen.add(`${name} ${storage.getStore()}`);
  });
  const pool = createPool();
  await storage.run('mine', () => pool.run(() => 1));
  expect([...seen]).toEqual(
    ['submitted', 'queued', 'started', 'settled'].map(
      (state) => `job:${state} mine`,
    ),
  );
});

test('a subscriber that submits does no harm', async () => {
  const pool = createPool({ workers: 2 });
  const echo = ({ input }) => input;
  const inner = [];
  let left = 8;
  const names = ['submitted', 'queued', 'started', 'settled'];
  listen(
    names.map((state) => `job:${state}`),
    () => {
      if (left === 0) return;
      left -= 1;
      inner.push(pool.run(echo, { input: left }));
    },
  );
  const input = { a: [1, 'two'] };
  expect(await pool.run(echo, { input })).toEqual(input);
  await pool.drain();
  expect(new Set(await Promise.all(inner))).toEqual(
    new Set([0, 1, 2, 3, 4, 5, 6, 7]),
  );
});

test('every copy of the library in a process is told of', async () => {
  const told = listen();
  let another;
  jest.isolateModules(() => {
    another = require('../../../lib/index.js');
  });
  const unsubscribe = unsubscribes.pop();
  const first = another.WorkQueue.create('another');
  first.process(() => 1);
  await first.enqueue(1);
  const mine = WorkQueue.create('mine');
  mine.process(() => 1);
  await mine.enqueue(1);
  unsubscribe();
  expect(new Set(ofJobs(told).map(([, { name }]) => name))).toEqual(
    new Set(['another', 'mine']),
  );
  const later = listen();
  await first.enqueue(1);
  await mine.enqueue(1);
  expect(ofJobs(later)).toHaveLength(8);
});

test('meters and subscribers at once: both are told', async () => {
  const pool = createPool({ metrics: true });
  const told = listen();
  await pool.run(() => 1);
  expect(states(told)).toHaveLength(4);
  expect(pool.metrics().histograms.runMs.count).toBe(1);
});
