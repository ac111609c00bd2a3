'use strict';

const { workerError } = require('../../protocol/sloppy-worker-error.js');
const { NO_MEMORY_TEXT } = require('../../protocol/details.js');
const { Code } = require('../../protocol/diagnostics.gen.js');
const { includes } = require('../../base/primordials.js');
const { SubmitAnswer } = require('../../protocol/wire.gen.js');

/** The way of a job that is for one given worker of a pool in the addon. */
class PinnedJobs {
  #pool;

  /** @param {NativePool} pool */
  constructor(pool) {
    this.#pool = pool;
  }

  /** @returns {number[]} of the workers that live */
  numbers() {
    const { host, id } = this.#pool;
    return host.native.workerNumbers(id);
  }

  /**
   * @param {PoolJob} job an admitted one that keeps its own encoding
   * @param {number} worker
   * @param {number} order its worker takes those with the lowest first
   */
  submit(job, worker, order) {
    const pool = this.#pool;
    const { host } = pool;
    const { stash: e, metrics } = job;
    job.stash = null;
    if (pool.shares !== null) pool.shares.enter(job);
    if (pool.isRef) host.ref();
    job.slot = host.slots.hold(job);
    pool.entries.use(job.entry);
    const args = pool.fillArgs(job.slot, job.entry.id, e);
    pool.fillArgsOf(job, args);
    args.worker = worker;
    args.order = order;
    const answer = host.native.submitTo(e.slots, e.text, e.more);
    if (job.operation.runMs !== Infinity) job.operation.beginRun();
    if (answer !== SubmitAnswer.Queued) this.#refused(job, answer);
    if (metrics !== null) metrics.queued(job);
  }

  #refused(job, answer) {
    const pool = this.#pool;
    pool.forget(job);
    const error =
      answer === SubmitAnswer.NoMemory
        ? workerError(Code.ResourceLimit, NO_MEMORY_TEXT)
        : workerError(Code.PoolUnavailable);
    pool.refuse(job, error);
  }

  /** All that belong together are submitted. */
  flush() {}

  /**
   * Sets whether workers with a new realm are reported, and wait for `letIn`.
   */
  greet(greets) {
    const { host, id } = this.#pool;
    host.native.setGreets(id, greets);
  }

  letIn(worker) {
    const { host, id } = this.#pool;
    host.native.letIn(id, worker);
  }

  /** @returns {PoolJob[]} of these the ones that the worker has not begun */
  waiting(worker, jobs) {
    const { host, id } = this.#pool;
    const slots = host.native.pinned(id, worker);
    const waiting = [];
    for (let i = 0; i < jobs.length; i++) {
      if (includes(slots, jobs[i].slot)) waiting.push(jobs[i]);
    }
    return waiting;
  }
}

module.exports = { PinnedJobs };
