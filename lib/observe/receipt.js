'use strict';

const { AsyncResource } = require('node:async_hooks');

const { callListener } = require('../base/call-listener.js');
const { nameOf } = require('../entries/entries.js');
const { OUTCOMES } = require('./job-trace.js');
const { Outcome } = require('../errors/outcome.js');
const {
  freeze,
  max,
  now,
  queueMicrotask,
  runInAsyncScope,
} = require('../base/primordials.js');
const { JobMode, Times } = require('../protocol/wire.gen.js');

const known = (value) => (value >= 0 ? value : null);

/**
 * The cost of one job of a pool, reported once the job has settled and its
 * worker is done with it. Everything that it receives goes on to the meter or
 * trace that would be in its place; the interface is theirs.
 */
class Receipt {
  #job;
  #inner;
  #tell;
  #at = now();
  #payloadBytes = 0;
  #queueMs = null;
  #startedAt = 0;
  // `{ queueMs, runMs, cpuMs, heapPeakBytes, resultBytes, worker }` of a job
  // whose code is over.
  #cost = null;
  #end = null;

  /**
   * @param {PoolJob} job
   * @param {Meter | JobTrace | null} inner
   * @param {((receipt: object) => void)[]} tell
   */
  constructor(job, inner, tell) {
    this.#job = job;
    this.#inner = inner;
    this.#payloadBytes = job.bytes;
    const caller = new AsyncResource('SloppyWorkersReceipt');
    this.#tell = (receipt) => {
      for (let i = 0; i < tell.length; i++) {
        runInAsyncScope(caller, callListener, undefined, tell[i], receipt);
      }
    };
  }

  /** Bits of the job's mode. */
  get bits() {
    const bits = JobMode.Timed | JobMode.Metered;
    return this.#inner === null ? bits : bits | this.#inner.bits;
  }

  waiting(job) {
    if (this.#inner !== null) this.#inner.waiting(job);
    else job.waitedMs = -now();
  }

  queued(job) {
    if (this.#inner !== null) this.#inner.queued(job);
    else if (job.waitedMs < 0) job.waitedMs += now();
  }

  started(job, queueMs) {
    this.#queueMs = queueMs + job.waitedMs;
    this.#startedAt = now();
    this.#inner?.started(job, queueMs);
  }

  retried(job) {
    this.#inner?.retried(job);
  }

  ended(job, times, at) {
    this.#inner?.ended(job, times, at);
    this.#cost = {
      queueMs: times[at + Times.Queued] + job.waitedMs,
      runMs: times[at + Times.Run],
      cpuMs: known(times[at + Times.Cpu]),
      heapPeakBytes: known(times[at + Times.HeapPeak]),
      resultBytes: known(times[at + Times.ResultBytes]),
      worker: known(times[at + Times.Worker]),
    };
    // Its caller had an answer before.
    if (this.#end !== null) this.#give();
  }

  settled(outcome, code) {
    this.#inner?.settled(outcome, code);
    this.#end = { outcome, code };
    if (this.#cost === null && this.#job.slot >= 0) return;
    this.#cost ??= this.#unstarted();
    this.#give();
  }

  /** Its thread was given up: what it cost is not known. */
  lost() {
    this.#cost = {
      queueMs: this.#queueMs,
      runMs: this.#startedAt === 0 ? null : now() - this.#startedAt,
      cpuMs: null,
      heapPeakBytes: null,
      resultBytes: null,
      worker: null,
    };
    if (this.#end !== null) this.#give();
  }

  refused(code) {
    this.#inner?.refused(code);
  }

  #unstarted() {
    return {
      queueMs: max(0, now() - this.#at),
      runMs: 0,
      cpuMs: 0,
      heapPeakBytes: null,
      resultBytes: null,
      worker: null,
    };
  }

  // Later: the place of the job is not free yet, and foreign code is called.
  #give() {
    const { outcome, code } = this.#end;
    const cost = this.#cost;
    const receipt = freeze({
      name: nameOf(this.#job.entry) || null,
      key: this.#job.key,
      queueMs: cost.queueMs,
      runMs: cost.runMs,
      cpuMs: cost.cpuMs,
      heapPeakBytes: cost.heapPeakBytes,
      payloadBytes: this.#payloadBytes,
      resultBytes: outcome === Outcome.Completed ? cost.resultBytes : null,
      worker: cost.worker,
      attempt: 1,
      outcome: OUTCOMES[outcome],
      code: code ?? null,
    });
    const tell = this.#tell;
    queueMicrotask(() => tell(receipt));
  }
}

module.exports = { Receipt };
