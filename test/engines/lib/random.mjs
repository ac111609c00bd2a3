// Random calls of BullMQ's classes, the same for each seed. Each call is made on
// two stores, one after another, and what is seen has to be the same.
//
// Nothing depends on how long a call takes: delays are none or hours, locks last
// or are none (token '0'), and calls that end jobs are milliseconds apart.

import { UnrecoverableError } from 'bullmq';
import { pause } from './harness.mjs';

const HOUR = 3_600_000;

/** @returns {() => number} numbers below 1 */
function randomOf(seed) {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 8) / 2 ** 24;
  };
}

/** Choices of one seed. */
export class Chance {
  #next;
  #hours = 0;
  #ids = 0;
  #chosen = [];

  constructor(seed) {
    this.#next = randomOf(seed);
  }

  /** @returns {unknown[]} choices since the last call */
  chosen() {
    return this.#chosen.splice(0);
  }

  below(n) {
    const chosen = Math.floor(this.#next() * n);
    this.#chosen.push(chosen);
    return chosen;
  }

  is(part) {
    return this.#next() < part;
  }

  of(list) {
    const chosen = list[Math.floor(this.#next() * list.length)];
    this.#chosen.push(chosen);
    return chosen;
  }

  newId() {
    this.#ids += 1;
    return `id-${this.#ids}`;
  }

  /** A time is never the same twice, so that order by time is one order. */
  delay() {
    this.#hours += 1;
    return ((this.#hours * 7) % 1009) * HOUR + this.#hours;
  }
}

const IDS = ['x1', 'x2', 'x3', 'x4', 'x5', 'x6'];
const QUEUES = ['parents', 'children'];

/** @returns {object} options of a job */
function jobOptions(chance) {
  const opts = {};
  if (chance.is(0.4)) opts.jobId = chance.of(IDS);
  if (chance.is(0.25)) opts.delay = chance.delay();
  if (chance.is(0.3)) opts.priority = 1 + chance.below(3);
  if (chance.is(0.2)) opts.lifo = true;
  if (chance.is(0.5)) opts.attempts = 1 + chance.below(3);
  if (chance.is(0.2)) opts.backoff = chance.delay();
  if (chance.is(0.2)) opts.removeOnComplete = chance.of([true, 1, 2]);
  if (chance.is(0.2)) opts.removeOnFail = chance.of([true, 1, { count: 2 }]);
  if (chance.is(0.1)) opts.keepLogs = 2;
  if (chance.is(0.25)) {
    const deduplication = { id: chance.of(['d1', 'd2', 'd3']) };
    if (chance.is(0.4)) deduplication.ttl = HOUR;
    if (chance.is(0.3)) deduplication.extend = true;
    if (chance.is(0.3)) deduplication.replace = true;
    if (chance.is(0.3)) deduplication.keepLastIfActive = true;
    opts.deduplication = deduplication;
  }
  return opts;
}

/** How a child's failure is seen by its parent. */
function childOptions(chance) {
  const kind = chance.of([
    ...['failParentOnFailure', 'continueParentOnFailure', 'none'],
    ...['ignoreDependencyOnFailure', 'removeDependencyOnFailure'],
  ]);
  return kind === 'none' ? {} : { [kind]: true };
}

function tree(chance, depth) {
  const node = {
    ...{ name: `t${chance.below(100)}`, data: { n: chance.below(9) } },
    queueName: chance.of(QUEUES),
    opts: jobOptions(chance),
  };
  // BullMQ makes ids of flows by chance.
  node.opts.jobId ??= chance.newId();
  if (depth > 0) {
    node.children = Array.from({ length: 1 + chance.below(2) }, () => {
      const child = tree(chance, chance.below(depth));
      Object.assign(child.opts, childOptions(chance));
      return child;
    });
  }
  return node;
}

const TYPES = [
  ...['completed', 'wait', 'active', 'paused', 'prioritized', 'delayed'],
  'failed',
];

/**
 * Calls by name. `chance` decides all before the call, so that each store gets
 * the same; `on` has a store's objects, and `on.job()` a job by its number.
 */
const CALLS = {
  add(chance) {
    const [queue, opts] = [chance.of(QUEUES), jobOptions(chance)];
    const [name, n] = [`a${chance.below(100)}`, chance.below(9)];
    return (on) => on.add(queue, name, { n }, opts);
  },
  addChild(chance) {
    const opts = { ...jobOptions(chance), ...childOptions(chance) };
    const [at, isMissing] = [chance.below(1000), chance.is(0.1)];
    return async (on) => {
      const parent = await on.job(at);
      const id = isMissing || !parent ? 'missing' : parent.id;
      const queue = on.keyOf(parent?.queueName ?? on.names.parents);
      return on.add('children', 'c', {}, { ...opts, parent: { id, queue } });
    };
  },
  addBulk(chance) {
    const queue = chance.of(QUEUES);
    const jobs = Array.from({ length: 2 + chance.below(3) }, (_, n) => ({
      ...{ name: `b${n}`, data: { n }, opts: jobOptions(chance) },
    }));
    return async (on) => {
      const added = await on.queues[queue].addBulk(structuredClone(jobs));
      return added.map((job) => on.know(job));
    };
  },
  flow(chance) {
    const root = tree(chance, 1 + chance.below(2));
    return async (on) => {
      const named = (node) => ({
        ...structuredClone({ ...node, children: undefined }),
        queueName: on.names[node.queueName],
        children: node.children?.map(named),
      });
      const know = ({ job, children }) => [
        on.know(job),
        ...(children ?? []).map(know),
      ];
      return know(await on.flows.add(named(root)));
    };
  },
  take(chance) {
    const [queue, hasLock] = [chance.of(QUEUES), chance.is(0.8)];
    return (on) => on.take(queue, hasLock ? on.newToken() : '0');
  },
  complete(chance) {
    const [at, fetchNext] = [chance.below(1000), chance.is(0.3)];
    const isMine = chance.is(0.9);
    return (on) =>
      on.end(at, isMine, fetchNext, (job, token) =>
        job.moveToCompleted({ done: at % 7 }, token, fetchNext),
      );
  },
  fail(chance) {
    const [at, fetchNext] = [chance.below(1000), chance.is(0.3)];
    const [isMine, isFinal] = [chance.is(0.9), chance.is(0.3)];
    return (on) =>
      on.end(at, isMine, fetchNext, (job, token) => {
        const error = new (isFinal ? UnrecoverableError : Error)('no');
        error.stack = 'Error: no';
        return job.moveToFailed(error, token, fetchNext);
      });
  },
  later(chance) {
    const [at, by] = [chance.below(1000), chance.delay()];
    return (on) =>
      on.end(at, true, false, (job, token) =>
        job.moveToDelayed(Date.now() + by, token),
      );
  },
  again(chance) {
    const at = chance.below(1000);
    return (on) =>
      on.end(at, true, false, (job, token) => job.moveToWait(token));
  },
  waitForChildren(chance) {
    const at = chance.below(1000);
    return (on) =>
      on.end(at, true, false, (job, token) => job.moveToWaitingChildren(token));
  },
  stalled(chance) {
    const queue = chance.of(QUEUES);
    return async (on) => {
      await pause(4);
      return (
        await on.workers[queue].getBackend().moveStalledJobsToWait()
      ).sort();
    };
  },
  ofJob(chance) {
    const at = chance.below(1000);
    const [n, flag, by] = [chance.below(4), chance.is(0.5), chance.delay()];
    const act = chance.of(Object.keys(OF_JOB));
    return async (on) => {
      const job = await on.job(at);
      return job && OF_JOB[act](job, { n, flag, by });
    };
  },
  ofQueue(chance) {
    const queue = chance.of(QUEUES);
    const given = {
      ...{ n: chance.below(4), flag: chance.is(0.5), by: chance.delay() },
      ...{ type: chance.of(TYPES), id: chance.of(['s1', 's2']) },
      state: chance.of(['failed', 'completed']),
    };
    const act = chance.of(Object.keys(OF_QUEUE));
    return (on) => OF_QUEUE[act](on.queues[queue], given, on);
  },
};

const OF_JOB = {
  promote: (job) => job.promote(),
  changeDelay: (job, { by }) => job.changeDelay(by),
  changePriority: (job, { n, flag }) =>
    job.changePriority({ priority: n, lifo: flag }),
  remove: (job, { flag }) => job.remove({ removeChildren: flag }),
  retry: (job, { n, flag }) =>
    job.retry(n % 2 ? 'failed' : 'completed', {
      ...{ resetAttemptsMade: flag, resetAttemptsStarted: n > 1 },
    }),
  updateData: (job, { n }) => job.updateData({ updated: n }),
  updateProgress: (job, { n }) => job.updateProgress(n % 2 ? n : { at: n }),
  log: (job, { n }) => job.log(`line ${n}`),
  clearLogs: (job, { n, flag }) => job.clearLogs(flag ? n : undefined),
  removeDeduplicationKey: (job) => job.removeDeduplicationKey(),
  removeChildDependency: (job) => job.removeChildDependency(),
  removeUnprocessedChildren: (job) => job.removeUnprocessedChildren(),
  completeUnasked: (job) => job.moveToCompleted(1, 'nobody', false),
  delayUnasked: (job, { by }) => job.moveToDelayed(Date.now() + by, 'nobody'),
};

const OF_QUEUE = {
  pause: (queue) => queue.pause(),
  resume: (queue) => queue.resume(),
  resumeAgain: (queue) => queue.resume(),
  drain: (queue, { flag }) => queue.drain(flag),
  clean: async (queue, { n, type }) =>
    (await queue.clean(0, n, type)).map(String).sort(),
  retryJobs: (queue, { n, state }) => queue.retryJobs({ state, count: n + 1 }),
  promoteJobs: (queue, { n }) => queue.promoteJobs({ count: n + 1 }),
  concurrency: (queue, { n }) =>
    n > 0 ? queue.setGlobalConcurrency(n) : queue.removeGlobalConcurrency(),
  noConcurrency: (queue) => queue.removeGlobalConcurrency(),
  rateLimit: (queue, { n }) =>
    n > 0 ? queue.setGlobalRateLimit(n, HOUR) : queue.removeGlobalRateLimit(),
  limitNow: (queue) => queue.rateLimit(HOUR),
  noLimit: async (queue) => {
    await queue.removeGlobalRateLimit();
    return queue.removeRateLimitKey();
  },
  every: async (queue, { n, id, flag }, on) =>
    on.know(
      await queue.upsertJobScheduler(
        id,
        { every: (n + 1) * 1000 * HOUR, ...(flag && { limit: 2 + n }) },
        { name: `beat ${n}`, data: { n }, opts: { priority: n } },
      ),
    ),
  pattern: async (queue, { n, id }, on) =>
    on.know(
      await queue.upsertJobScheduler(
        id,
        { pattern: `0 0 0 1 ${n + 1} *`, tz: 'UTC' },
        { name: 'yearly', data: { n } },
      ),
    ),
  removeJobScheduler: (queue, { id }) => queue.removeJobScheduler(id),
  removeDeduplicationKey: (queue, { n }) =>
    queue.removeDeduplicationKey(`d${n}`),
  removeOrphanedJobs: (queue) => queue.removeOrphanedJobs(),
  obliterate: async (queue, { flag, n }) =>
    n > 0 ? undefined : queue.obliterate({ force: flag }),
  remove: (queue, { n, flag }) =>
    queue.remove(IDS[n], { removeChildren: flag }),
};

/** How often each is called. */
const WEIGHTS = {
  ...{ add: 7, addChild: 2, addBulk: 1, flow: 2, take: 8, complete: 4 },
  ...{ fail: 3, later: 1, again: 1, waitForChildren: 2, stalled: 1 },
  ...{ ofJob: 7, ofQueue: 5 },
};
const DECK = Object.entries(WEIGHTS).flatMap(([name, n]) =>
  Array(n).fill(name),
);

/** Several jobs go, and Redis keeps the children of a job in a set. */
const UNORDERED = /remove|drain|clean|obliterate/;

/**
 * @returns {{ text: string, isUnordered: boolean,
 *   call: (on: Side) => Promise<unknown> }}
 */
export function nextCall(chance) {
  const name = chance.of(DECK);
  const call = CALLS[name](chance);
  const text = JSON.stringify([...chance.chosen()]);
  return { call, text, isUnordered: UNORDERED.test(text) };
}

export { HOUR, QUEUES };
