'use strict';

const { LISTS } = require('./lists.js');

/** A part of a list is cut in two when it has more jobs. */
const MOST = 4096;
const HALF = MOST / 2;
/** Two parts become one when they have no more jobs together. */
const FEW = HALF;
/** Below every job, unless a list has a `first`. */
const LOWEST = [Number.MIN_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];

const ALL = Object.values(LISTS).map((each) => {
  const { by, first = LOWEST } = each;
  return { ...each, first, a: by.length > 1 ? by[0] : '0', b: by.at(-1) };
});

const listOf = (row) =>
  `iif(${row}.state = 0 AND ${row}.rank > 0, -1, ${row}.state)`;
const placeOf = (row) => `
  CASE ${row}.state WHEN 0 THEN ${row}.rank WHEN 1 THEN 0 WHEN 2 THEN ${row}.fin
    WHEN 3 THEN ${row}.fin ELSE ${row}.due END,
  iif(${row}.state IN (2, 3), ${row}.jid, ${row}.seq)`;

/** The part that has a job counts it, or counts it no more. */
const counted = (row, change) => `
  UPDATE mark SET n = n ${change} WHERE qid = ${row}.qid
    AND list = ${listOf(row)} AND (a, b) = (
      SELECT a, b FROM mark WHERE qid = ${row}.qid AND list = ${listOf(row)}
        AND (a, b) <= (${placeOf(row)}) ORDER BY a DESC, b DESC LIMIT 1);`;

/** The upper half of a part becomes a part of its own. */
const halved = ({ list, where, by, a, b }) => `
  INSERT INTO mark SELECT qid, ${list}, ${a}, ${b}, NEW.n - ${HALF} FROM job
    WHERE NEW.list = ${list} AND qid = NEW.qid AND ${where}
      AND ${from(by, ['NEW.a', 'NEW.b'])}
    ORDER BY ${by.join(', ')} LIMIT 1 OFFSET ${HALF};`;

/** Jobs from a place of a list on. */
function from(by, [a, b]) {
  return by.length > 1
    ? `(${by.join(', ')}) >= (${a}, ${b})`
    : `${by[0]} >= ${b}`;
}

// A list is cut into parts. A row of `mark` has the place of a part's first job
// and the number of its jobs, so a list is counted, and a place in it found,
// without going through it. The first part of each begins below every job and
// stays.
const TABLES = `
CREATE TABLE mark (
  qid INTEGER NOT NULL, list INTEGER NOT NULL,
  a INTEGER NOT NULL, b INTEGER NOT NULL, n INTEGER NOT NULL,
  PRIMARY KEY (qid, list, a, b)
) WITHOUT ROWID;
CREATE TRIGGER queue_marked AFTER INSERT ON queue BEGIN
  INSERT INTO mark VALUES ${ALL.map(
    ({ list, first }) => `(NEW.qid, ${list}, ${first.join(', ')}, 0)`,
  ).join(', ')};
END;
CREATE TRIGGER job_counted AFTER INSERT ON job BEGIN ${counted('NEW', '+ 1')}
END;
CREATE TRIGGER job_uncounted AFTER DELETE ON job BEGIN ${counted('OLD', '- 1')}
END;
CREATE TRIGGER job_recounted AFTER UPDATE OF state, rank, seq, due, fin ON job
BEGIN ${counted('OLD', '- 1')} ${counted('NEW', '+ 1')}
END;
CREATE TRIGGER mark_halved AFTER UPDATE OF n ON mark WHEN NEW.n > ${MOST}
BEGIN ${ALL.map(halved).join('')}
  UPDATE mark SET n = ${HALF} WHERE qid = NEW.qid AND list = NEW.list
    AND a = NEW.a AND b = NEW.b;
END;
CREATE TRIGGER mark_joined AFTER UPDATE OF n ON mark
WHEN NEW.n < OLD.n AND NEW.n <= ${FEW / 2} AND NEW.n % ${FEW / 8} = 0
  AND (NEW.a, NEW.b) NOT IN (VALUES (${LOWEST.join(', ')}), (${LISTS.prioritized.first.join(', ')}))
BEGIN
  UPDATE mark SET n = n + NEW.n WHERE qid = NEW.qid AND list = NEW.list
    AND (a, b) = (
      SELECT a, b FROM mark WHERE qid = NEW.qid AND list = NEW.list
        AND (a, b) < (NEW.a, NEW.b) ORDER BY a DESC, b DESC LIMIT 1)
    AND (NEW.n = 0 OR n + NEW.n <= ${FEW});
  DELETE FROM mark WHERE changes() = 1 AND qid = NEW.qid
    AND list = NEW.list AND a = NEW.a AND b = NEW.b;
END;
`;

/** @returns {number} jobs of a list */
const count = (tx, qid, { list }) =>
  tx.get(
    'SELECT SUM(n) AS n FROM mark WHERE qid = ? AND list = ?',
    ...[qid, list],
  ).n ?? 0;

/** @returns {string[]} ids from a place on; 0 is the first of the list */
function idsFrom(tx, qid, { list, where, by }, first, length) {
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
