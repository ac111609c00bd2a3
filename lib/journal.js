'use strict';

const v8 = require('node:v8');

const { openDatabase } = require('./journal/sqlite.js');

/**
 * A QBackup that survives the process: every queued message is on disk before
 * `send()` or `message()` returns, and leaves it when its answer is final.
 *
 * Message ids start at 1 in every process, so entries are kept per run: what an
 * earlier run left is what `recover()` gives back. A message is handled at
 * least once: one that was answered just before a crash can come again.
 *
 * Owner thread only; the file belongs to one process at a time.
 */
class Journal {
  #db;
  #run;
  #insert;
  #remove;
  #added = 0;

  /** Use `Journal.open`. */
  constructor(db) {
    this.#db = db;
    // The log is written by the system even when the process is killed; only a
    // crash of the machine can lose its newest lines.
    db.exec('PRAGMA journal_mode = WAL');
    db.exec('PRAGMA synchronous = NORMAL');
    db.exec(`CREATE TABLE IF NOT EXISTS entries (
      run INTEGER NOT NULL,
      id INTEGER NOT NULL,
      request BLOB NOT NULL,
      PRIMARY KEY (run, id)
    ) WITHOUT ROWID`);
    db.exec('CREATE TABLE IF NOT EXISTS runs (run INTEGER PRIMARY KEY)');
    db.exec('INSERT INTO runs DEFAULT VALUES');
    this.#run = db.prepare('SELECT max(run) AS run FROM runs').get().run;
    db.prepare('DELETE FROM runs WHERE run < ?').run(this.#run);
    this.#insert = db.prepare('INSERT INTO entries VALUES (?, ?, ?)');
    this.#remove = db.prepare('DELETE FROM entries WHERE run = ? AND id = ?');
    // QBackup hooks are taken off the object that holds them.
    this.add = this.add.bind(this);
    this.delete = this.delete.bind(this);
  }

  /**
   * @param {string} file made when it is not there
   * @param {{ driver?: 'node' | 'better-sqlite3' }} [options] which SQLite
   * @returns {Journal}
   * @throws {Error} there is no SQLite to be had
   */
  static open(file, { driver } = {}) {
    return new Journal(openDatabase(file, driver));
  }

  /** QBackup hook: a message was queued. */
  add(id, request) {
    this.#insert.run(this.#run, id, v8.serialize(request));
    this.#added++;
  }

  /** QBackup hook: a message's answer is final. */
  delete(id) {
    this.#remove.run(this.#run, id);
  }

  /** How many messages wait for an answer, in this run and in earlier ones. */
  get size() {
    return this.#db.prepare('SELECT count(*) AS n FROM entries').get().n;
  }

  /**
   * What earlier runs left, the oldest first.
   *
   * @returns {{ run: number, id: number, request: object }[]}
   */
  leftovers() {
    return this.#db
      .prepare('SELECT * FROM entries WHERE run < ? ORDER BY run, id')
      .all(this.#run)
      .map(({ run, id, request }) => ({
        run,
        id,
        request: v8.deserialize(Buffer.from(request)),
      }));
  }

  /**
   * Queues again what earlier runs left. Each message is in this run's journal
   * before it leaves the earlier one's, so a crash in the middle loses nothing.
   *
   * @param {{ message(request: object, callback?: Function): void }} pool a
   *   QOper8 that has this journal as its QBackup
   * @param {(answer: object, workerId: number) => void} [callback] for each
   * @returns {number} how many messages were queued again
   * @throws {Error} the pool did not put one into this journal: it is stopped,
   *   or has another QBackup; nothing is lost
   */
  recover(pool, callback) {
    const leftovers = this.leftovers();
    for (const { run, id, request } of leftovers) {
      const before = this.#added;
      pool.message(request, callback);
      if (this.#added === before) {
        throw new Error('The pool did not put the message into this journal.');
      }
      this.#remove.run(run, id);
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

module.exports = { Journal };
