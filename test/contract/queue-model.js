'use strict';

/**
 * The rules of a queue in their plainest form: three arrays, everything
 * recomputed, no cleverness. What the real queue is compared with, step by
 * step, on random histories.
 *
 * A job is `{ id, signal, expiresAt }`. Outcomes are names of the diagnostic
 * table, or `Completed`.
 */
class QueueModel {
  now = 0;
  stopped = false;
  running = [];
  queued = [];
  waiters = [];
  /** Job ids in the order in which their handlers began. */
  started = [];
  /** Job id to outcome. */
  settled = new Map();
  cancelledSignals = new Set();
  stats = {
    enqueued: 0,
    completed: 0,
    failed: 0,
    cancelled: 0,
    timedOut: 0,
    retryExhausted: 0,
    overflow: 0,
  };

  constructor({ concurrency, maxQueued, overflow, maxBackpressureWaiters }) {
    this.concurrency = concurrency;
    this.maxQueued = maxQueued;
    this.overflow = overflow;
    this.maxWaiters = maxBackpressureWaiters;
  }

  enqueue(job) {
    if (this.stopped) return this.#settle(job, 'QueueStopped');
    if (this.cancelledSignals.has(job.signal)) {
      return this.#settle(job, 'JobCancelled');
    }
    if (job.expiresAt <= this.now) return this.#settle(job, 'JobTimeout');
    if (this.waiters.length === 0 && this.#hasRoom()) return this.#admit(job);
    this.stats.overflow += 1;
    if (this.overflow === 'reject' || this.waiters.length >= this.maxWaiters) {
      return this.#settle(job, 'QueueFull');
    }
    this.waiters.push(job);
  }

  cancel(signal) {
    this.cancelledSignals.add(signal);
    this.#drop((job) => job.signal === signal, 'JobCancelled', 'cancelled');
  }

  tick(ms) {
    for (let step = 0; step < ms; step += 1) {
      this.now += 1;
      this.#drop((job) => job.expiresAt <= this.now, 'JobTimeout', 'timedOut');
    }
  }

  finish(job, succeeds) {
    if (!this.running.includes(job)) return;
    this.running = this.running.filter((other) => other !== job);
    this.stats[succeeds ? 'completed' : 'failed'] += 1;
    this.#settle(job, succeeds ? 'Completed' : 'JobFailed');
    this.#advance();
  }

  stop(drain) {
    this.stopped = true;
    if (drain) {
      for (const job of this.waiters) this.#settle(job, 'QueueStopped');
    } else {
      const dropped = [...this.queued, ...this.waiters];
      for (const job of dropped) this.#settle(job, 'ShutdownCancelled');
      this.stats.cancelled += dropped.length;
      this.queued = [];
    }
    this.waiters = [];
  }

  #hasRoom() {
    return (
      this.queued.length < this.maxQueued ||
      this.running.length < this.concurrency
    );
  }

  #settle(job, outcome) {
    this.settled.set(job.id, outcome);
  }

  #admit(job) {
    this.stats.enqueued += 1;
    this.queued.push(job);
    this.#start();
  }

  #start() {
    while (this.running.length < this.concurrency && this.queued.length > 0) {
      const job = this.queued.shift();
      this.running.push(job);
      this.started.push(job.id);
    }
  }

  #advance() {
    this.#start();
    while (this.waiters.length > 0 && this.#hasRoom()) {
      this.#admit(this.waiters.shift());
    }
  }

  #drop(isOver, outcome, counter) {
    for (const list of ['running', 'queued', 'waiters']) {
      const over = this[list].filter(isOver);
      for (const job of over) this.#settle(job, outcome);
      this.stats[counter] += over.length;
      this[list] = this[list].filter((job) => !isOver(job));
    }
    this.#advance();
  }
}

module.exports = { QueueModel };
