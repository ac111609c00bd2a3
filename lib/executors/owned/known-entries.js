'use strict';

// Maximum number of entries in a worker, and maximum length of their texts
// together for each megabyte of its memory limit, because a compiled text takes
// several times its length.
const MAX_KEPT = 512;
const KEPT_PER_MB = 32 * 1024;

/** The entries that one worker keeps, as its owner knows them. */
class KnownEntries {
  // Lengths of their texts, the least recently used first.
  #lengths = new Map();
  #length = 0;
  #maxLength;
  // The most recently used.
  #newest;

  /** @param {number} memoryLimitMb of the worker */
  constructor(memoryLimitMb) {
    this.#maxLength = memoryLimitMb * KEPT_PER_MB;
  }

  has(id) {
    return this.#lengths.has(id);
  }

  /**
   * A job calls it now.
   *
   * @param {object} entry `{ id, text }`
   * @param {(id: number) => boolean} isNeeded by jobs that have not begun
   * @returns {number[]} the entries to forget, because compiled texts count
   *   against the worker's memory limit
   */
  use({ id, text }, isNeeded) {
    const forget = [];
    // Taking it out and putting it back costs much of a tiny job.
    if (id === this.#newest && this.#fits) return forget;
    this.#newest = id;
    this.#length += text.length - (this.#lengths.get(id) ?? 0);
    this.#lengths.delete(id);
    this.#lengths.set(id, text.length);
    for (const [oldest, length] of this.#lengths) {
      if (this.#fits || oldest === id) break;
      if (isNeeded(oldest)) continue;
      this.#lengths.delete(oldest);
      this.#length -= length;
      forget.push(oldest);
    }
    return forget;
  }

  get #fits() {
    return this.#length <= this.#maxLength && this.#lengths.size <= MAX_KEPT;
  }
}

module.exports = { KnownEntries };
