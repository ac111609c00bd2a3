'use strict';

const { readOptions } = require('../engines/read-options.js');
const { addedJob, insertJob, prepareJob } = require('./adding.js');
const { Job } = require('./job.js');
const { readJobOptions, readQueueOptions } = require('./options.js');
const { QueueBase } = require('./queue-base.js');
const { readRepeat, schedulerOf, upsert } = require('./schedulers.js');

/** BullMQ's names; no job waits for children here. */
const STATES = [
  'active',
  'completed',
  'delayed',
  'failed',
  'prioritized',
  'waiting',
];
const OTHER_NAMES = { wait: 'waiting' };

function checkStates(types) {
  const states = types.map((type) => OTHER_NAMES[type] ?? type);
  for (const state of states) {
    if (STATES.includes(state) || state === 'waiting-children') continue;
    throw new TypeError(`There is no state ${JSON.stringify(state)}.`);
  }
  return [...new Set(states)];
}

/** Adds jobs to a file. */
class Queue extends QueueBase {
  constructor(name, given) {
    super('Queue', name, readQueueOptions(given));
  }

  get defaultJobOptions() {
    return this.opts.defaultJobOptions;
  }

  /** @returns {Promise<Job>} resolves when the job is on the disk */
  async add(name, data, opts) {
    const [job] = await this.#addAll('Queue.add', [{ name, data, opts }]);
    return job;
  }

  /** Adds all of the jobs, or none. */
  async addBulk(jobs) {
    return this.#addAll('Queue.addBulk', [...jobs]);
  }

  async #addAll(subject, jobs) {
    const prepared = jobs.map(({ name, data, opts }) => {
      if (typeof name !== 'string') {
        throw new TypeError(`${subject} name must be a string.`);
      }
      const options = readJobOptions(subject, opts, this.defaultJobOptions);
      return prepareJob(name, data, options);
    });
    const insert = () => prepared.map((job) => insertJob(this, job));
    const ids = await this.store.write(insert, { wakes: true });
    const added = ids.map((id, index) => addedJob(this, id, prepared[index]));
    for (const job of added) this.emit('waiting', job);
    return added;
  }

  /** Stops the claiming of jobs in every process. */
  async pause() {
    await this.#setPaused(1);
    this.emit('paused');
  }

  async resume() {
    await this.#setPaused(0);
    this.emit('resumed');
  }

  #setPaused(paused) {
    const { sql } = this.store;
    return this.store.write(
      () => {
        sql.addQueue.run(this.name);
        sql.pause.run(paused, this.name);
      },
      { wakes: true },
    );
  }

  isPaused() {
    return this.store.read(
      () => this.store.sql.isPaused.get(this.name)?.paused === 1,
    );
  }

  /**
   * @returns {Promise<Record<string, number>>} count by state; default: all
   *   states
   */
  getJobCounts(...types) {
    const states = checkStates(types.flat());
    return this.store.read(() => {
      const counts = { ...this.store.sql.counts.get(this.name) };
      counts['waiting-children'] = 0;
      const wanted =
        states.length > 0 ? states : [...STATES, 'waiting-children'];
      return Object.fromEntries(wanted.map((state) => [state, counts[state]]));
    });
  }

  async getJobCountByTypes(...types) {
    const counts = await this.getJobCounts(...types);
    return Object.values(counts).reduce((sum, count) => sum + count, 0);
  }

  /** Number of waiting and delayed jobs. */
  count() {
    return this.getJobCountByTypes('waiting', 'prioritized', 'delayed');
  }

  async getJobState(id) {
    const job = await this.getJob(id);
    return job === undefined ? 'unknown' : job.getState();
  }

  /** The newest first, unless `asc`; `end` is included, -1 means all. */
  getJobs(types = STATES, start = 0, end = -1, asc = false) {
    const states = checkStates([types].flat());
    return this.store.read(() => {
      const rows = states.flatMap((state) => {
        if (state === 'waiting-children') return [];
        const all = this.store.sql[state].all(this.name);
        if (!asc) all.reverse();
        return all.slice(start, end < 0 ? undefined : end + 1);
      });
      return rows.map((row) => Job.fromRow(this, row));
    });
  }

  getJobLogs(id, start = 0, end = -1, asc = true) {
    return this.store.read(() => {
      const rows = this.store.sql.logs.all(this.name, String(id));
      const logs = rows.map(({ row }) => row);
      if (!asc) logs.reverse();
      const part = logs.slice(start, end < 0 ? undefined : end + 1);
      return { logs: part, count: logs.length };
    });
  }

  /** @returns {Promise<number>} 1, or 0 if the job does not exist or runs */
  async remove(id) {
    const { sql } = this.store;
    const { changes } = await this.store.write(() =>
      sql.remove.run(this.name, String(id)),
    );
    if (Number(changes) === 1) this.emit('removed', String(id));
    return Number(changes);
  }

  /** Removes waiting jobs, and with `delayed` also delayed ones. */
  async drain(delayed = false) {
    const { sql } = this.store;
    await this.store.write(() => {
      sql.drain.run(this.name);
      if (delayed) sql.drainDelayed.run(this.name);
    });
  }

  /**
   * Removes jobs of a state that are older than `grace` milliseconds.
   *
   * @returns {Promise<string[]>} their ids
   */
  async clean(grace, limit, type = 'completed') {
    const [state] = checkStates([type]);
    const { sql } = this.store;
    const before = Date.now() - grace;
    const isOld = (row) => (row.finished_on ?? row.timestamp) <= before;
    const ids = await this.store.write(() => {
      const rows = sql[state].all(this.name).filter(isOld);
      const gone = limit > 0 ? rows.slice(0, limit) : rows;
      return gone
        .filter(({ seq }) => Number(sql.removeSeq.run(seq).changes) === 1)
        .map(({ id }) => id);
    });
    this.emit('cleaned', ids, state);
    return ids;
  }

  /** Removes the queue with all of its jobs. */
  async obliterate(given) {
    const { force = false } = readOptions('obliterate', given, [
      'force',
      'count',
    ]);
    const { sql } = this.store;
    await this.store.write(() => {
      if (!force && sql.active.all(this.name).length > 0) {
        throw new Error('Cannot obliterate queue with active jobs');
      }
      sql.obliterate.run(this.name);
      sql.removeSchedulers.run(this.name);
      sql.obliterateQueue.run(this.name);
    });
  }

  /** Queues finished jobs again. */
  async retryJobs(given) {
    const known = ['state', 'count', 'timestamp'];
    const options = readOptions('retryJobs', given, known);
    const [state] = checkStates([options.state ?? 'failed']);
    if (!['failed', 'completed'].includes(state)) {
      throw new TypeError('retryJobs state must be failed or completed.');
    }
    const { timestamp = Date.now(), count = Infinity } = options;
    const { sql } = this.store;
    await this.store.write(
      () => {
        const rows = sql[state].all(this.name);
        const old = rows.filter((row) => row.finished_on <= timestamp);
        for (const { seq } of old.slice(0, count)) {
          sql.retryFinished.run(this.nextPlace(), seq);
        }
      },
      { wakes: true },
    );
  }

  /** Makes delayed jobs ready at once. */
  async promoteJobs() {
    const { sql } = this.store;
    await this.store.write(
      () => {
        for (const { id } of sql.delayed.all(this.name)) {
          sql.promote.run(this.nextPlace(), this.name, id);
        }
      },
      { wakes: true },
    );
  }

  /** Adds a job again and again: each `every` ms, or by a cron `pattern`. */
  async upsertJobScheduler(key, given, template = {}) {
    const repeat = readRepeat(given);
    if (typeof key !== 'string' || key === '') {
      throw new TypeError('upsertJobScheduler id must be a string.');
    }
    const subject = 'upsertJobScheduler template';
    const {
      name = key,
      data = {},
      opts,
    } = readOptions(subject, template, ['name', 'data', 'opts']);
    const jobOptions = readJobOptions(subject, opts, this.defaultJobOptions);
    const scheduler = { key, name, data, opts: jobOptions, repeat };
    const added = await this.store.write(() => upsert(this, scheduler), {
      wakes: true,
    });
    return added === undefined ? undefined : addedJob(this, ...added);
  }

  async removeJobScheduler(key) {
    const { sql } = this.store;
    const { changes } = await this.store.write(() => {
      sql.removeScheduled.run(this.name, key);
      return sql.removeScheduler.run(this.name, key);
    });
    return Number(changes) === 1;
  }

  getJobScheduler(key) {
    return this.store.read(() => {
      const row = this.store.sql.scheduler.get(this.name, key);
      return row === undefined ? undefined : schedulerOf(row);
    });
  }

  getJobSchedulers() {
    return this.store.read(() =>
      this.store.sql.schedulers.all(this.name).map(schedulerOf),
    );
  }

  closeOnce() {
    return this.store.release();
  }
}

const pascal = (state) => state[0].toUpperCase() + state.slice(1);

for (const state of STATES) {
  const { prototype } = Queue;
  prototype[`get${pascal(state)}`] = function (start = 0, end = -1) {
    return this.getJobs([state], start, end, true);
  };
  prototype[`get${pascal(state)}Count`] = function () {
    return this.getJobCountByTypes(state);
  };
}

const ABSENT = [
  'exportPrometheusMetrics',
  'getDeduplicationJobId',
  'getMetrics',
  'getRateLimitTtl',
  'getWorkers',
  'rateLimit',
  'removeDeduplicationKey',
  'setGlobalConcurrency',
  'setGlobalRateLimit',
  'trimEvents',
];

for (const name of ABSENT) {
  Queue.prototype[name] = async () => {
    throw new TypeError(
      `sloppy-workers/durable has no Queue.${name}; bullmq has it.`,
    );
  };
}

module.exports = { Queue };
