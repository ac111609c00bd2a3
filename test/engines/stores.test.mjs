// One program on a file, on Redis and on PostgreSQL: what is seen is the same.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROGRAMS } from './lib/faults.mjs';
import { engine, ownWorker, places, queueName, until } from './lib/harness.mjs';
import { PARENTS } from './lib/parents.mjs';
import { RULES } from './lib/rules.mjs';

const stores = places().filter(([name]) => name !== 'valkey');
const isThere = (name) => stores.some(([store]) => store === name);
/** BullMQ's backend of PostgreSQL tells less of a job's way to its end. */
const OF_RUNS = ['progress', 'completed', 'failed', 'retries-exhausted'];

async function seenOn(place, program) {
  const name = queueName('same');
  const on = engine(...place);
  const queue = on.Queue(name);
  queue.on('error', () => {});
  try {
    return await program({ ...on, queue, name });
  } finally {
    await queue.obliterate({ force: true });
    await queue.close();
  }
}

/** The events and results that are told of the jobs' runs. */
const runsOf = ({ returnvalue, counts, byJob }) =>
  plain({
    ...{ returnvalue, counts },
    runs: Object.entries(byJob)
      .map(([id, events]) => [
        id,
        events.filter(([kind]) => OF_RUNS.includes(kind)),
      ])
      .sort(),
  });

const plain = (value) => JSON.parse(JSON.stringify(value));

for (const [title, program] of Object.entries({
  ...PROGRAMS,
  ...RULES,
  ...PARENTS,
})) {
  const reason =
    isThere('redis') && isThere('sqlite') ? false : 'no Redis or no SQLite';
  test(title, { skip: reason }, async () => {
    const [onRedis, onFile] = await Promise.all(
      ['redis', 'sqlite'].map((wanted) =>
        seenOn(
          stores.find(([name]) => name === wanted),
          program,
        ),
      ),
    );
    assert.deepEqual(plain(onFile), plain(onRedis));
  });
}

/** A workflow with children, schedulers, a limit, retries and progress. */
async function workflow(place) {
  const [parents, children] = [queueName('flow'), queueName('steps')];
  const on = engine(...place);
  const queues = [parents, children].map((name) => on.Queue(name));
  const events = [parents, children].map((name) => on.QueueEvents(name));
  const told = { [parents]: [], [children]: [] };
  const names = new Map();
  const nameOf = (id) => names.get(id) ?? id;
  const KINDS = [
    ...['added', 'waiting', 'active', 'completed', 'failed', 'delayed'],
    ...['progress', 'waiting-children', 'retries-exhausted', 'drained'],
  ];
  for (const [at, one] of events.entries()) {
    one.on('error', () => {});
    await one.waitUntilReady();
    for (const kind of KINDS) {
      one.on(kind, ({ jobId, ...more } = {}) => {
        told[one.name].push({ kind, jobId, ...more, at });
      });
    }
  }
  for (const queue of queues) queue.on('error', () => {});
  // An isolate runs the steps.
  const steps = ownWorker(
    place,
    children,
    {},
    { concurrency: 1, limiter: { max: 50, duration: 1000 } },
  );
  let tries = 0;
  const worker = on.Worker(parents, async (job) => {
    tries += 1;
    if (tries === 1) throw new Error('once');
    await job.updateProgress(50);
    return Object.values(await job.getChildrenValues()).sort();
  });
  worker.on('error', () => {});
  const flows = on.FlowProducer();
  const tree = await flows.add({
    ...{ name: 'parent', queueName: parents, data: {} },
    opts: { attempts: 2, backoff: 100, jobId: 'parent' },
    children: [1, 2].map((value) => ({
      ...{ name: `step ${value}`, queueName: children },
      ...{ data: { kind: 'echo', value }, opts: { jobId: `step-${value}` } },
    })),
  });
  await queues[1].add(
    'loud',
    { kind: 'progress', steps: 3 },
    { jobId: 'loud' },
  );
  await queues[1].add('bad', { kind: 'throws' }, { jobId: 'bad', attempts: 2 });
  await queues[1].upsertJobScheduler(
    'beat',
    { every: 3_600_000 },
    { data: { kind: 'echo', value: 9 } },
  );
  const isDone = (name, kind, id) =>
    told[name].some((event) => event.kind === kind && event.jobId === id);
  await until(() => isDone(parents, 'completed', 'parent'), 'the parent');
  await until(
    () =>
      isDone(children, 'failed', 'bad') &&
      isDone(children, 'completed', 'loud'),
    'the steps',
  );
  await until(
    async () =>
      (await queues[1].getJobCounts('active', 'waiting')).active === 0,
    'the rest',
  );
  await steps.run.stop();
  await worker.close();
  const { returnvalue } = await queues[0].getJob(tree.job.id);
  const counts = await queues[1].getJobCounts(
    'completed',
    'failed',
    'waiting',
    'delayed',
  );
  await Promise.all(events.map((one) => one.close()));
  for (const queue of queues) {
    await queue.obliterate({ force: true });
    await queue.close();
  }
  await flows.close();
  // The worker that is first is chance, so events are compared job by job.
  const byJob = {};
  for (const name of [parents, children]) {
    for (const { kind, jobId, delay, ...more } of told[name]) {
      if (jobId === undefined || kind === 'drained') continue;
      const id = nameOf(jobId).replace(/\d{9,}/, 'TIME');
      byJob[id] ??= [];
      byJob[id].push([
        kind,
        more.prev,
        more.returnvalue,
        more.failedReason,
        more.data,
      ]);
    }
  }
  return { returnvalue, counts, byJob };
}

test('one workflow gives the same events on every store', {
  skip: stores.length < 2 ? 'one store only' : false,
}, async (t) => {
  const seen = [];
  for (const place of stores) seen.push([place[0], await workflow(place)]);
  const model = seen.find(([name]) => name === 'redis') ?? seen[0];
  for (const [name, told] of seen) {
    t.diagnostic(`${name}: ${Object.values(told.byJob).flat().length} events`);
    const chosen = name === 'postgres' ? runsOf : plain;
    assert.deepEqual(chosen(told), chosen(model[1]), name);
  }
});
