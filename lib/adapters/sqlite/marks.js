'use strict';

const { ALL, LOWEST, from } = require('./lists.js');

// A list is cut into parts. A row of `mark` has the place of a part's first job
// and the number of its jobs, so a list is counted, and a place in it found,
// without going through it. The first part of each begins below every job and
// stays. ListChanges writes the others; triggers would take twice the time of
// what they follow.
const TABLES = `
CREATE TABLE mark (
  qid INTEGER NOT NULL, list INTEGER NOT NULL,
  a INTEGER NOT NULL, b INTEGER NOT NULL, n INTEGER NOT NULL,
  PRIMARY KEY (qid, list, a, b)
) WITHOUT ROWID;
CREATE TRIGGER queue_marked AFTER INSERT ON queue BEGIN
  INSERT INTO mark VALUES ${ALL.map(
    ({ list, first = LOWEST }) => `(NEW.qid, ${list}, ${first.join(', ')}, 0)`,
  ).join(', ')};
END;
`;

/** @returns {number} jobs of a list */
function count(tx, qid, { list }) {
  const row = tx.get(
    'SELECT SUM(n) AS n FROM mark WHERE qid = ? AND list = ?',
    ...[qid, list],
  );
  return (row.n ?? 0) + tx.lists.net(qid, list);
}

/** @returns {string[]} ids from a place on; 0 is the first of the list */
function idsFrom(tx, qid, { list, where, by }, first, length) {
  tx.lists.flush(tx);
  const marks = tx.all(
    'SELECT a, b, n FROM mark WHERE qid = ? AND list = ? ORDER BY a, b',
    ...[qid, list],
  );
  let before = 0;
  const mark = marks.find(({ n }) => {
    before += n;
    return before > first;
  });
  if (mark === undefined) return [];
  const skipped = first - (before - mark.n);
  const place = by.length > 1 ? [mark.a, mark.b] : [mark.b];
  const rows = tx.all(
    `SELECT id FROM job WHERE qid = ? AND ${where} AND ${from(by, ['?', '?'])}
      ORDER BY ${by.join(', ')} LIMIT ? OFFSET ?`,
    ...[qid, ...place, length, skipped],
  );
  return rows.map(({ id }) => id);
}

/** @returns {number} jobs of a list whose first column is below a value */
function countBelow(tx, qid, { list, where, by: [a, b] }, value) {
  tx.lists.flush(tx);
  const mark = tx.get(
    `SELECT a, b FROM mark WHERE qid = ? AND list = ? AND a < ?
      ORDER BY a DESC, b DESC LIMIT 1`,
    ...[qid, list, value],
  );
  if (mark === undefined) return 0;
  const whole = tx.get(
    `SELECT SUM(n) AS n FROM mark
      WHERE qid = ? AND list = ? AND (a, b) < (?, ?)`,
    ...[qid, list, mark.a, mark.b],
  );
  const part = tx.get(
    `SELECT COUNT(*) AS n FROM job
      WHERE qid = ? AND ${where} AND (${a}, ${b}) >= (?, ?) AND ${a} < ?`,
    ...[qid, mark.a, mark.b, value],
  );
  return (whole.n ?? 0) + part.n;
}

module.exports = { TABLES, count, countBelow, idsFrom };
