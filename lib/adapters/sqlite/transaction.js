'use strict';

const { ListChanges } = require('./list-changes.js');
const { TRIM_EVERY, trimRows } = require('./events.js');

const DEFAULT_MAX_EVENTS = 10_000;
const FIRST_DUE = 'SELECT MIN(due) AS due FROM job WHERE qid = ? AND state = 4';

/**
 * The writing side of operations: statements, and rows gathered until the
 * end of the transaction because one statement for all is cheaper. One object
 * serves all transactions of a connection, one after another.
 */
class Transaction {
  /** Changes that the counts of the lists do not have yet. */
  lists = new ListChanges();
  #db;
  #seq;
  #metas = new Map();
  #dues = new Map();
  #events = new Map();
  #queues = new Map();
  #names = new Map();
  #created = [];
  #touched = new Set();

  /** @param {Database} db */
  constructor(db) {
    this.#db = db;
  }

  get(sql, ...values) {
    return this.#db.get(sql, ...values);
  }

  all(sql, ...values) {
    return this.#db.all(sql, ...values);
  }

  /** @returns {number} rows that were changed */
  run(sql, ...values) {
    return Number(this.#db.run(sql, ...values).changes);
  }

  /** @returns {number} rowid of the row */
  insert(sql, ...values) {
    return Number(this.#db.run(sql, ...values).lastInsertRowid);
  }

  begin() {
    this.#seq = undefined;
    this.lists.clear();
    this.#metas.clear();
    this.#dues.clear();
    this.#events.clear();
    this.#created.length = 0;
    this.#touched.clear();
  }

  /** @returns {object} for rollBackTo() */
  mark() {
    const events = new Map();
    for (const [qid, { list }] of this.#events) events.set(qid, list.length);
    const lists = this.lists.mark();
    return { events, lists, created: this.#created.length, seq: this.#seq };
  }

  /** Forgets what was gathered since. */
  rollBackTo({ events, lists, created, seq }) {
    this.lists.rollBackTo(lists);
    this.#seq = seq;
    this.#metas.clear();
    this.#dues.clear();
    for (const [qid, { list }] of this.#events) {
      list.length = events.get(qid) ?? 0;
    }
    for (const name of this.#created.splice(created)) {
      const qid = this.#queues.get(name);
      this.#queues.delete(name);
      this.#names.delete(qid);
      this.#touched.delete(qid);
    }
  }

  /** Writes what was gathered. @returns {Set<string>} queues that changed */
  end() {
    this.lists.flush(this);
    for (const [qid, events] of this.#events) {
      if (events.list.length > 0) this.#writeEvents(qid, events);
    }
    if (this.#seq !== undefined) {
      this.run(`UPDATE counter SET n = ? WHERE k = 'seq'`, this.#seq);
    }
    return new Set([...this.#touched].map((qid) => this.queueName(qid)));
  }

  /** The transaction failed: nothing of it is there. */
  abort() {
    this.rollBackTo({ events: new Map(), lists: 0, created: 0 });
  }

  #writeEvents(qid, { eid, pos, list }) {
    const end = pos + list.length;
    const fields = JSON.stringify(list);
    this.run('INSERT INTO event VALUES (?, ?, ?, ?)', qid, eid, end, fields);
    if (Math.floor(end / TRIM_EVERY) === Math.floor(pos / TRIM_EVERY)) return;
    const max = Number(this.meta(qid)['opts.maxLenEvents']);
    trimRows(this, qid, Number.isNaN(max) ? DEFAULT_MAX_EVENTS : max);
  }

  /** A number above all earlier ones of the file, in every process. */
  nextSeq() {
    this.#seq ??= this.get(`SELECT n FROM counter WHERE k = 'seq'`).n;
    this.#seq += 1;
    return this.#seq;
  }

  /** @returns {number | undefined} the queue's number, if the queue is there */
  queueIfThere(name) {
    const known = this.#queues.get(name);
    if (known !== undefined) return known;
    const row = this.get('SELECT qid FROM queue WHERE name = ?', name);
    if (row === undefined) return undefined;
    this.#remember(name, row.qid);
    return row.qid;
  }

  /** @returns {number} the queue's number; the queue may be made */
  queue(name) {
    let qid = this.queueIfThere(name);
    if (qid === undefined) {
      qid = this.insert('INSERT INTO queue (name) VALUES (?)', name);
      this.#remember(name, qid);
      this.#created.push(name);
    }
    this.#touched.add(qid);
    return qid;
  }

  // A queue's row is never deleted, so numbers stay true.
  #remember(name, qid) {
    this.#queues.set(name, qid);
    this.#names.set(qid, name);
  }

  /** @returns {string} */
  queueName(qid) {
    const known = this.#names.get(qid);
    if (known !== undefined) return known;
    const { name } = this.get('SELECT name FROM queue WHERE qid = ?', qid);
    this.#remember(name, qid);
    return name;
  }

  /**
   * The time when the first delayed job of a queue is due, or earlier; Infinity if none
   * is delayed. One look serves all claims of a transaction.
   */
  firstDue(qid) {
    let due = this.#dues.get(qid);
    if (due === undefined) {
      due = this.get(FIRST_DUE, qid).due ?? Number.POSITIVE_INFINITY;
      this.#dues.set(qid, due);
    }
    return Math.min(due, this.lists.firstDue(qid));
  }

  /** Jobs that were due are delayed no more. */
  forgetDue(qid) {
    this.#dues.delete(qid);
  }

  /** @returns {Record<string, string>} not to be changed */
  meta(qid) {
    let meta = this.#metas.get(qid);
    if (meta === undefined) {
      const rows = this.all('SELECT field, value FROM meta WHERE qid = ?', qid);
      meta = Object.fromEntries(rows.map(({ field, value }) => [field, value]));
      this.#metas.set(qid, meta);
    }
    return meta;
  }

  /** The meta of a queue was written. */
  metaChanged(qid) {
    this.#metas.delete(qid);
    this.#touched.add(qid);
  }

  /** Something of the queue may wake a worker, though no event tells it. */
  touch(qid) {
    this.#touched.add(qid);
  }

  /**
   * @param {number} qid
   * @param {string} event
   * @param {...unknown} fields names and values by turns
   * @returns {string} the event's id
   */
  emit(qid, event, ...fields) {
    return this.emitRaw(qid, ['event', event, ...fields.map(String)]);
  }

  /** @param {string[]} fields names and values by turns */
  emitRaw(qid, fields) {
    let events = this.#events.get(qid);
    if (events === undefined) {
      const last = this.get(
        'SELECT eid, pos FROM event WHERE qid = ? ORDER BY eid DESC LIMIT 1',
        qid,
      ) ?? { eid: 0, pos: 0 };
      // Ids are milliseconds, and never below an earlier one, as on Redis.
      const eid = Math.max(Date.now(), last.eid + 1);
      events = { eid, pos: last.pos, list: [] };
      this.#events.set(qid, events);
    }
    this.#touched.add(qid);
    events.list.push(fields);
    return `${events.eid}-${events.list.length - 1}`;
  }
}

module.exports = { FIRST_DUE, Transaction };
