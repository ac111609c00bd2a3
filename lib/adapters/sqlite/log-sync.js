'use strict';

const fs = require('node:fs');
const { promisify } = require('node:util');

/** Windows lets only writers wait for the disk. */
const FLAGS = 'r+';

/**
 * Waits until the disk has a file's log: SQLite itself would do so on the event
 * loop, and with the write lock held. Commits are durable in the order of the
 * log, and SQLite waits for the log by itself before it writes it back.
 *
 * SQLite holds no locks of the log, which closing it here would drop.
 */
class LogSync {
  #log;
  #descriptor = undefined;

  /** @param {string} file the database */
  constructor(file) {
    this.#log = `${file}-wal`;
  }

  /** @returns {Promise<void>} */
  async run() {
    // A call at a time finds what a test has replaced.
    await promisify(fs.fdatasync)(this.#current());
  }

  /** The log may have been made anew. */
  #current() {
    if (this.#descriptor !== undefined) {
      if (fs.fstatSync(this.#descriptor).nlink > 0) return this.#descriptor;
      this.close();
    }
    this.#descriptor = fs.openSync(this.#log, FLAGS);
    return this.#descriptor;
  }

  close() {
    if (this.#descriptor === undefined) return;
    fs.closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}

module.exports = { LogSync };
