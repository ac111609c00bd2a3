'use strict';

const { STATE_NAMES, State } = require('./states.js');

const MINUTE_MS = 60_000;

/** Counts a finished job; each minute is a point, the newest first. */
function recordMetric(tx, qid, { isCompleted, metrics: maxPoints, now }) {
  const kind = STATE_NAMES[isCompleted ? State.Completed : State.Failed];
  const row = tx.get(
    `INSERT INTO metric (qid, kind, count) VALUES (?, ?, 1)
      ON CONFLICT DO UPDATE SET count = count + 1 RETURNING *`,
    ...[qid, kind],
  );
  const before = row.count - 1;
  if (row.prev_ts === null) {
    tx.run(
      'UPDATE metric SET prev_ts = ?, prev_count = 0 WHERE qid = ? AND kind = ?',
      ...[now, qid, kind],
    );
    return;
  }
  const minutes =
    Math.floor(now / MINUTE_MS) - Math.floor(row.prev_ts / MINUTE_MS);
  const added = Math.min(minutes, maxPoints);
  if (added <= 0) return;
  const points = [
    ...Array(added - 1).fill(0),
    before - row.prev_count,
    ...JSON.parse(row.points),
  ];
  tx.run(
    `UPDATE metric SET points = ?, prev_count = ?, prev_ts = ?
      WHERE qid = ? AND kind = ?`,
    JSON.stringify(points.slice(0, maxPoints)),
    ...[before, now, qid, kind],
  );
}

/** @returns {[(string | null)[], string[], number]} as BullMQ reads it */
function getMetrics(tx, { queue, kind, start, end }) {
  const qid = tx.queueIfThere(queue);
  const row =
    qid !== undefined &&
    tx.get('SELECT * FROM metric WHERE qid = ? AND kind = ?', qid, kind);
  if (!row) return [[null, null, null], [], 0];
  const points = JSON.parse(row.points).map(String);
  const stop = end < 0 ? points.length + end + 1 : end + 1;
  const from = start < 0 ? Math.max(points.length + start, 0) : start;
  const head = [row.count, row.prev_ts, row.prev_count].map(String);
  return [head, points.slice(from, stop), points.length];
}

module.exports = { getMetrics, recordMetric };
