'use strict';

const { refuseMistaken } = require('../../options/mistaken-options.js');
const { OPTIONS, startWorker } = require('./start-worker.js');

const KNOWN = ['maxWorkers', ...OPTIONS];

/**
 * Up to `maxWorkers` workers that stay, kept apart by their URL. A worker can
 * have several users at once, which distinguish their requests by id. Workers
 * hold the process until `terminate()` or dispose.
 */
class ReusableWorkerPool {
  #options;
  #maxWorkers;
  #entries = [];
  #creating = new Set();
  #surplus = new Set();
  #turn = 0;
  #created = 0;
  #requestId = 0;
  #disposed = false;

  /**
   * @param {{ maxWorkers?: number, workerURL?: string | URL,
   *   runtime?: 'isolate' | 'thread', memoryLimitMb?: number }} [options]
   */
  constructor(options = {}) {
    refuseMistaken('ReusableWorkerPool', options, KNOWN);
    this.#options = options;
    this.#maxWorkers = checkedMax(options.maxWorkers ?? 1);
  }

  /** Live workers, without those under creation. */
  get size() {
    return this.#entries.length;
  }

  /** Whether no further worker can be made; creations under way count. */
  isFull() {
    return this.#entries.length + this.#creating.size >= this.#maxWorkers;
  }

  getNextRequestId() {
    return this.#requestId++;
  }

  /**
   * A new worker while there is room, then the next one of the same URL.
   *
   * @param {string | URL} [workerURL] default: the pool's
   * @returns {Promise<import('../../message-worker/message-worker.js').MessageWorker>}
   */
  async getWorker(workerURL) {
    if (this.#disposed) throw new Error('Worker pool has been disposed');
    const url = workerURL ?? this.#options.workerURL;
    const key = url ? String(url) : 'default';
    if (!this.isFull()) return this.#create(url, key).promise;
    const entry = this.#next(key) ?? this.#underCreation(key);
    if (entry === undefined) {
      throw new Error(
        `Worker pool is at maximum capacity (${this.#maxWorkers}) and no ` +
          `worker with URL "${key}" is available`,
      );
    }
    entry.users++;
    return entry.promise;
  }

  /** The worker stays for the next user. */
  releaseWorker(worker) {
    const isOf = (entry) => entry.worker === worker;
    const entry = this.#entries.find(isOf) ?? [...this.#surplus].find(isOf);
    if (entry === undefined || entry.users === 0) return;
    entry.users--;
    this.#endUnused(entry);
  }

  /**
   * Changes `maxWorkers`. Workers above the new number leave the rotation at
   * once, the newest first, and end when all of their users have released them.
   *
   * @param {number} maxWorkers
   */
  resize(maxWorkers) {
    this.#maxWorkers = checkedMax(maxWorkers);
    for (const entry of this.#entries.splice(this.#maxWorkers)) {
      this.#surplus.add(entry);
      this.#endUnused(entry);
    }
    this.#turn = 0;
  }

  /** Ends all workers, for good. */
  terminate() {
    this.#disposed = true;
    const all = [...this.#entries, ...this.#creating, ...this.#surplus];
    for (const { worker } of all) worker.terminate();
    this.#entries = [];
    this.#creating.clear();
    this.#surplus.clear();
    this.#turn = 0;
  }

  [Symbol.dispose]() {
    this.terminate();
  }

  #create(url, key) {
    const { worker, ready } = startWorker(url, this.#options);
    const no = this.#created++;
    const entry = { no, worker, key, users: 1, promise: undefined };
    this.#creating.add(entry);
    entry.promise = this.#finishCreation(entry, ready);
    return entry;
  }

  async #finishCreation(entry, ready) {
    try {
      await ready;
    } catch (err) {
      if (!this.#disposed) throw err;
    } finally {
      this.#creating.delete(entry);
    }
    if (this.#disposed) {
      entry.worker.terminate();
      throw new Error('Worker pool was disposed during worker creation');
    }
    this.#admit(entry);
    entry.worker.once('exit', () => this.#forget(entry));
    return entry.worker;
  }

  // The rotation keeps the order of the calls, not of the workers' starts.
  #admit(entry) {
    const after = this.#entries.findIndex(({ no }) => no > entry.no);
    const index = after < 0 ? this.#entries.length : after;
    this.#entries.splice(index, 0, entry);
    if (index < this.#turn) this.#turn++;
  }

  // Removes a dead worker from the rotation, without changing whose turn it is.
  #forget(entry) {
    this.#surplus.delete(entry);
    const index = this.#entries.indexOf(entry);
    if (index < 0) return;
    this.#entries.splice(index, 1);
    if (index < this.#turn) this.#turn--;
    if (this.#turn >= this.#entries.length) this.#turn = 0;
  }

  #next(key) {
    const isNext = (entry, index) => entry.key === key && index >= this.#turn;
    let index = this.#entries.findIndex(isNext);
    if (index < 0) index = this.#entries.findIndex((e) => e.key === key);
    if (index < 0) return undefined;
    this.#turn = (index + 1) % this.#entries.length;
    return this.#entries[index];
  }

  #underCreation(key) {
    for (const entry of this.#creating) {
      if (entry.key === key) return entry;
    }
    return undefined;
  }

  #endUnused(entry) {
    if (entry.users > 0 || !this.#surplus.has(entry)) return;
    this.#surplus.delete(entry);
    entry.worker.terminate();
  }
}

// Any value that compares with a number is accepted, as in the original.
function checkedMax(maxWorkers) {
  if (!(maxWorkers >= 1)) throw new Error('maxWorkers must be at least 1');
  return Math.ceil(maxWorkers);
}

module.exports = { ReusableWorkerPool };
