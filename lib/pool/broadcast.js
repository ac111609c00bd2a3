'use strict';
// Jobs that every worker of a pool runs once.

const { workerError } = require('../protocol/sloppy-worker-error.js');
const { Outcome } = require('../errors/outcome.js');
const { Code } = require('../protocol/diagnostics.gen.js');
const { jobOf, readCall } = require('../executors/read-call.js');
const { operationOf } = require('../admission/read-operation.js');
const { PoolJob } = require('../executors/pool-job.js');
const { refuseMistaken } = require('../options/mistaken-options.js');
const { BROADCAST, BROADCAST_EXPORT } = require('../options/option-sets.js');
const { plainOptions } = require('../base/validate.js');
const { isSignalCancelled } = require('../signals/any-signal.js');
const { OwnMap, OwnPromise } = require('../base/primordials.js');

const ENDED_TEXT = 'the worker ended before it could run the job';

/**
 * @param {unknown} given the options of WorkerPool.broadcast
 * @param {object} policy of the pool
 * @param {boolean} byName of an export
 * @returns {object} a copy
 * @throws {TypeError}
 */
function readBroadcast(given, policy, byName) {
  if (policy.isolation !== 'worker') {
    throw new TypeError(
      `WorkerPool.broadcast requires isolation "worker": with ` +
        `"${policy.isolation}" each job has new globals.`,
    );
  }
  const bag = plainOptions('WorkerPool.broadcast', given);
  for (const name of ['key', 'weight']) {
    if (bag[name] === undefined) continue;
    throw new TypeError(
      `WorkerPool.broadcast has no option "${name}": its jobs run in all ` +
        'workers at once. Use WorkerPool.run for jobs that take turns.',
    );
  }
  const known = byName ? BROADCAST_EXPORT : BROADCAST;
  refuseMistaken('WorkerPool.broadcast', bag, known.names);
  known.read('WorkerPool.broadcast', bag, 'later');
  return bag;
}

/** One worker's part of a round. */
class RoundJob extends PoolJob {
  /** It was taken back before its worker had begun it. */
  neverRan = false;

  get isPinned() {
    return true;
  }

  fail(error, admission) {
    // The slot tells it before the end; what a worker says comes elsewhere.
    this.neverRan = this.slot < 0;
    super.fail(error, admission);
  }
}

/** One broadcast to all workers, repeated for new realms while it is needed. */
class Round {
  /** Its unsettled jobs, `{ job, end }`, by the number of their worker. */
  jobs = new OwnMap();
  /** Workers that it has cost their globals: as many new ones do without it. */
  costs = 0;

  constructor(order, template, timeoutMs) {
    this.order = order;
    this.entry = template.entry;
    this.bytes = template.bytes;
    this.stash = template.stash;
    this.signal = template.operation.signal;
    this.timeoutMs = timeoutMs;
    this.runMs = template.operation.runMs;
  }

  get isCancelled() {
    return this.signal !== undefined && isSignalCancelled(this.signal);
  }

  /** @returns {RoundJob} a new one, whose time begins now */
  job() {
    const { bytes, entry, runMs, signal, timeoutMs } = this;
    const operation = operationOf(signal, undefined, timeoutMs, runMs);
    const job = new RoundJob(operation, { bytes }, entry, null);
    job.stash = this.stash;
    return job;
  }
}

const fulfilled = (value) => ({ status: 'fulfilled', value });
const rejected = (reason) => ({ status: 'rejected', reason });

/**
 * The rounds of a pool. Those with `later` are kept: a worker that starts, or
 * whose globals are new, runs them in their order before its first job.
 */
class Broadcasts {
  #core;
  #lastOrder = 0;
  #later = [];
  // Unsettled jobs of all rounds, with the number of their worker.
  #workers = new OwnMap();

  /** @param {PoolCore} core whose executor is there */
  constructor(core) {
    this.#core = core;
    core.executor.rounds = this;
  }

  /**
   * @param {object} entry what to call
   * @param {object} options from `readBroadcast`
   * @returns {Promise<object[]>} see WorkerPool.broadcast
   * @throws as a call of `run` rejects, before anything was sent
   */
  start(entry, { input: given, later, ...limits }) {
    const { admission, executor } = this.#core;
    const input = this.#core.inputOf(given);
    const { runTimeoutMs, signal, timeoutMs } = limits;
    const options = { __proto__: null, runTimeoutMs, signal, timeoutMs };
    const read = readCall(executor, admission, entry, input, options);
    const template = jobOf(read, executor, entry, input);
    admission.checkStopped();
    const refusal = template.operation.refusalWhenNew();
    if (refusal !== undefined) throw refusal;
    executor.keepForMany(template);
    // Each job of the round sees what is shared when it is sent.
    executor.shares?.leave(template);
    this.#lastOrder += 1;
    const round = new Round(this.#lastOrder, template, timeoutMs);
    if (later === true) this.#keep(round);
    const numbers = executor.pinned.numbers();
    const ends = [];
    for (let i = 0; i < numbers.length; i++) {
      ends[i] = this.#send(round, numbers[i]).then(fulfilled, rejected);
    }
    executor.pinned.flush();
    return OwnPromise.all(ends);
  }

  /** A round of the same function takes the place of the one before it. */
  #keep(round) {
    const others = this.#later.filter(({ entry }) => entry !== round.entry);
    this.#later = [...others, round];
    if (this.#later.length === 1) this.#core.executor.pinned.greet(true);
  }

  #drop(round) {
    this.#later = this.#later.filter((other) => other !== round);
    if (this.#later.length === 0) this.#core.executor.pinned.greet(false);
  }

  /** @returns {Promise<unknown>} of the job in this worker */
  async #send(round, worker) {
    const job = round.job();
    const sent = { job, end: null };
    round.jobs.set(worker, sent);
    this.#workers.set(job, worker);
    try {
      const { pinned } = this.#core.executor;
      sent.end = this.#core.submitTo(job, () =>
        pinned.submit(job, worker, round.order),
      );
      return await sent.end;
    } catch (error) {
      const isThrown = error?.code === Code.JobFailed;
      if (!isThrown && !job.neverRan) round.costs += 1;
      throw error;
    } finally {
      this.#workers.delete(job);
      if (round.jobs.get(worker) === sent) round.jobs.delete(worker);
    }
  }

  /**
   * A worker has new globals, and takes no job before it is let in.
   *
   * @param {number} worker
   */
  fresh(worker) {
    const unread = this.#unread(worker);
    if (unread.length > 0) {
      // Deferred, because the last realm's results are about to be read.
      const again = () => this.fresh(worker);
      OwnPromise.all(unread).then(again, again);
      return;
    }
    const rounds = this.#later;
    for (let i = 0; i < rounds.length; i++) this.#greet(rounds[i], worker);
    this.#core.executor.pinned.letIn(worker);
  }

  /** @returns {Promise<unknown>[]} ends of jobs that it had begun before */
  #unread(worker) {
    const all = this.#later
      .map(({ jobs }) => jobs.get(worker))
      .filter((sent) => sent !== undefined);
    const jobs = all.map(({ job }) => job);
    const waiting = this.#core.executor.pinned.waiting(worker, jobs);
    return all
      .filter(({ job }) => !waiting.includes(job))
      .map(({ end }) => end);
  }

  #greet(round, worker) {
    if (round.isCancelled) this.#drop(round);
    else if (round.costs > 0) round.costs -= 1;
    else if (!round.jobs.has(worker) && !this.#core.admission.isOver) {
      this.#send(round, worker).catch((error) => {
        // A worker that has left needs nothing any more.
        if (error?.code !== Code.PoolUnavailable)
          this.#core.listeners.laterFailed(error);
      });
    }
  }

  /** Some are gone, with what was for them alone. */
  workersChanged() {
    if (this.#workers.size === 0) return;
    const { admission, executor } = this.#core;
    const living = executor.pinned.numbers();
    this.#workers.forEach((worker, job) => {
      if (living.includes(worker) || !executor.remove(job)) return;
      const error = workerError(Code.PoolUnavailable, ENDED_TEXT);
      admission.finish(job, Outcome.Failed, error);
    });
  }
}

module.exports = { Broadcasts, readBroadcast };
