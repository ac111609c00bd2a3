'use strict';

const fs = require('node:fs');
const path = require('node:path');

const { openDatabase } = require('../journal/sqlite.js');
const { migrate, pragma } = require('./schema.js');
const { prepareStatements } = require('./statements.js');
const {
  isBusy,
  isStoreError,
  storeFailed,
  translate,
} = require('./store-error.js');

/** Another process may be making the tables. */
const OPEN_BUSY_MS = 5000;
/** SQLite's own waiting blocks the event loop, so it is short. */
const BUSY_MS = 10;
const RETRY_MS = 5;
const RETRY_JITTER_MS = 20;

/** File systems on which the log's shared memory does not work. */
const NETWORK = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'CIFS'],
]);

/** One connection for each file and its settings, shared by all queues. */
const stores = new Map();

function refuseNetwork(file) {
  if (process.platform !== 'linux') return;
  const { type } = fs.statfsSync(path.dirname(file));
  const system = NETWORK.get(type >>> 0);
  if (system === undefined) return;
  throw storeFailed(file, `it is on a network file system (${system})`);
}

function open(file, { driver, synchronous }) {
  refuseNetwork(file);
  const db = openDatabase(file, driver, 'The durable queue');
  try {
    db.exec(`PRAGMA busy_timeout = ${OPEN_BUSY_MS}`);
    const reason = migrate(db);
    if (reason !== undefined) throw storeFailed(file, reason);
    if (pragma(db, 'journal_mode') !== 'wal') {
      db.exec('PRAGMA journal_mode = WAL');
    }
    db.exec(`PRAGMA synchronous = ${synchronous}`);
    db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * The database of a file. All writes of a turn of the event loop are one
 * transaction, because the sync to the disk dominates a write's cost.
 */
class Store {
  #db;
  #key;
  #users = 0;
  #writes = [];
  #timer = null;
  #busySince = undefined;
  #listeners = new Set();
  #poll = null;
  #version = 0;
  #settings;
  #isClosed = false;

  constructor(key, settings) {
    this.#key = key;
    this.#settings = settings;
    this.file = settings.file;
    try {
      this.#db = open(this.file, settings);
      this.sql = prepareStatements(this.#db);
    } catch (error) {
      throw translate(this.file, error);
    }
    this.#version = this.#dataVersion();
  }

  /** @param {object} settings of readConnection() */
  static acquire(settings) {
    const folder = path.dirname(settings.file);
    if (!fs.existsSync(folder)) {
      throw storeFailed(settings.file, `there is no folder ${folder}`);
    }
    const real = path.join(
      fs.realpathSync(folder),
      path.basename(settings.file),
    );
    const key = JSON.stringify([real, settings]);
    const store = stores.get(key) ?? new Store(key, settings);
    stores.set(key, store);
    store.#users += 1;
    return store;
  }

  /** The last user closes the file, after all writes. */
  async release() {
    this.#users -= 1;
    if (this.#users > 0) return;
    stores.delete(this.#key);
    while (this.#writes.length > 0) await this.write(() => {}).catch(() => {});
    this.#isClosed = true;
    clearInterval(this.#poll);
    this.#db.close();
  }

  /**
   * Runs `operation` in the next transaction, with all others of this turn. It
   * may run again if the transaction had to wait for another process.
   *
   * @param {() => T} operation synchronous; must not throw after it has written
   * @param {{ wakes?: boolean }} [options] whether workers may find a job to
   *   claim afterwards
   * @returns {Promise<T>} resolves when the write is on the disk
   */
  write(operation, { wakes = false } = {}) {
    if (this.#isClosed) return Promise.reject(closedError());
    return new Promise((resolve, reject) => {
      this.#writes.push({ operation, wakes, resolve, reject });
      this.#timer ??= setImmediate(() => this.#flush());
    });
  }

  /** @returns {Promise<T>} */
  async read(query) {
    if (this.#isClosed) throw closedError();
    try {
      return query();
    } catch (error) {
      throw translate(this.file, error);
    }
  }

  #flush() {
    this.#timer = null;
    const writes = this.#writes;
    this.#writes = [];
    let outcomes;
    try {
      outcomes = this.#transaction(writes);
    } catch (error) {
      this.#notWritten(writes, error);
      return;
    }
    this.#busySince = undefined;
    writes.forEach(({ resolve, reject }, index) => {
      const { error, value } = outcomes[index];
      if (error === undefined) resolve(value);
      else reject(error);
    });
    if (writes.some(({ wakes }) => wakes)) this.#wake();
  }

  #transaction(writes) {
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      const outcomes = writes.map(({ operation }) => attempt(operation));
      this.#db.exec('COMMIT');
      return outcomes;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  #rollBack() {
    try {
      this.#db.exec('ROLLBACK');
    } catch {
      // SQLite rolls back by itself if the disk is full.
    }
  }

  #notWritten(writes, error) {
    const now = Date.now();
    this.#busySince ??= now;
    const waited = now - this.#busySince;
    if (isBusy(error) && waited < this.#settings.busyTimeoutMs) {
      this.#writes = [...writes, ...this.#writes];
      const pause = RETRY_MS + Math.random() * RETRY_JITTER_MS;
      this.#timer = setTimeout(() => this.#flush(), pause);
      return;
    }
    this.#busySince = undefined;
    const failure = translate(this.file, error);
    for (const { reject } of writes) reject(failure);
  }

  /** Calls `listener` whenever there may be something to claim. */
  listen(listener) {
    this.#listeners.add(listener);
    this.#poll ??= setInterval(() => this.#look(), this.#settings.pollMs);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      clearInterval(this.#poll);
      this.#poll = null;
    };
  }

  /** Makes SQLite report a full disk, for tests. */
  limitPages(pages) {
    this.#db.prepare(`PRAGMA max_page_count = ${pages}`).all();
  }

  #dataVersion() {
    return this.sql.dataVersion.get().data_version;
  }

  /**
   * The data version changes with writes of other connections; reading it costs
   * a few µs.
   */
  #look() {
    let version;
    try {
      version = this.#dataVersion();
    } catch {
      // Ignored, because the next check may work, and readers and writers get
      // the error.
      return;
    }
    if (version === this.#version) return;
    this.#version = version;
    this.#wake();
  }

  #wake() {
    for (const listener of this.#listeners) listener();
  }
}

const closedError = () => new Error('Connection is closed.');

function attempt(operation) {
  try {
    return { value: operation() };
  } catch (error) {
    // An error of SQLite concerns the whole transaction.
    if (isStoreError(error)) throw error;
    return { error };
  }
}

module.exports = { Store };
