'use strict';

const { randomUUID } = require('node:crypto');

const { Code } = require('../../protocol/diagnostics.gen.js');
const { backoffOf } = require('./backoff.js');
const { claim } = require('./claiming.js');
const { Job, textOf } = require('./job.js');
const { Locks } = require('./locks.js');
const { readWorkerOptions } = require('./options.js');
const { QueueBase } = require('./queue-base.js');
const { complete, fail, stacksOf, takeBackStalled } = require('./settling.js');

/** Errors of a job that has moved itself already. */
const MOVED = new Set(['DelayedError', 'WaitingError', 'WaitingChildrenError']);
const RATE_LIMITED = 'bullmq:rateLimitExceeded';
const SETTLE_RETRY_MS = 100;
const CLAIM_RETRY_MS = 500;
const CLAIM_LOOK_MS = 5;
const MAX_TIMER_MS = 2 ** 31 - 1;

const asError = (thrown) =>
  typeof thrown?.message === 'string' ? thrown : new Error(String(thrown));

/** Runs the jobs of a queue. */
class Worker extends QueueBase {
  #process;
  #locks = new Locks(this);
  #claims = 0;
  #isClaiming = false;
  #isDrained = false;
  #hasToldDrained = false;
  #isRunning = false;
  #isPaused = false;
  #isClosed = false;
  /** Jobs whose processor has not ended; those in `#jobs` may be settling. */
  #busy = 0;
  #jobs = new Set();
  #unlisten = null;
  #timers = { due: null, stalled: null };

  constructor(name, processor, given) {
    const opts = readWorkerOptions(given);
    if (typeof processor !== 'function' && processor !== null) {
      throw new TypeError(
        'Worker processor must be a function; for a file: processor(file) of ' +
          'sloppy-workers/bullmq.',
      );
    }
    super('Worker', name, opts);
    this.id = randomUUID();
    this.#process = processor;
    if (opts.autorun && processor !== null) {
      // Deferred as in BullMQ, so that listeners are added before the first
      // job.
      setImmediate(() =>
        this.run().catch((error) => this.emit('error', error)),
      );
    }
    setImmediate(() => this.emit('ready'));
  }

  get concurrency() {
    return this.opts.concurrency;
  }

  set concurrency(value) {
    if (!Number.isInteger(value) || value < 1) {
      throw new TypeError('Worker concurrency must be a positive integer.');
    }
    this.opts.concurrency = value;
    this.#pump();
  }

  isRunning() {
    return this.#isRunning;
  }

  isPaused() {
    return this.#isPaused;
  }

  /** Begins to take jobs. Called automatically unless `autorun` is false. */
  async run() {
    if (this.#process === null)
      throw new Error('No process function is defined.');
    if (this.#isRunning) throw new Error('Worker is already running.');
    if (this.closing) return;
    this.#isRunning = true;
    this.#unlisten = this.store.listen(() => {
      this.#isDrained = false;
      this.#pump();
    });
    await this.startStalledCheckTimer();
    this.#pump();
  }

  async startStalledCheckTimer() {
    const { skipStalledCheck, stalledInterval } = this.opts;
    if (skipStalledCheck || this.closing || this.#timers.stalled) return;
    const check = () => this.#checkStalled();
    this.#timers.stalled = setInterval(check, stalledInterval);
    await check();
  }

  async #checkStalled() {
    try {
      const { stalled, failed } = await this.store.write(
        () => takeBackStalled(this),
        { wakes: true },
      );
      for (const { id } of stalled) this.emit('stalled', id, 'active');
      for (const row of failed) {
        const error = new Error(row.failed_reason);
        this.emit('failed', Job.fromRow(this, row), error, 'active');
      }
    } catch (error) {
      this.emit('error', error);
    }
  }

  #pump() {
    const free = this.concurrency - this.#busy;
    const mayTake = this.#isRunning && !this.#isPaused && !this.closing;
    if (!mayTake || this.#isClaiming || this.#isDrained || free <= 0) return;
    this.#isClaiming = true;
    this.#claim(free).catch((error) => this.emit('error', error));
  }

  async #claim(count) {
    this.#claims += 1;
    const prefix = `${this.id}:${this.#claims}:`;
    // Set before the claim, because a wake-up may come meanwhile.
    this.#isDrained = true;
    let claimed;
    try {
      claimed = await this.store.write(() => claim(this, prefix, count));
    } catch (error) {
      this.#isClaiming = false;
      this.#isDrained = false;
      this.#retryClaim();
      throw error;
    }
    this.#isClaiming = false;
    const { rows, nextDue } = claimed;
    for (const row of rows) this.#begin(row);
    if (rows.length === count) this.#isDrained = false;
    if (rows.length > 0) this.#hasToldDrained = false;
    else if (this.#busy === 0) this.#emitDrained();
    this.#armDue(nextDue);
    this.#pump();
  }

  /** Emitted once, after the last job's event. */
  #emitDrained() {
    if (this.#hasToldDrained) return;
    this.#hasToldDrained = true;
    setImmediate(() => this.emit('drained'));
  }

  #retryClaim() {
    setTimeout(() => this.#pump(), CLAIM_RETRY_MS);
  }

  #armDue(at) {
    clearTimeout(this.#timers.due);
    if (at === null) return;
    const wake = () => {
      this.#isDrained = false;
      this.#pump();
    };
    const pause = Math.min(MAX_TIMER_MS, Math.max(0, at - Date.now()));
    this.#timers.due = setTimeout(wake, pause);
  }

  #begin(row) {
    const job = Job.fromRow(this, row);
    this.#busy += 1;
    const running = this.#run(job, row.token);
    this.#jobs.add(running);
    running.finally(() => this.#jobs.delete(running));
  }

  async #run(job, token) {
    const controller = this.#locks.take(job, token);
    this.emit('active', job, 'waiting');
    const { maxStartedAttempts } = this.opts;
    let settling;
    try {
      if (job.attemptsStarted > (maxStartedAttempts ?? Infinity)) {
        const text = 'job started more than allowable limit';
        throw Object.assign(new Error(text), { name: 'UnrecoverableError' });
      }
      const result = await this.#process(job, token, controller.signal);
      settling = this.#completed(job, token, result, textOf(result));
    } catch (error) {
      settling = this.#failed(job, token, asError(error));
    }
    this.#locks.settling(job, token);
    // The next claim is in the transaction that settles this job.
    this.#busy -= 1;
    this.#pump();
    try {
      await settling;
    } catch (error) {
      if (!this.#isClosed) this.emit('error', error);
    } finally {
      this.#locks.release(job, token);
      if (this.#busy === 0 && this.#isDrained) this.#emitDrained();
    }
  }

  async #completed(job, token, result, text) {
    job.finishedOn = await this.#write(job, token, () =>
      complete(this, job, token, text),
    );
    job.returnvalue = result;
    job.attemptsMade += 1;
    this.emit('completed', job, result, 'active');
  }

  async #failed(job, token, error) {
    if (MOVED.has(error.name)) return;
    if (error.message === RATE_LIMITED) {
      await job.moveToWait(token);
      return;
    }
    const retryAt = await this.#retryAt(job, error).catch((reason) => {
      this.emit('error', reason);
      return undefined;
    });
    const failure = {
      message: error.message,
      stack: stacksOf(job, error),
      retryAt,
    };
    const finishedOn = await this.#write(
      job,
      token,
      () => fail(this, job, token, failure),
      { wakes: true },
    );
    job.failedReason = error.message;
    if (finishedOn !== undefined) job.finishedOn = finishedOn;
    job.attemptsMade += 1;
    this.emit('failed', job, error, 'active');
  }

  async #retryAt(job, error) {
    const made = job.attemptsMade + 1;
    const { attempts, backoff } = job.opts;
    if (made >= attempts || error.name === 'UnrecoverableError')
      return undefined;
    const strategy = this.opts.settings.backoffStrategy;
    const pause = await backoffOf(backoff, made, error, job, strategy);
    if (pause < 0) return undefined;
    return pause === 0 ? 0 : Date.now() + pause;
  }

  /**
   * Writes a job's end. Retries while this worker holds the lock, because a
   * full disk may have room the next time.
   */
  async #write(job, token, operation, options) {
    for (;;) {
      try {
        return await this.store.write(operation, options);
      } catch (error) {
        if (error.code !== Code.DurableStoreFailed) throw error;
        this.emit('error', error);
        await new Promise((resolve) => setTimeout(resolve, SETTLE_RETRY_MS));
        if (!(await this.#isOwned(job, token))) throw error;
      }
    }
  }

  async #isOwned(job, token) {
    try {
      const { sql } = this.store;
      const owned = [this.name, job.id, token];
      return await this.store.read(
        () => sql.isOwned.get(...owned) !== undefined,
      );
    } catch {
      return false;
    }
  }

  /** @returns {Promise<string[]>} ids of jobs whose lock was lost */
  extendJobLocks(ids, tokens, duration) {
    const { sql } = this.store;
    return this.store.write(() => {
      const until = Date.now() + duration;
      return ids.filter((id, index) => {
        const { changes } = sql.renew.run(until, this.name, id, tokens[index]);
        return Number(changes) !== 1;
      });
    });
  }

  /** @returns {boolean} whether it runs here */
  cancelJob(id, reason) {
    return this.#locks.cancel(id, reason);
  }

  cancelAllJobs(reason) {
    this.#locks.cancelAll(reason);
  }

  /**
   * Takes no more jobs, and waits for running ones unless `doNotWaitActive`.
   */
  async pause(doNotWaitActive = false) {
    this.#isPaused = true;
    if (!doNotWaitActive) await this.#idle();
    this.emit('paused');
  }

  resume() {
    this.#isPaused = false;
    this.#isDrained = false;
    this.emit('resumed');
    this.#pump();
  }

  async #idle() {
    // A pending claim may bring more jobs.
    while (this.#isClaiming || this.#jobs.size > 0) {
      if (this.#jobs.size > 0) await Promise.race(this.#jobs);
      else await new Promise((resolve) => setTimeout(resolve, CLAIM_LOOK_MS));
    }
  }

  /** Waits for running jobs, unless `force`. */
  async closeOnce(force = false) {
    await null;
    this.emit('closing', 'closing queue');
    this.#unlisten?.();
    clearTimeout(this.#timers.due);
    clearInterval(this.#timers.stalled);
    if (!force) await this.#idle();
    this.#locks.stop();
    this.#isRunning = false;
    this.#isClosed = true;
    await this.store.release();
    this.emit('closed');
  }
}

module.exports = { Worker };
