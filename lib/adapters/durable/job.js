'use strict';

const { State } = require('./schema.js');

const STATES = ['waiting', 'active', 'completed', 'failed', 'delayed'];

const textOf = (value) => JSON.stringify(value) ?? 'null';
const readText = (text, fallback) =>
  text === null ? fallback : JSON.parse(text);

const stateOf = ({ state, priority }) =>
  state === State.Waiting && priority > 0 ? 'prioritized' : STATES[state];

const NO_FLOWS = [
  'getChildrenValues',
  'getDependencies',
  'getDependenciesCount',
  'getIgnoredChildrenFailures',
  'moveToWaitingChildren',
  'waitUntilFinished',
];

/** A job, as BullMQ shows it. */
class Job {
  #base;

  constructor(base, fields) {
    this.#base = base;
    Object.assign(this, fields);
  }

  /** Makes a job from a row of the table. */
  static fromRow(base, row) {
    const opts = JSON.parse(row.opts);
    return new Job(base, {
      id: row.id,
      name: row.name,
      data: JSON.parse(row.data),
      opts,
      progress: readText(row.progress, 0),
      returnvalue: readText(row.result, null),
      stacktrace: readText(row.stacktrace, []),
      delay:
        row.state === State.Delayed
          ? row.run_at - row.timestamp
          : (opts.delay ?? 0),
      priority: row.priority,
      timestamp: row.timestamp,
      attemptsMade: row.attempts_made,
      attemptsStarted: row.attempts_started,
      stalledCounter: row.stalled,
      failedReason: row.failed_reason ?? undefined,
      processedOn: row.processed_on ?? undefined,
      finishedOn: row.finished_on ?? undefined,
      repeatJobKey: row.repeat_key ?? undefined,
      token: row.token ?? undefined,
    });
  }

  get queueName() {
    return this.#base.name;
  }

  get queueQualifiedName() {
    return this.#base.qualifiedName;
  }

  get prefix() {
    return 'durable';
  }

  get #store() {
    return this.#base.store;
  }

  get #key() {
    return [this.#base.name, this.id];
  }

  asJSON() {
    return {
      id: this.id,
      name: this.name,
      data: textOf(this.data),
      opts: this.opts,
      progress: this.progress,
      attemptsMade: this.attemptsMade,
      attemptsStarted: this.attemptsStarted,
      stalledCounter: this.stalledCounter,
      finishedOn: this.finishedOn,
      processedOn: this.processedOn,
      timestamp: this.timestamp,
      failedReason: this.failedReason,
      stacktrace: this.stacktrace,
      repeatJobKey: this.repeatJobKey,
      returnvalue: textOf(this.returnvalue),
    };
  }

  asJSONSandbox() {
    const { queueName, queueQualifiedName, prefix } = this;
    return { ...this.asJSON(), queueName, queueQualifiedName, prefix };
  }

  toJSON() {
    const { id, name, data, opts, progress, delay, timestamp } = this;
    const { attemptsMade, failedReason, stacktrace, returnvalue } = this;
    const { finishedOn, processedOn, queueQualifiedName } = this;
    return {
      ...{ id, name, data, opts, progress, delay, timestamp, attemptsMade },
      ...{ failedReason, stacktrace, returnvalue, finishedOn, processedOn },
      queueQualifiedName,
    };
  }

  async updateProgress(progress) {
    const text = textOf(progress);
    const { sql } = this.#store;
    const { changes } = await this.#store.write(() =>
      sql.progress.run(text, ...this.#key),
    );
    this.#checkFound(changes, 'updateProgress');
    this.progress = progress;
    this.#base.emit('progress', this, progress);
  }

  async updateData(data) {
    const text = textOf(data ?? {});
    const { sql } = this.#store;
    const { changes } = await this.#store.write(() =>
      sql.data.run(text, ...this.#key),
    );
    this.#checkFound(changes, 'updateData');
    this.data = data;
  }

  /** @returns {Promise<number>} number of rows of the log */
  log(row) {
    const { sql } = this.#store;
    const { keepLogs } = this.opts;
    return this.#store.write(() => {
      if (sql.stateOf.get(...this.#key) === undefined)
        this.#checkFound(0, 'addLog');
      sql.log.run(...this.#key, String(row));
      if (keepLogs > 0) sql.trimLogs.run(...this.#key, keepLogs);
      return Number(sql.logCount.get(...this.#key).n);
    });
  }

  #checkFound(changes, operation) {
    if (Number(changes) === 1) return;
    throw new Error(`Missing key for job ${this.id}. ${operation}`);
  }

  #checkLock(changes, operation) {
    if (Number(changes) === 1) return;
    throw new Error(`Missing lock for job ${this.id}. ${operation}`);
  }

  /** Moves the job to the front of the queue; no attempt is counted. */
  async moveToWait(token = this.token) {
    const { sql } = this.#store;
    await this.#store.write(
      () => {
        const place = -this.#base.nextPlace();
        const { changes } = sql.giveBack.run(place, ...this.#key, token ?? '');
        this.#checkLock(changes, 'moveToWait');
      },
      { wakes: true },
    );
  }

  /** Delays the job until `timestamp`; no attempt is counted. */
  async moveToDelayed(timestamp, token = this.token) {
    const { sql } = this.#store;
    await this.#store.write(
      () => {
        const words = [Math.round(timestamp), ...this.#key, token ?? ''];
        this.#checkLock(sql.putOff.run(...words).changes, 'moveToDelayed');
      },
      { wakes: true },
    );
  }

  /** @returns {Promise<string>} `unknown` if the job does not exist */
  getState() {
    return this.#store.read(() => {
      const row = this.#store.sql.stateOf.get(...this.#key);
      return row === undefined ? 'unknown' : stateOf(row);
    });
  }

  async #is(state) {
    return (await this.getState()) === state;
  }

  isCompleted() {
    return this.#is('completed');
  }

  isFailed() {
    return this.#is('failed');
  }

  isActive() {
    return this.#is('active');
  }

  isDelayed() {
    return this.#is('delayed');
  }

  async isWaiting() {
    return ['waiting', 'prioritized'].includes(await this.getState());
  }

  async remove() {
    const { sql } = this.#store;
    const { changes } = await this.#store.write(() =>
      sql.remove.run(...this.#key),
    );
    if (Number(changes) === 1) return;
    if ((await this.getState()) === 'unknown') return;
    throw new Error(
      `Job ${this.id} could not be removed because it is locked by another worker`,
    );
  }

  /** Queues a finished job again. */
  async retry(state = 'failed') {
    const { sql } = this.#store;
    await this.#store.write(
      () => {
        const row = sql.job.get(...this.#key);
        if (row === undefined) this.#checkFound(0, 'reprocessJob');
        if (stateOf(row) !== state) {
          throw new Error(
            `Job ${this.id} is not in the ${state} state. reprocessJob`,
          );
        }
        sql.retryFinished.run(this.#base.nextPlace(), row.seq);
      },
      { wakes: true },
    );
    this.failedReason = undefined;
    this.finishedOn = undefined;
    this.processedOn = undefined;
    this.returnvalue = null;
  }

  /** Makes a delayed job ready at once. */
  async promote() {
    const { sql } = this.#store;
    await this.#store.write(
      () => {
        const { changes } = sql.promote.run(
          this.#base.nextPlace(),
          ...this.#key,
        );
        if (Number(changes) === 1) return;
        throw new Error(`Job ${this.id} is not in the delayed state. promote`);
      },
      { wakes: true },
    );
  }
}

for (const name of NO_FLOWS) {
  Job.prototype[name] = async () => {
    throw new TypeError(
      `sloppy-workers/durable has no job.${name}: flows and QueueEvents need ` +
        'bullmq.',
    );
  };
}

module.exports = { Job, stateOf, textOf };
