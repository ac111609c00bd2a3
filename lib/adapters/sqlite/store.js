'use strict';

const fs = require('node:fs');

const { clearTimeout, setTimeout } = require('./clock.js');
const { GroupCommit } = require('./group-commit.js');
const { openQueues, realFile } = require('./open.js');
const { isBusy, storeFailed } = require('./store-error.js');
const { Waiters } = require('./waiters.js');
const { Waking } = require('./waking.js');

/** A file that rests so long writes its log back. */
const REST_MS = 2000;
const WARN_BYTES = 256 * 1024 * 1024;
const WARN_EVERY_COMMITS = 1000;

/** The open files of this process: one connection each. */
const stores = new Map();

/** BullMQ's classes know this text, and only this, as the end of a connection. */
const closedError = () => new Error('Connection is closed.');

/** A file of queues, shared by all backends of the process. */
class Store {
  #close;
  #db;
  #settings;
  #users = new Set();
  #commits;
  #waiters;
  #waking;
  #rest = undefined;
  #sinceCheck = 0;
  #isWarned = false;
  #isClosed = false;

  constructor(file, settings) {
    this.file = file;
    const { db, driver, close } = openQueues(file, settings);
    this.#db = db;
    this.#close = close;
    this.#settings = { ...settings, driver };
    this.#commits = new GroupCommit(db, {
      file,
      busyTimeoutMs: settings.busyTimeoutMs,
      synchronous: settings.synchronous,
      onCommit: (queues) => this.#committed(queues),
    });
    this.#waking = new Waking({
      file,
      pollMs: settings.pollMs,
      readVersion: () => db.get('PRAGMA data_version').data_version,
      onChange: () => this.#waiters.wake(),
    });
    this.#waiters = new Waiters((look) => this.read(look), this.#waking);
  }

  /**
   * @param {object} settings of readConnection()
   * @param {{ onError: (error: Error) => void }} user
   * @returns {Store}
   * @throws {SloppyWorkerError} SLOPPY_E_SQLITE_STORE_FAILED
   */
  static acquire(settings, user) {
    const file = realFile(settings.file);
    let store = stores.get(file);
    if (store === undefined) {
      store = new Store(file, settings);
      stores.set(file, store);
    }
    store.#checkSettings(settings);
    store.#users.add(user);
    return store;
  }

  #checkSettings(settings) {
    for (const name of ['synchronous', 'driver', 'pollMs', 'busyTimeoutMs']) {
      const isSame = settings[name] === this.#settings[name];
      if (isSame || settings[name] === undefined) continue;
      throw storeFailed(
        this.file,
        `it is open in this process with another connection.${name}: ` +
          `${this.#settings[name]}, not ${settings[name]}`,
      );
    }
  }

  /** The last user closes the file, after all writes. */
  async release(user) {
    if (!this.#users.has(user)) return;
    await this.#commits.settled();
    this.#users.delete(user);
    if (this.#users.size > 0 || this.#isClosed) return;
    this.#isClosed = true;
    stores.delete(this.file);
    // Nothing more is taken from now on.
    await this.#commits.settled();
    clearTimeout(this.#rest);
    this.#waking.stop();
    this.#checkpoint();
    this.#commits.close();
    this.#close();
  }

  /** @returns {Promise<T>} @see GroupCommit.run */
  write(operation, { late = false, undone = false } = {}) {
    if (this.#isClosed) return Promise.reject(closedError());
    return this.#commits.run(operation, { write: true, late, undone });
  }

  /** @returns {Promise<T>} */
  read(operation) {
    if (this.#isClosed) return Promise.reject(closedError());
    return this.#commits.run(operation, { write: false });
  }

  /** @see Waiters.wait */
  wait(options) {
    return this.#waiters.wait(options);
  }

  #committed(queues) {
    this.#waiters.wake(queues);
    this.#sinceCheck += 1;
    if (this.#sinceCheck >= WARN_EVERY_COMMITS) this.#checkLog();
    if (this.#rest !== undefined) {
      this.#rest.refresh();
      return;
    }
    this.#rest = setTimeout(() => this.#checkpoint(), REST_MS);
    this.#rest.unref();
  }

  /** Writes the log back into the file, and empties it if nobody reads it. */
  #checkpoint() {
    this.#rest = undefined;
    try {
      this.#db.get('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch (error) {
      // Another process may do it; what is wrong with the disk is told to the
      // next write.
      if (!isBusy(error)) this.#tell(error);
    }
  }

  /** A reader that does not end its transaction keeps the log growing. */
  #checkLog() {
    this.#sinceCheck = 0;
    const size = sizeOf(`${this.file}-wal`);
    if (size < WARN_BYTES) {
      this.#isWarned = false;
      return;
    }
    if (this.#isWarned) return;
    this.#isWarned = true;
    const mib = Math.round(size / 1024 / 1024);
    this.#tell(
      storeFailed(
        this.file,
        `its log has ${mib} MiB: some process reads in a transaction that does not end`,
      ),
    );
  }

  #tell(error) {
    for (const { onError } of this.#users) onError(error);
  }
}

function sizeOf(file) {
  try {
    return fs.statSync(file).size;
  } catch {
    return 0;
  }
}

module.exports = { Store, closedError };
