'use strict';

const { append, bareClass, bareList } = require('./bare.js');
const { JobState } = require('./job-state.js');
const { NO_OPERATION } = require('./operation.js');
const { PoolJob } = require('./pool-job.js');
const { OwnPromise } = require('./primordials.js');

/**
 * The jobs in the addon by slot, the number by which it knows them.
 *
 * A plain job, of which its caller wants the result and nothing else, is no
 * object: it is what resolves its promise, and three entries of lists, of which
 * the collector need not copy one. It becomes an object (`at`) when anything
 * else is to happen to it than that it completes.
 */
class JobSlots {
  #makeSlot;
  // A PoolJob, or what resolves the promise of a plain job.
  #held = bareList();
  // Of plain jobs.
  #entries = bareList();
  #bytes = bareList();
  #ids = bareList();
  #free = bareList();
  #freeCount = 0;

  /** @param {(slot: number) => void} makeSlot tells the addon of a new one */
  constructor(makeSlot) {
    this.#makeSlot = makeSlot;
  }

  /** @returns {number} the job's slot */
  hold(job) {
    const slot = this.#take();
    this.#held[slot] = job;
    return slot;
  }

  /** The same for a plain job. Follow with `open`. */
  holdPlain(entry, bytes, id) {
    const slot = this.#take();
    this.#entries[slot] = entry;
    this.#bytes[slot] = bytes;
    this.#ids[slot] = id;
    return slot;
  }

  /** @returns {Promise<unknown>} what the caller of a plain job gets */
  open(slot) {
    return new OwnPromise((resolve) => {
      this.#held[slot] = resolve;
    });
  }

  #take() {
    if (this.#freeCount > 0) {
      this.#freeCount -= 1;
      return this.#free[this.#freeCount];
    }
    const slot = this.#held.length;
    this.#makeSlot(slot);
    this.#held[slot] = null;
    return slot;
  }

  /** @returns {Function | null} what resolves it; null: it is an object */
  resolverOf(slot) {
    const held = this.#held[slot];
    return typeof held === 'function' ? held : null;
  }

  /** REQUIRES, as the next: a plain job. */
  entryOf(slot) {
    return this.#entries[slot];
  }

  bytesOf(slot) {
    return this.#bytes[slot];
  }

  /** @returns {PoolJob | null} the job, which is an object from now on */
  at(slot) {
    const held = this.#held[slot];
    if (typeof held !== 'function') return held;
    const encoded = { bytes: this.#bytes[slot] };
    const job = new PoolJob(NO_OPERATION, encoded, this.#entries[slot], null);
    job.id = this.#ids[slot];
    job.resolve = held;
    job.slot = slot;
    job.state = JobState.Admitted;
    this.#held[slot] = job;
    return job;
  }

  /** The slot may be another's. */
  letGo(slot) {
    this.#held[slot] = null;
    this.#free[this.#freeCount] = slot;
    this.#freeCount += 1;
  }

  /** @returns {PoolJob[]} the jobs of a pool, in no order */
  of(pool) {
    const all = bareList();
    for (let slot = 0; slot < this.#held.length; slot += 1) {
      const held = this.#held[slot];
      if (held === null) continue;
      const isPlain = typeof held === 'function';
      const entry = isPlain ? this.#entries[slot] : held.entry;
      if (entry.pool !== pool) continue;
      const job = this.at(slot);
      // An abandoned one keeps its place, but is over.
      if (job.slot === slot) append(all, job);
    }
    return all;
  }
}

bareClass(JobSlots);

module.exports = { JobSlots };
