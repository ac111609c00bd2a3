// One of the two stores of ./random.mjs: its objects, and all that is seen.

import { Job } from 'bullmq';
import { pause, queueName } from './harness.mjs';
import { HOUR, QUEUES } from './random.mjs';

const STATES = [
  ...['wait', 'active', 'prioritized', 'delayed', 'waiting-children'],
  ...['completed', 'failed', 'paused'],
];
/** They are by time, and one call may give several jobs the same. */
const UNORDERED = ['completed', 'failed', 'waiting-children'];
const TIMES = ['timestamp', 'processedOn', 'finishedOn'];

/** Sorts events by their texts. */
function sort(events) {
  events.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

export class Side {
  #ids = [];
  #active = [];
  #tokens = 0;
  #read = new Map();

  constructor(on) {
    this.names = Object.fromEntries(
      QUEUES.map((name) => [name, queueName(name)]),
    );
    const each = (make) =>
      Object.fromEntries(
        QUEUES.map((name) => {
          const made = make(this.names[name]);
          made.on('error', () => {});
          return [name, made];
        }),
      );
    this.queues = each((name) => on.Queue(name));
    this.workers = each((name) =>
      on.Worker(name, undefined, {
        ...{ autorun: false, lockDuration: HOUR, stalledInterval: 1 },
        ...{ skipStalledCheck: true, skipLockRenewal: true },
      }),
    );
    this.flows = on.FlowProducer();
    this.flows.on('error', () => {});
  }

  keyOf(name) {
    return this.queues.parents
      .toKey('')
      .replace(this.names.parents, name)
      .slice(0, -1);
  }

  newToken() {
    this.#tokens += 1;
    return `token-${this.#tokens}`;
  }

  /** @returns {string} */
  know(job) {
    if (job === undefined || job === null) return 'none';
    const known = this.#ids.some(
      ([name, id]) => name === job.queueName && id === job.id,
    );
    if (!known) this.#ids.push([job.queueName, job.id]);
    return this.plain(job.id);
  }

  async job(at) {
    if (this.#ids.length === 0) return undefined;
    const [name, id] = this.#ids[at % this.#ids.length];
    return this.#queueOf(name).getJob(id);
  }

  #queueOf(name) {
    return Object.values(this.queues).find((queue) => queue.name === name);
  }

  #workerOf({ queueName: name }) {
    return Object.values(this.workers).find((worker) => worker.name === name);
  }

  async add(queue, name, data, opts) {
    // Options are changed by the call.
    const given = structuredClone(opts);
    return this.know(await this.queues[queue].add(name, data, given));
  }

  async take(queue, token) {
    await pause(2);
    const worker = this.workers[queue];
    const job = await worker.getNextJob(token, { block: false });
    if (job === undefined) return 'none';
    this.#active.push([job, token]);
    return [this.know(job), this.view(job)];
  }

  async end(at, isMine, fetchNext, call) {
    if (this.#active.length === 0) return 'none active';
    await pause(2);
    const index = at % this.#active.length;
    const [job, token] = this.#active[index];
    const next = await call(job, isMine ? token : 'not-mine');
    this.#active.splice(index, 1);
    if (!fetchNext || !Array.isArray(next) || !next[0]) {
      return typeof next === 'boolean' ? next : 'ended';
    }
    // A Worker's job knows its locks.
    const taken = Job.fromJSON(this.#workerOf(job), next[0], next[1]);
    this.#active.push([taken, token]);
    return [this.know(taken), this.view(taken)];
  }

  view(job) {
    const { opts, ...more } = job.asJSON();
    for (const name of TIMES) more[name] = Boolean(more[name]);
    const told = typeof opts === 'string' ? JSON.parse(opts) : opts;
    // The delay of a scheduler's job is until a time of the clock.
    if (more.repeatJobKey) told.delay = more.delay = Boolean(more.delay);
    return this.plain({ ...more, token: undefined, opts: told });
  }

  /** The value without times and names of this store. */
  plain(value) {
    let text = JSON.stringify(value ?? null);
    for (const name of QUEUES) text = text.replaceAll(this.names[name], name);
    return JSON.parse(
      text.replaceAll(/\b1[6-9]\d{11}\b|\b[2-9]\d{12}\b/g, '0'),
    );
  }

  async run({ call }) {
    try {
      return { value: this.plain(await call(this)) };
    } catch ({ name, code, message }) {
      return { error: this.plain([name, code, message]) };
    }
  }

  /**
   * @param {{ isUnordered: boolean }} call the last one
   * @returns {Promise<object>} all that can be seen
   */
  async look({ isUnordered }) {
    const queues = Object.entries(this.queues);
    const [ofQueues, jobs] = await Promise.all([
      Promise.all(queues.map(([, queue]) => this.#lookAt(queue))),
      Promise.all(
        this.#ids.map(([name, id]) => this.#lookAtJob(this.#queueOf(name), id)),
      ),
    ]);
    if (isUnordered) for (const { events } of ofQueues) sort(events);
    const byName = queues.map(([name], at) => [name, ofQueues[at]]);
    return this.plain({ ...Object.fromEntries(byName), jobs });
  }

  async #lookAt(queue) {
    const range = (state, ...words) => queue.getRanges([state], ...words);
    const ranges = await Promise.all(
      STATES.map(async (state) => {
        const list = await range(state, 0, -1, true);
        if (UNORDERED.includes(state)) return [state, list.sort()];
        const newest = range(state, 0, 2, false);
        return [state, list, await newest, await range(state, 1, 3, true)];
      }),
    );
    const schedulers = await queue.getJobSchedulers(0, -1, true);
    const keys = ['d1', 'd2', 'd3'].map((id) =>
      queue.getDeduplicationJobId(id),
    );
    return {
      ranges,
      counts: await queue.getJobCounts(),
      priorities: await queue.getCountsPerPriority([0, 1, 2, 3]),
      schedulers: schedulers.map(({ next, offset, startDate, ...more }) => ({
        ...more,
        hasNext: Boolean(next),
      })),
      keys: (await Promise.all(keys)).map((key) => key ?? null),
      isPaused: await queue.isPaused(),
      isMaxed: await queue.isMaxed(),
      isLimited: (await queue.getRateLimitTtl()) > 0,
      concurrency: await queue.getGlobalConcurrency(),
      limit: await queue.getGlobalRateLimit(),
      events: await this.#newEvents(queue),
    };
  }

  /** Those since the last look. */
  async #newEvents(queue) {
    const all = [];
    for (;;) {
      const after = this.#read.get(queue.name) ?? '0-0';
      const read = await queue.getBackend().readEvents(after, 1);
      const found = read?.[0]?.[1] ?? [];
      if (found.length === 0) return all;
      for (const [id, fields] of found) {
        all.push(fields);
        this.#read.set(queue.name, id);
      }
    }
  }

  async #lookAtJob(queue, id) {
    const job = await queue.getJob(id);
    if (!job) return [id, 'gone'];
    const [state, logs, children, ...more] = await Promise.all([
      ...[job.getState(), queue.getJobLogs(id), job.getDependencies()],
      ...[job.getDependenciesCount(), job.getChildrenValues()],
      job.getIgnoredChildrenFailures(),
    ]);
    for (const list of Object.values(children)) {
      if (Array.isArray(list)) list.sort();
    }
    return [state, this.view(job), logs, children, ...more];
  }

  async close() {
    for (const queue of Object.values(this.queues)) {
      await queue.obliterate({ force: true }).catch(() => {});
      await queue.close();
    }
    for (const worker of Object.values(this.workers)) await worker.close();
    await this.flows.close();
  }
}
