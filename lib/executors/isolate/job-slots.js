'use strict';

const { append, bareClass, bareList } = require('../../base/bare.js');
const { JobState } = require('../../admission/job-state.js');
const { NO_OPERATION, Operation } = require('../../admission/operation.js');
const { PoolJob } = require('../pool-job.js');
const { OwnPromise, min } = require('../../base/primordials.js');

// Slots beyond the first FIXED (src/job/job_table.h) are returned after a burst,
// in blocks of 2 ** BLOCK_BITS, while more than KEPT_BLOCKS blocks are empty.
const FIXED = 2032;
const BLOCK_BITS = 10;
const KEPT_BLOCKS = 16;
// Serial of a free slot.
const FREE = -1;

function cut(list, length) {
  if (list.length > length) list.length = length;
}

/**
 * The jobs in the addon by slot, the number by which it knows them.
 *
 * A plain job has at most a limit and a signal. It is not allocated: it is its
 * promise's resolve function plus one entry in each array below, which the
 * collector need not copy. It becomes an object (`at`, `take`) for any end but
 * completion.
 */
class JobSlots {
  #makeSlot;
  #dropSlots;
  // A PoolJob, or the resolve function of a plain job's promise.
  #held = bareList();
  // Entries of plain jobs.
  #entries = bareList();
  #bytes = bareList();
  #ids = bareList();
  // Plain jobs with a limit or a signal have a unique serial, others 0, and
  // their observers or null.
  #serials = bareList();
  #lastSerial = 0;
  #expiresAt = bareList();
  #limits = bareList();
  #hubs = bareList();
  #free = bareList();
  #freeCount = 0;
  // The number of slots of each block that are taken; -1 when the addon has none
  // of its jobs. The number of blocks with jobs, and of those that are empty.
  #taken = bareList();
  #blocks = 0;
  #emptyBlocks = 0;

  /**
   * @param {(slot: number) => void} makeSlot makes a slot in the addon
   * @param {(slot: number) => void} dropSlots drops the slot's block in the
   *   addon
   */
  constructor(makeSlot, dropSlots) {
    this.#makeSlot = makeSlot;
    this.#dropSlots = dropSlots;
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

  /** @returns {Promise<unknown>} the plain job's promise */
  open(slot) {
    return new OwnPromise((resolve) => {
      this.#held[slot] = resolve;
    });
  }

  /**
   * Adds the limit, the signal, or both of a plain job.
   *
   * @param {number} slot
   * @param {Call} call see read-call.js
   */
  watch(slot, { expiresAt, hub, limits }) {
    const serial = (this.#lastSerial & 0x3fffffff) + 1;
    this.#lastSerial = serial;
    this.#serials[slot] = serial;
    this.#expiresAt[slot] = expiresAt;
    this.#limits[slot] = limits;
    this.#hubs[slot] = hub;
    if (hub !== null) hub.addSlot(this, slot, serial);
    // Last, because it may start a timer, which the caller may have replaced.
    if (limits !== null) limits.addSlot(this, slot, serial, expiresAt);
  }

  #unwatch(slot) {
    const limits = this.#limits[slot];
    const hub = this.#hubs[slot];
    this.#serials[slot] = 0;
    this.#limits[slot] = this.#hubs[slot] = null;
    if (limits !== null) limits.removeSlot();
    if (hub !== null) hub.removeSlot();
  }

  serialOf(slot) {
    return this.#serials[slot];
  }

  /** REQUIRES: a plain job with a limit. */
  expiresAtOf(slot) {
    return this.#expiresAt[slot];
  }

  /** Ends a plain job whose time is over. */
  expire(slot) {
    const { executor } = this.#entries[slot];
    executor.admission.expired(this.take(slot));
  }

  /** Ends a plain job whose signal was cancelled. */
  cancel(slot, sharedStack) {
    const job = this.take(slot);
    job.entry.executor.admission.cancelled(job, sharedStack);
  }

  #take() {
    if (this.#freeCount > 0) {
      const slot = this.#free[this.#freeCount - 1];
      if (slot >= FIXED) this.#enterBlock(slot);
      this.#freeCount -= 1;
      this.#serials[slot] = 0;
      return slot;
    }
    const slot = this.#held.length;
    this.#makeSlot(slot);
    if (slot >= FIXED) this.#enterBlock(slot);
    this.#held[slot] = null;
    this.#serials[slot] = 0;
    return slot;
  }

  #enterBlock(slot) {
    const block = (slot - FIXED) >> BLOCK_BITS;
    const taken = this.#taken[block];
    if (taken > 0) {
      this.#taken[block] = taken + 1;
      return;
    }
    if (taken === 0) {
      this.#emptyBlocks -= 1;
    } else {
      this.#makeSlot(slot);
      this.#blocks += 1;
    }
    this.#taken[block] = 1;
  }

  #leaveBlock(slot) {
    const block = (slot - FIXED) >> BLOCK_BITS;
    this.#taken[block] -= 1;
    if (this.#taken[block] > 0) return;
    this.#emptyBlocks += 1;
    const isMost = 2 * this.#emptyBlocks > this.#blocks;
    const isAll = this.#emptyBlocks === this.#blocks;
    const isLong = this.#taken.length > 2 * KEPT_BLOCKS;
    if (isMost && (this.#emptyBlocks > KEPT_BLOCKS || (isAll && isLong))) {
      this.#giveBack();
    }
  }

  // Returns all empty blocks. The lists are cut as far as their ends are free.
  // The lowest slots are taken next, because one job in the last block keeps
  // the lists long.
  #giveBack() {
    const taken = this.#taken;
    let used = 0;
    for (let block = 0; block < taken.length; block += 1) {
      if (taken[block] > 0) used = block + 1;
      if (taken[block] !== 0) continue;
      this.#dropSlots(FIXED + (block << BLOCK_BITS));
      taken[block] = -1;
    }
    this.#blocks -= this.#emptyBlocks;
    this.#emptyBlocks = 0;
    const length = FIXED + (used << BLOCK_BITS);
    const known = min(length, this.#held.length);
    let free = 0;
    for (let slot = known - 1; slot >= 0; slot -= 1) {
      if (this.#serials[slot] === FREE) this.#free[free++] = slot;
    }
    this.#freeCount = this.#free.length = free;
    if (length >= this.#held.length) return;
    taken.length = used;
    cut(this.#held, length);
    cut(this.#entries, length);
    cut(this.#bytes, length);
    cut(this.#ids, length);
    cut(this.#serials, length);
    cut(this.#expiresAt, length);
    cut(this.#limits, length);
    cut(this.#hubs, length);
  }

  /**
   * @returns {Function | null} the resolve function; null if the job is an
   *   object
   */
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
    if (typeof held !== 'function') return held ?? null;
    const job = this.#object(slot, held);
    if (this.#serials[slot] !== 0) {
      // Subscribed first, so that the signal keeps its hub.
      const { admission } = job.entry.executor;
      job.operation.watch(job, admission, this.#hubs[slot]);
      this.#unwatch(slot);
    }
    return job;
  }

  /**
   * The same for a job that is about to end: its signal and limit are dropped.
   */
  take(slot) {
    const held = this.#held[slot];
    if (typeof held !== 'function') return held ?? null;
    const job = this.#object(slot, held);
    if (job.hasLimits) this.#unwatch(slot);
    return job;
  }

  #object(slot, resolve) {
    const encoded = { bytes: this.#bytes[slot] };
    const operation = this.#operationOf(slot);
    const job = new PoolJob(operation, encoded, this.#entries[slot], null);
    job.id = this.#ids[slot];
    job.resolve = resolve;
    job.slot = slot;
    job.state = JobState.Admitted;
    this.#held[slot] = job;
    return job;
  }

  #operationOf(slot) {
    if (this.#serials[slot] === 0) return NO_OPERATION;
    const limits = this.#limits[slot];
    const hub = this.#hubs[slot];
    return new Operation(
      hub === null ? undefined : hub.signal,
      undefined,
      this.#expiresAt[slot],
      limits === null ? 0 : limits.durationMs,
    );
  }

  /** Frees the slot. */
  free(slot) {
    if (this.#serials[slot] !== 0) this.#unwatch(slot);
    this.#serials[slot] = FREE;
    // Cleared, because their pool may be gone before the slot is reused.
    this.#held[slot] = this.#entries[slot] = null;
    this.#free[this.#freeCount] = slot;
    this.#freeCount += 1;
    if (slot >= FIXED) this.#leaveBlock(slot);
  }

  /** @returns {number} the jobs of a pool whose threads were not given up */
  countOf(pool) {
    let count = 0;
    for (let slot = 0; slot < this.#held.length; slot += 1) {
      const held = this.#held[slot];
      if (held === null) continue;
      const isPlain = typeof held === 'function';
      const entry = isPlain ? this.#entries[slot] : held.entry;
      if (entry.executor === pool && (isPlain || !held.abandoned)) count += 1;
    }
    return count;
  }

  /** @returns {PoolJob[]} the jobs of a pool, in no order */
  of(pool) {
    const all = bareList();
    for (let slot = 0; slot < this.#held.length; slot += 1) {
      const held = this.#held[slot];
      if (held === null) continue;
      const isPlain = typeof held === 'function';
      const entry = isPlain ? this.#entries[slot] : held.entry;
      if (entry.executor !== pool) continue;
      const job = this.at(slot);
      // An abandoned job keeps its place, but is over.
      if (job.slot === slot) append(all, job);
    }
    return all;
  }
}

bareClass(JobSlots);

module.exports = { JobSlots };
