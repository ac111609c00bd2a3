'use strict';

/** The jobs that one worker runs: one, or several that await. */
class RunningJobs {
  // The records by number, in the order in which the jobs began.
  #records = new Map();
  #most;
  #lastNumber = 0;

  /** @param {number} most jobs at once */
  constructor(most) {
    this.#most = most;
  }

  get size() {
    return this.#records.size;
  }

  /** @returns {number} how many more there may be */
  get room() {
    return Math.max(0, this.#most - this.size);
  }

  get areShared() {
    return this.#most > 1;
  }

  /** @returns {number} for a job, 32 bits for ever */
  nextNumber() {
    this.#lastNumber = this.#lastNumber === 2 ** 30 ? 1 : this.#lastNumber + 1;
    return this.#lastNumber;
  }

  /** @param {number} seq of the job in its worker */
  begin(seq, job) {
    const record = {
      job,
      seq,
      timer: undefined,
      // Its worker has told when it has begun.
      isToldBegun: false,
      // It was cancelled or is late, and may go on for its time of grace;
      isEnding: false,
      // or for longer, while the worker's other jobs go on.
      isOver: false,
    };
    this.#records.set(seq, record);
  }

  /** @returns {object | undefined} the record of a number */
  numbered(seq) {
    return this.#records.get(seq);
  }

  /** @returns {object | undefined} the record of a job */
  of(job) {
    for (const record of this.#records.values()) {
      if (record.job === job) return record;
    }
    return undefined;
  }

  /** @returns {object | undefined} the record of the oldest */
  get oldest() {
    return this.#records.values().next().value;
  }

  /** Whether one was cancelled or is late. */
  get isOneEnding() {
    for (const { isEnding } of this.#records.values())
      if (isEnding) return true;
    return false;
  }

  /** Whether one has to end, and its code may not yield. */
  get isOneOver() {
    for (const { isOver } of this.#records.values()) if (isOver) return true;
    return false;
  }

  /**
   * @returns {boolean} its worker, which runs one job at a time, has begun another
   *   one after it
   */
  isPast({ job }) {
    return !this.areShared && this.size > 1 && this.oldest.job === job;
  }

  /** It is over. */
  end({ seq, timer }) {
    timer?.cancel();
    this.#records.delete(seq);
  }

  /** @returns {PoolJob[]} all, which run no more */
  takeAll() {
    const records = [...this.#records.values()];
    for (const record of records) this.end(record);
    return records.map(({ job }) => job);
  }
}

module.exports = { RunningJobs };
