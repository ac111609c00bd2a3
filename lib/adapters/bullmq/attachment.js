'use strict';

const { performance } = require('node:perf_hooks');

const { timerMs } = require('../../base/timer-ms.js');
const { Ended } = require('./running-jobs.js');

/** A job may run until this part of its lock's time is over. */
const GUARDED = 0.9;
/** Number of checks in a lock's time. */
const LOOKS = 50;
const MIN_STALLED_COUNT = 3;
const WARNING = 'SloppyWorkersWarning';

function warn(code, text) {
  process.emitWarning(text, { type: WARNING, code: `SLOPPY_W_${code}` });
}

function warnOfSettings({ opts, concurrency }, jobsAtOnce) {
  if (opts.maxStalledCount < MIN_STALLED_COUNT) {
    warn(
      'MAX_STALLED_COUNT',
      `maxStalledCount is ${opts.maxStalledCount}: a job whose worker process ` +
        `ends ${opts.maxStalledCount + 1} times, as in rollouts, fails for ` +
        'good. Give the Worker maxStalledCount: 3 or more.',
    );
  }
  if (concurrency > jobsAtOnce) {
    warn(
      'CONCURRENCY',
      `concurrency is ${concurrency}, the pool runs ${jobsAtOnce} jobs at ` +
        'once: the others wait with their locks taken, and their timeoutMs ' +
        'counts. Give the pool as many workers.',
    );
  }
  if (opts.skipLockRenewal) {
    warn(
      'SKIP_LOCK_RENEWAL',
      'skipLockRenewal is set: a job that takes longer than lockDuration is ' +
        'ended and runs again.',
    );
  }
}

function checkWorker(worker) {
  const isWorker =
    typeof worker?.on === 'function' &&
    typeof worker.close === 'function' &&
    Number.isFinite(worker.opts?.lockDuration);
  if (isWorker) return;
  throw new TypeError('attach takes a Worker of bullmq.');
}

/**
 * Events that a processor cannot see by itself, because BullMQ emits them on
 * the Worker only.
 *
 * The lease guard ends a job whose lock was not renewed in time before another
 * process takes it, even if the network is cut.
 */
class Attachment {
  #worker;
  #running;
  #timers = new Set();

  constructor(worker, { running, jobsAtOnce, closeTimeoutMs, onClosed }) {
    checkWorker(worker);
    this.#worker = worker;
    this.#running = running;
    warnOfSettings(worker, jobsAtOnce);
    this.#watchRenewals();
    const { lockDuration } = worker.opts;
    const guard = setInterval(
      () => this.#guard(lockDuration * GUARDED),
      timerMs(Math.max(1, lockDuration / LOOKS)),
    );
    this.#timers.add(guard.unref());
    worker.on('closing', () => this.#closing(closeTimeoutMs));
    worker.on('closed', () => this.#closed(onClosed));
  }

  get worker() {
    return this.#worker;
  }

  /** Takes no more jobs. Resolves when those that run have ended. */
  close() {
    return this.#worker.close();
  }

  #watchRenewals() {
    const worker = this.#worker;
    worker.on('lockRenewalFailed', (ids) => {
      this.#running.endOf(ids, Ended.LockLost);
    });
    // Wrapped, because the event comes after the reply, but the lock began at
    // the request: the guard would be late by a slow round trip.
    const extend = worker.extendJobLocks;
    if (typeof extend !== 'function') {
      worker.on('locksRenewed', ({ jobIds }) => {
        this.#running.renewed(jobIds, performance.now());
      });
      return;
    }
    worker.extendJobLocks = async (ids, ...rest) => {
      const at = performance.now();
      const lost = await extend.call(worker, ids, ...rest);
      const kept = ids.filter((id) => !lost.includes(id));
      this.#running.renewed(kept, at);
      return lost;
    };
  }

  #guard(allowedMs) {
    const now = performance.now();
    for (const running of this.#running) {
      if (now - running.lockedAt > allowedMs) running.end(Ended.LockLost);
    }
  }

  #closing(closeTimeoutMs) {
    if (closeTimeoutMs === Infinity) return;
    const timer = setTimeout(
      () => this.#running.endAll(Ended.Closing),
      timerMs(closeTimeoutMs),
    );
    this.#timers.add(timer.unref());
  }

  #closed(onClosed) {
    for (const timer of this.#timers) clearTimeout(timer);
    // close(true) does not wait for the jobs, and BullMQ does not end them.
    this.#running.endAll(Ended.Closing);
    onClosed();
  }
}

module.exports = { Attachment };
