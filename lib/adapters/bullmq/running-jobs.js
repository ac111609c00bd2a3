'use strict';

const { performance } = require('node:perf_hooks');

const { schedule } = require('../../timers/timer-heap.js');

/**
 * Maximum wait for the last writes of an attempt, because a server that is away
 * must not keep a worker process from ending.
 */
const LAST_WRITES_MS = 2000;

/** Reasons of ours for ending a job. */
const Ended = Object.freeze({ LockLost: 'lock lost', Closing: 'closing' });

/** Methods of the engine's job that code in a worker may call. */
const CALLABLE = [
  'updateData',
  'moveToDelayed',
  'moveToWait',
  'moveToWaitingChildren',
  'getChildrenValues',
  'getIgnoredChildrenFailures',
  'getDependenciesCount',
  'getDependencies',
];

/** One attempt of one job, from the processor's call to its end. */
class RunningJob {
  #controller = new AbortController();
  #unfollow;
  #writesLimit = null;
  #giveUpWrites;
  #writesOver = new Promise((resolve) => {
    this.#giveUpWrites = resolve;
  });
  ended = undefined;

  constructor(key, job, signal) {
    this.key = key;
    this.job = job;
    // The lock began when the job was fetched, which may be long ago on a busy
    // event loop.
    const since = Number.isFinite(job.processedOn)
      ? Math.max(0, Date.now() - job.processedOn)
      : 0;
    this.lockedAt = performance.now() - since;
    this.#follow(signal);
  }

  get signal() {
    return this.#controller.signal;
  }

  // The engine's signal may be of any implementation, and may outlive the job.
  #follow(signal) {
    if (!signal) return;
    const cancel = () => this.#controller.abort(signal.reason);
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel);
    this.#unfollow = () => signal.removeEventListener('abort', cancel);
  }

  /** The attempt is over. */
  leave() {
    this.#unfollow?.();
    this.#writesLimit?.cancel();
  }

  /** All writes of this attempt together get so long from now on. */
  limitWrites() {
    this.#writesLimit ??= schedule(
      performance.now() + LAST_WRITES_MS,
      this.#giveUpWrites,
    );
  }

  /**
   * Resolves with the write to the engine, or when its time is over.
   *
   * @param {Promise<unknown>} write
   */
  async written(write) {
    await Promise.race([write, this.#writesOver]);
  }

  /** @param {string} why one of `Ended` */
  end(why) {
    if (this.ended !== undefined) return;
    this.ended = why;
    this.limitWrites();
    this.#controller.abort(why);
  }
}

/** The running jobs of a processor, by a key that is unique to the attempt. */
class RunningJobs {
  #byKey = new Map();
  #sequence = 0;
  #whenEmpty = [];

  add(job, signal) {
    this.#sequence += 1;
    const running = new RunningJob(`${job.id}#${this.#sequence}`, job, signal);
    this.#byKey.set(running.key, running);
    return running;
  }

  remove(running) {
    running.leave();
    this.#byKey.delete(running.key);
    if (this.#byKey.size > 0) return;
    for (const resolve of this.#whenEmpty.splice(0)) resolve();
  }

  get size() {
    return this.#byKey.size;
  }

  [Symbol.iterator]() {
    return this.#byKey.values();
  }

  /** The locks of these jobs hold from `at` on, a time of `performance`. */
  renewed(ids, at) {
    const known = new Set(ids);
    for (const running of this) {
      if (known.has(running.job.id)) {
        running.lockedAt = Math.max(running.lockedAt, at);
      }
    }
  }

  endOf(ids, why) {
    const known = new Set(ids);
    for (const running of this) {
      if (known.has(running.job.id)) running.end(why);
    }
  }

  endAll(why) {
    for (const running of this) running.end(why);
  }

  /** @returns {Promise<void>} at once when there is none */
  empty() {
    if (this.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenEmpty.push(resolve));
  }

  /**
   * A call of the job object in a worker. JSON in both directions.
   *
   * @returns {Promise<string | null>}
   */
  async call(key, method, words) {
    const running = this.#byKey.get(key);
    if (running === undefined) throw new Error('The job has ended.');
    if (!CALLABLE.includes(method)) {
      throw new TypeError(`job has no ${method}.`);
    }
    const { job } = running;
    if (typeof job[method] !== 'function') {
      throw new TypeError(`This queue's jobs have no ${method}.`);
    }
    return JSON.stringify(await job[method](...JSON.parse(words))) ?? null;
  }
}

module.exports = { CALLABLE, Ended, LAST_WRITES_MS, RunningJobs };
