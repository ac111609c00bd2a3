'use strict';

const { lookForJob } = require('./claim.js');
const { eventsAfter, lastEvent, placeOf } = require('./events.js');
const { BackendBase } = require('./base.js');

/** The length of a wait without an end: its caller waits again after it. */
const ENDLESS_MS = 3_600_000;

/** A backend that can wait for jobs and for events. */
class WaitingBackend extends BackendBase {
  #interruption = new AbortController();
  #isBlocked = false;
  #start;

  /** Events count from now on, not from the first read. */
  startEvents() {
    this.#start = this.read(lastEvent);
    // The first read tells the error.
    this.#start.catch(() => {});
  }

  /** Ends what waits. */
  interrupt() {
    this.#interruption.abort();
    this.#interruption = new AbortController();
  }

  async disconnectBlocking() {
    this.#isBlocked = true;
    this.interrupt();
  }

  async reconnectBlocking() {
    this.#isBlocked = false;
  }

  #wait(timeoutMs, look) {
    return this.store.wait({
      queue: this.qualifiedName,
      timeoutMs,
      signal: this.#interruption.signal,
      look,
    });
  }

  /**
   * @param {number} blockTimeout seconds
   * @returns {Promise<{ member: string, score: number } | null>} null: the time
   *   is over
   */
  async waitForJob(blockTimeout) {
    if (this.closing || this.#isBlocked) return null;
    const queue = this.qualifiedName;
    return this.#wait(blockTimeout * 1000, (tx) =>
      lookForJob(tx, { queue, now: Date.now() }),
    );
  }

  /**
   * @param {string} id events behind this one; `$`: behind the last of when
   *   this backend was made
   * @param {number} blockTimeout milliseconds, 0: no end
   */
  async readEvents(id, blockTimeout) {
    if (this.closing) return null;
    const { signal } = this.#interruption;
    const after = id === '$' ? await this.#newest() : placeOf(id);
    if (signal.aborted || this.closing) return null;
    const queue = this.qualifiedName;
    const ms = blockTimeout > 0 ? blockTimeout : ENDLESS_MS;
    return this.#wait(ms, (tx) => {
      const events = eventsAfter(tx, { queue, after });
      return events.length > 0
        ? { value: [[this.toKey('events'), events]] }
        : {};
    });
  }

  async #newest() {
    // A wait that ended without events goes on from the same place.
    this.#start ??= this.read(lastEvent);
    try {
      return await this.#start;
    } catch (error) {
      this.#start = undefined;
      throw error;
    }
  }
}

module.exports = { WaitingBackend };
