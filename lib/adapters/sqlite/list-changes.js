'use strict';

const { ALL, HALF, LOWEST, MOST, from } = require('./lists.js');
const { State } = require('./states.js');

/** Two parts become one when they have no more jobs together. */
const FEW = HALF;
/** How much a part has shrunk when its neighbour is looked at. */
const STEP = FEW / 8;

const BY_NUMBER = new Map(ALL.map((type) => [type.list, type]));
const keyOf = (qid, list) => qid * 8 + list + 1;
const isBefore = (one, other) =>
  one.a < other.a || (one.a === other.a && one.b < other.b);

/** @returns {{ list: number, a: number, b: number }} where a job is */
function placeOf({ state, rank, jid, seq, due, fin }) {
  if (state === 0) return { list: rank > 0 ? -1 : 0, a: rank, b: seq };
  if (state === 1) return { list: 1, a: 0, b: seq };
  if (state < 4) return { list: state, a: fin, b: jid };
  return { list: state, a: due, b: seq };
}

/**
 * The jobs that a transaction puts into lists and takes out of them, until they
 * are written to the lists' parts: one statement serves all of a part.
 */
class ListChanges {
  #all = [];
  #nets = new Map();
  #dues = new Map();

  clear() {
    this.#all.length = 0;
    this.#nets.clear();
    this.#dues.clear();
  }

  /** @returns {number} for rollBackTo() */
  mark() {
    return this.#all.length;
  }

  rollBackTo(length) {
    for (const { key, by } of this.#all.splice(length)) this.#net(key, -by);
  }

  #net(key, by) {
    this.#nets.set(key, (this.#nets.get(key) ?? 0) + by);
  }

  /** @returns {number} jobs that a list has gained */
  net(qid, list) {
    return this.#nets.get(keyOf(qid, list)) ?? 0;
  }

  /** @returns {number} when the first is due of those that are delayed since */
  firstDue(qid) {
    return this.#dues.get(qid) ?? Number.POSITIVE_INFINITY;
  }

  /**
   * @param {{ qid: number, state: number, rank: number, jid: number,
   *   seq: number, due: number | null, fin: number | null }} row
   * @param {1 | -1} by
   */
  add(row, by) {
    const place = placeOf(row);
    const key = keyOf(row.qid, place.list);
    this.#all.push({ ...place, qid: row.qid, key, by });
    this.#net(key, by);
    if (by > 0 && place.list === State.Delayed) {
      this.#dues.set(row.qid, Math.min(place.a, this.firstDue(row.qid)));
    }
  }

  /** Writes them; every job has to be where it is by then. */
  flush(tx) {
    if (this.#all.length === 0) return;
    const lists = new Map();
    for (const change of this.#all) {
      const found = lists.get(change.key);
      if (found === undefined) lists.set(change.key, [change]);
      else found.push(change);
    }
    this.clear();
    for (const changes of lists.values()) writeList(tx, changes);
  }
}

function writeList(tx, changes) {
  const [{ qid, list }] = changes;
  const type = BY_NUMBER.get(list);
  changes.sort((one, other) => one.a - other.a || one.b - other.b);
  for (let at = 0; at < changes.length; ) {
    const part = partOf(tx, qid, list, changes[at]);
    const next =
      at + 1 < changes.length
        ? partAfter(tx, qid, list, changes[at])
        : undefined;
    let by = 0;
    do {
      by += changes[at].by;
      at += 1;
    } while (
      at < changes.length &&
      (next === undefined || isBefore(changes[at], next))
    );
    if (by !== 0) resize(tx, qid, type, part, by);
  }
}

const partOf = (tx, qid, list, { a, b }) =>
  tx.get(
    `SELECT a, b, n FROM mark WHERE qid = ? AND list = ? AND (a, b) <= (?, ?)
      ORDER BY a DESC, b DESC LIMIT 1`,
    ...[qid, list, a, b],
  );

const partAfter = (tx, qid, list, { a, b }) =>
  tx.get(
    `SELECT a, b FROM mark WHERE qid = ? AND list = ? AND (a, b) > (?, ?)
      ORDER BY a, b LIMIT 1`,
    ...[qid, list, a, b],
  );

function setSize(tx, qid, list, { a, b }, n) {
  tx.run(
    'UPDATE mark SET n = ? WHERE qid = ? AND list = ? AND a = ? AND b = ?',
    ...[n, qid, list, a, b],
  );
}

function resize(tx, qid, type, part, by) {
  const n = part.n + by;
  if (n > MOST) {
    divide(tx, qid, type, part, n);
    return;
  }
  const [a, b] = type.first ?? LOWEST;
  const isFirst = part.a === a && part.b === b;
  const hasShrunk =
    by < 0 &&
    n <= FEW / 2 &&
    (n === 0 || Math.floor(n / STEP) < Math.floor(part.n / STEP));
  if (isFirst || !hasShrunk || !join(tx, qid, type.list, part, n)) {
    setSize(tx, qid, type.list, part, n);
  }
}

/** A part that is too long becomes several. */
function divide(tx, qid, { list, where, by, a, b }, part, n) {
  let left = n;
  let start = part;
  while (left > MOST) {
    const place = by.length > 1 ? [start.a, start.b] : [start.b];
    const row = tx.get(
      `SELECT ${a} AS a, ${b} AS b FROM job
        WHERE qid = ? AND ${where} AND ${from(by, ['?', '?'])}
        ORDER BY ${by.join(', ')} LIMIT 1 OFFSET ${HALF}`,
      ...[qid, ...place],
    );
    setSize(tx, qid, list, start, HALF);
    left -= HALF;
    tx.run(
      'INSERT INTO mark VALUES (?, ?, ?, ?, ?)',
      ...[qid, list, row.a, row.b, left],
    );
    start = row;
  }
}

/** @returns {boolean} whether the part before it has taken the jobs */
function join(tx, qid, list, part, n) {
  const before = tx.get(
    `SELECT a, b, n FROM mark WHERE qid = ? AND list = ? AND (a, b) < (?, ?)
      ORDER BY a DESC, b DESC LIMIT 1`,
    ...[qid, list, part.a, part.b],
  );
  if (n > 0 && before.n + n > FEW) return false;
  if (n > 0) setSize(tx, qid, list, before, before.n + n);
  tx.run(
    'DELETE FROM mark WHERE qid = ? AND list = ? AND a = ? AND b = ?',
    ...[qid, list, part.a, part.b],
  );
  return true;
}

module.exports = { ListChanges };
