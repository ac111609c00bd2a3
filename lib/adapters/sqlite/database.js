'use strict';

// A text with NUL comes back cut off from node:sqlite of Node 22. The files
// have to be the same for every driver, so NUL is written as two characters.
const MARK = '\u0001';
const MARKED = `${MARK}1`;
const NUL = `${MARK}0`;
const toFile = (text) => text.replaceAll(MARK, MARKED).replaceAll('\0', NUL);
const fromFile = (text) => text.replaceAll(NUL, '\0').replaceAll(MARKED, MARK);

function writable(values) {
  for (let at = 0; at < values.length; at++) {
    const value = values[at];
    if (value === undefined) values[at] = null;
    if (typeof value !== 'string') continue;
    if (value.includes('\0') || value.includes(MARK)) {
      values[at] = toFile(value);
    }
  }
  return values;
}

function readable(row) {
  if (row === undefined) return undefined;
  for (const name in row) {
    const value = row[name];
    if (typeof value === 'string' && value.includes(MARK)) {
      row[name] = fromFile(value);
    }
  }
  return row;
}

/** A connection with prepared statements, the same for both drivers. */
class Database {
  #handle;
  #statements = new Map();

  /** @param {object} handle of node:sqlite or better-sqlite3 */
  constructor(handle) {
    this.#handle = handle;
  }

  // With a bare ? SQLite may prepare a statement anew at each run, because an
  // index of some rows might serve its next value. The next job was found in 14
  // µs so, and is in 3.
  #prepare(sql) {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#handle.prepare(sql.replaceAll('?', '+?'));
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** @returns {object | undefined} the first row */
  get(sql, ...values) {
    return readable(this.#prepare(sql).get(...writable(values)));
  }

  /** @returns {object[]} */
  all(sql, ...values) {
    const rows = this.#prepare(sql).all(...writable(values));
    for (const row of rows) readable(row);
    return rows;
  }

  /** @returns {{ changes: number, lastInsertRowid: number }} */
  run(sql, ...values) {
    return this.#prepare(sql).run(...writable(values));
  }

  exec(sql) {
    this.#handle.exec(sql);
  }

  prepare(sql) {
    return this.#handle.prepare(sql);
  }

  close() {
    this.#statements.clear();
    this.#handle.close();
  }
}

module.exports = { Database };
