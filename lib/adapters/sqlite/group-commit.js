'use strict';

const { Acknowledgements } = require('./acknowledgements.js');
const { monotonic, setImmediate, setTimeout } = require('./clock.js');
const { LogSync } = require('./log-sync.js');
const {
  isBusy,
  isStoreError,
  syncFailed,
  translate,
} = require('./store-error.js');
const { Transaction } = require('./transaction.js');

// Bounds of one transaction, because other processes wait for it.
const MAX_OPERATIONS = 512;
const MAX_MS = 10;

const RETRY_MS = 1;
const RETRY_JITTER_MS = 4;

/**
 * Runs operations in transactions. All operations of a turn of the event loop
 * share one, because a commit costs more than an operation; each is in a
 * savepoint, so one that fails leaves no trace and does not disturb the others.
 *
 * INVARIANT: a promise resolves only after COMMIT, with `full` when the disk has
 * it. It rejects when nothing of its operation is in the file, or when the disk
 * did not take it, after which it may be there.
 */
class GroupCommit {
  #db;
  #file;
  #busyTimeoutMs;
  #onCommit;
  #log;
  #acknowledgements;
  #pending = [];
  #timer = undefined;
  #busySince = undefined;
  #untold = new Set();

  /**
   * @param {Database} db
   * @param {{ file: string, busyTimeoutMs: number, synchronous: string,
   *   onCommit: (queues: Set<string>) => void }} options
   */
  constructor(db, { file, busyTimeoutMs, synchronous, onCommit }) {
    this.#db = db;
    this.#file = file;
    this.#busyTimeoutMs = busyTimeoutMs;
    this.#onCommit = onCommit;
    this.#log = new LogSync(file);
    const sync = () => this.#log.run();
    this.#acknowledgements = new Acknowledgements(
      synchronous === 'full' ? sync : undefined,
    );
    this.tx = new Transaction(db);
  }

  /**
   * Runs `operation` with the others of this turn. It may run again, because
   * its transaction may have to wait for another process.
   *
   * @param {(tx: Transaction) => T} operation synchronous, of the file only
   * @param {{ write: boolean, late?: boolean, undone?: boolean }} kind `late`
   *   settles after the others of its transaction; `undone`: a power cut may
   *   undo it, as a claim, after which the job only waits again
   * @returns {Promise<T>}
   */
  run(operation, { write, late = false, undone = false }) {
    const told = new Promise((resolve, reject) => {
      const calls = { operation, resolve, reject };
      this.#pending.push({ ...calls, write, late, undone });
      this.#schedule();
    });
    this.#untold.add(told);
    const isTold = () => this.#untold.delete(told);
    told.then(isTold, isTold);
    return told;
  }

  /**
   * Resolves when what was asked until now is told; others may go on asking, so
   * waiting until nothing is pending would have no end.
   */
  async settled() {
    await Promise.allSettled(this.#untold);
  }

  close() {
    this.#log.close();
  }

  #schedule() {
    this.#timer ??= setImmediate(() => this.#flush());
  }

  #flush() {
    this.#timer = undefined;
    const group = this.#pending.splice(0, MAX_OPERATIONS);
    const isWrite = group.some(({ write }) => write);
    let done;
    try {
      done = this.#transaction(group, isWrite);
    } catch (error) {
      this.tx.abort();
      this.#notWritten(group, isWrite, error);
      return;
    }
    this.#busySince = undefined;
    this.#pending.unshift(...group.slice(done.outcomes.length));
    this.#acknowledge(group.slice(0, done.outcomes.length), done);
    this.#next();
  }

  /** Operations that only read are settled at once. */
  #acknowledge(group, { outcomes, touched }) {
    const all = group.map((item, index) => ({ ...item, ...outcomes[index] }));
    const written = all.filter(({ write }) => write);
    settle(all.filter(({ write }) => !write));
    if (written.length === 0) return;
    this.#acknowledgements.add({
      isLasting: written.some(({ undone }) => !undone),
      tell: ({ isAlone, error }) => {
        const failure = error && syncFailed(this.#file, error);
        settle(written, { isAlone: isAlone && group.length === 1, failure });
        this.#onCommit(touched);
      },
    });
  }

  #next() {
    if (this.#pending.length > 0) this.#schedule();
  }

  #transaction(group, isWrite) {
    const { tx } = this;
    this.#db.run(isWrite ? 'BEGIN IMMEDIATE' : 'BEGIN');
    try {
      tx.begin();
      const outcomes = this.#outcomes(group);
      const touched = tx.end();
      this.#db.run('COMMIT');
      return { outcomes, touched };
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  #outcomes(group) {
    const end = monotonic() + MAX_MS;
    const outcomes = [];
    for (const item of group) {
      outcomes.push(item.write ? this.#write(item) : this.#read(item));
      if (monotonic() > end) break;
    }
    return outcomes;
  }

  #read({ operation }) {
    try {
      return { value: operation(this.tx) };
    } catch (error) {
      if (isStoreError(error)) throw error;
      return { error: translate(this.#file, error) };
    }
  }

  #write({ operation }) {
    const { tx } = this;
    const mark = tx.mark();
    this.#db.run('SAVEPOINT operation');
    try {
      const value = operation(tx);
      this.#db.run('RELEASE operation');
      return { value };
    } catch (error) {
      // An error of the file concerns the whole transaction.
      if (isStoreError(error)) throw error;
      this.#db.run('ROLLBACK TO operation');
      this.#db.run('RELEASE operation');
      tx.rollBackTo(mark);
      return { error: translate(this.#file, error) };
    }
  }

  #rollBack() {
    try {
      this.#db.run('ROLLBACK');
    } catch {
      // SQLite rolls back by itself if the disk is full.
    }
  }

  #notWritten(group, isWrite, error) {
    const failed = group.filter(({ write }) => write === isWrite);
    if (this.#mayRetry(error)) {
      this.#pending.unshift(...failed);
      const pause = RETRY_MS + Math.random() * RETRY_JITTER_MS;
      this.#timer = setTimeout(() => this.#flush(), pause);
    } else {
      const failure = translate(this.#file, error);
      for (const { reject } of failed) reject(failure);
    }
    if (isWrite) this.#readAlone(group.filter(({ write }) => !write));
    if (this.#timer === undefined) this.#next();
  }

  #mayRetry(error) {
    const now = monotonic();
    if (!isBusy(error)) {
      this.#busySince = undefined;
      return false;
    }
    this.#busySince ??= now;
    if (now - this.#busySince < this.#busyTimeoutMs) return true;
    this.#busySince = undefined;
    return false;
  }

  /** Reads need not wait for what keeps writes from the file. */
  #readAlone(reads) {
    if (reads.length === 0) return;
    try {
      const { outcomes } = this.#transaction(reads, false);
      this.#acknowledge(reads.slice(0, outcomes.length), { outcomes });
      this.#pending.push(...reads.slice(outcomes.length));
    } catch (error) {
      const failure = translate(this.#file, error);
      for (const { reject } of reads) reject(failure);
    }
  }
}

/** @param {{ isAlone?: boolean, failure?: Error }} [how] of the disk */
function settle(items, { isAlone = true, failure } = {}) {
  for (const item of items) {
    const { error, value, late, undone, resolve, reject } = item;
    if (error !== undefined) reject(error);
    else if (failure !== undefined && !undone) reject(failure);
    else if (late && !isAlone) setImmediate(resolve, value);
    else resolve(value);
  }
}

module.exports = { GroupCommit };
