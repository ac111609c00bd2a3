'use strict';

const { bareClass } = require('../base/bare.js');
const { max, min } = require('../base/primordials.js');

const DEFAULT_MAX_QUEUED_BYTES = 256 * 1024 * 1024;

/**
 * The places of one queue: `concurrency` for running jobs, and `maxQueued` for
 * queued ones. Places are only counted: a job holds one from `take` to `give`,
 * so its start need not be reported.
 */
class Places {
  taken = 0;
  /** Jobs with a place that wait for their key, see Lanes. */
  heldBack = 0;
  #queuedBytes = 0;
  #maxQueuedBytes;

  constructor({ concurrency, maxQueued, maxQueuedBytes }) {
    this.concurrency = concurrency;
    this.maxQueued = maxQueued;
    this.#maxQueuedBytes = maxQueuedBytes ?? DEFAULT_MAX_QUEUED_BYTES;
  }

  get queued() {
    return max(this.heldBack, this.taken - this.concurrency);
  }

  get active() {
    return min(this.taken - this.heldBack, this.concurrency);
  }

  // A job that starts at once is never queued, so its bytes do not count.
  hasRoomFor(bytes) {
    if (this.taken < this.concurrency) return true;
    return (
      this.taken < this.concurrency + this.maxQueued &&
      this.#queuedBytes + bytes <= this.#maxQueuedBytes
    );
  }

  /**
   * `hasRoomFor` and taking the place in one call, because every job comes
   * through here.
   *
   * @returns {boolean} false if there was no room; nothing is taken then
   */
  take(bytes) {
    const { concurrency, taken } = this;
    const queuedBytes = this.#queuedBytes + bytes;
    if (
      taken >= concurrency &&
      (taken >= concurrency + this.maxQueued ||
        queuedBytes > this.#maxQueuedBytes)
    ) {
      return false;
    }
    this.taken = taken + 1;
    this.#queuedBytes = queuedBytes;
    return true;
  }

  /** Takes a place, room or not. */
  force(bytes) {
    this.taken += 1;
    this.#queuedBytes += bytes;
  }

  give(bytes) {
    this.taken -= 1;
    this.#queuedBytes -= bytes;
  }

  /** A job's payload no longer counts as queued. */
  started(bytes) {
    this.#queuedBytes -= bytes;
  }
}

bareClass(Places);

module.exports = { Places };
