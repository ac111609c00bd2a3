'use strict';

const v8 = require('node:v8');

const { warnOf } = require('../base/warn-of.js');
const { JournalError, sqlite } = require('./journal/errors.js');
const { openDatabase } = require('./journal/sqlite.js');

// Milliseconds to wait for another process that holds the file.
const BUSY_MS = 2000;

/** @returns {Buffer} @throws {JournalError} it holds a function, for instance */
function write(request) {
  try {
    return v8.serialize(request);
  } catch (error) {
    throw new JournalError('UNSUPPORTED', error);
  }
}

/** @returns {object | null} null if the bytes are damaged */
function read(bytes) {
  try {
    const request = v8.deserialize(Buffer.from(bytes));
    return typeof request === 'object' ? request : null;
  } catch {
    return null;
  }
}

/**
 * A QBackup that survives the process: every queued message is on disk before
 * `send()` or `message()` returns, and leaves it when its answer is final.
 *
 * Message ids start at 1 in every process, so entries are kept per run:
 * `recover()` returns the messages of earlier runs. A message is handled at
 * least once: one that was answered just before a crash can come again.
 *
 * Owner thread only; the file belongs to one process at a time.
 */
class Journal {
  /** QBackup: a message for which `add` throws is refused. */
  required = true;
  #db;
  #run;
  #insert;
  #remove;
  #added = 0;

  /** Use `Journal.open`. */
  constructor(db) {
    this.#db = db;
    db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    // The system writes the log even if the process is killed; only a crash of
    // the machine can lose its newest entries.
    db.exec('PRAGMA journal_mode = WAL');
    db.exec('PRAGMA synchronous = NORMAL');
    db.exec(`CREATE TABLE IF NOT EXISTS entries (
      run INTEGER NOT NULL,
      id INTEGER NOT NULL,
      request BLOB NOT NULL,
      PRIMARY KEY (run, id)
    ) WITHOUT ROWID`);
    db.exec(`CREATE TABLE IF NOT EXISTS damaged (
      run INTEGER NOT NULL,
      id INTEGER NOT NULL,
      request BLOB NOT NULL
    )`);
    db.exec('CREATE TABLE IF NOT EXISTS runs (run INTEGER PRIMARY KEY)');
    db.exec('INSERT INTO runs DEFAULT VALUES');
    this.#run = db.prepare('SELECT max(run) AS run FROM runs').get().run;
    db.prepare('DELETE FROM runs WHERE run < ?').run(this.#run);
    this.#insert = db.prepare('INSERT INTO entries VALUES (?, ?, ?)');
    this.#remove = db.prepare('DELETE FROM entries WHERE run = ? AND id = ?');
    // Bound, because QBackup hooks are called detached from their object.
    this.add = this.add.bind(this);
    this.delete = this.delete.bind(this);
  }

  /**
   * @param {string} file made when it is not there
   * @param {{ driver?: 'node' | 'better-sqlite3' }} [options] which SQLite
   * @returns {Journal}
   * @throws {Error} there is no SQLite to be had
   * @throws {JournalError} another process holds the file for two seconds, or
   *   it cannot be used; see `code`
   */
  static open(file, { driver } = {}) {
    const db = sqlite(() => openDatabase(file, driver));
    try {
      return sqlite(() => new Journal(db));
    } catch (error) {
      db.close();
      throw error;
    }
  }

  /**
   * QBackup hook: a message is about to be queued.
   *
   * @throws {JournalError} it is not on the disk
   */
  add(id, request) {
    const bytes = write(request);
    sqlite(() => this.#insert.run(this.#run, id, bytes));
    this.#added++;
  }

  /**
   * QBackup hook: a message's answer is final.
   *
   * @throws {JournalError} the message is kept, and will be handled again
   */
  delete(id) {
    sqlite(() => this.#remove.run(this.#run, id));
  }

  /** The number of messages that wait for an answer, in all runs so far. */
  get size() {
    return this.#all('SELECT count(*) AS n FROM entries')[0].n;
  }

  /**
   * Messages of earlier runs, the oldest first, without damaged ones.
   *
   * @returns {{ run: number, id: number, request: object }[]}
   */
  leftovers() {
    return this.#left().filter(({ request }) => request !== null);
  }

  /**
   * Damaged messages that `recover()` set aside, as stored.
   *
   * @returns {{ run: number, id: number, bytes: Uint8Array }[]}
   */
  damaged() {
    return this.#all('SELECT run, id, request AS bytes FROM damaged').map(
      ({ run, id, bytes }) => ({ run, id, bytes }),
    );
  }

  #all(query, ...values) {
    return sqlite(() => this.#db.prepare(query).all(...values));
  }

  #left() {
    return this.#all(
      'SELECT * FROM entries WHERE run < ? ORDER BY run, id',
      this.#run,
    ).map(({ run, id, request }) => ({ run, id, request: read(request) }));
  }

  #setAside(damaged) {
    if (damaged.length === 0) return;
    for (const { run, id } of damaged) {
      sqlite(() => {
        this.#db
          .prepare(
            'INSERT INTO damaged SELECT * FROM entries WHERE run = ? AND id = ?',
          )
          .run(run, id);
        this.#remove.run(run, id);
      });
    }
    const ids = damaged.map(({ run, id }) => `${run}/${id}`).join(', ');
    warnOf(
      'SLOPPY_W_JOURNAL_DAMAGED',
      `messages in the journal cannot be read and were set aside: ${ids} ` +
        '(run/id); journal.damaged() has them',
    );
  }

  /**
   * Queues the messages of earlier runs again. Each message is in this run's
   * journal before it leaves the earlier one's, so a crash in the middle loses
   * nothing. Damaged messages are set aside, with a warning.
   *
   * @param {{ message(request: object, callback?: Function): void }} pool a
   *   QOper8 that has this journal as its QBackup
   * @param {(answer: object, workerId: number) => void} [callback] for each
   * @returns {number} how many messages were queued again
   * @throws {Error} the pool did not put one into this journal: it is stopped,
   *   or has another QBackup; nothing is lost
   */
  recover(pool, callback) {
    const left = this.#left();
    this.#setAside(left.filter(({ request }) => request === null));
    const leftovers = left.filter(({ request }) => request !== null);
    for (const { run, id, request } of leftovers) {
      const before = this.#added;
      pool.message(request, callback);
      if (this.#added === before) {
        throw new Error('The pool did not put the message into this journal.');
      }
      sqlite(() => this.#remove.run(run, id));
    }
    return leftovers.length;
  }

  close() {
    this.#db.close();
  }

  [Symbol.dispose]() {
    this.close();
  }
}

module.exports = { Journal, JournalError };
