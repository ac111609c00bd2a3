'use strict';

const { workerError } = require('../../protocol/sloppy-worker-error.js');
const { Code } = require('../../protocol/diagnostics.gen.js');

const MIB = 1024 * 1024;
const FIELDS = ['heapUsedBytes', 'heapTotalBytes', 'externalBytes', 'cpuMs'];

const refused = (what) =>
  workerError(Code.FeatureUnavailable, `${what} need the isolate runtime`);

// A worker's word is not trusted: its jobs share its realm.
const known = (value) => (Number.isFinite(value) ? value : null);

/**
 * The figures of workers that are threads or processes: see Inspector of
 * isolates, which has profiles and snapshots too.
 */
class Figures {
  #pool;
  #lastId = 0;
  // Those who wait, by the number of the request: `{ worker, resolve }`.
  #waiting = new Map();

  /** @param {OwnedPool} pool */
  constructor(pool) {
    this.#pool = pool;
  }

  /** Node's own tools make these. */
  async cpuProfile() {
    throw refused('profiles of workers');
  }

  async heapSnapshot() {
    throw refused('snapshots of workers');
  }

  /** See WorkerPool.stats. */
  async stats() {
    const workers = this.#pool.living();
    if (workers.length === 0) return Object.freeze([]);
    this.#pool.keepAlive(true);
    try {
      const rows = await Promise.all(workers.map((each) => this.#ask(each)));
      return Object.freeze(rows.filter((row) => row !== undefined));
    } finally {
      this.#pool.keepAlive(false);
    }
  }

  #ask(worker) {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      this.#waiting.set(id, { worker, resolve });
      worker.askFigures(id);
    });
  }

  /** A worker has answered. */
  answered(worker, id, figures) {
    const waiting = this.#waiting.get(id);
    if (waiting?.worker !== worker) return;
    this.#waiting.delete(id);
    waiting.resolve(this.#row(worker.identity, figures));
  }

  #row({ number, place, threadId, pid }, figures) {
    const row = { worker: number, place, threadId, pid };
    for (const name of FIELDS) row[name] = known(figures?.[name]);
    row.memoryLimitBytes = this.#pool.settings.memoryLimitMb * MIB;
    row.codeCache = null;
    return Object.freeze(row);
  }

  /** One that has gone will not answer. */
  gone(worker) {
    for (const [id, waiting] of this.#waiting) {
      if (waiting.worker !== worker) continue;
      this.#waiting.delete(id);
      waiting.resolve(undefined);
    }
  }
}

module.exports = { Figures };
