'use strict';

const READ_ROWS = 100;
/** Old events are looked for once in so many new ones. */
const TRIM_EVERY = 256;

/**
 * Removes the oldest rows of events beyond `max` events. The newest row stays,
 * without its events, because the next id has to be above it.
 *
 * @returns {number} removed events
 */
function trimRows(tx, qid, max) {
  const last = tx.get(
    'SELECT eid, pos FROM event WHERE qid = ? ORDER BY eid DESC LIMIT 1',
    qid,
  );
  if (last === undefined) return 0;
  const upTo = last.pos - max;
  const { start: before } = firstAbove(tx, qid, -1);
  const kept = firstAbove(tx, qid, Math.min(upTo, last.pos - 1));
  let removed = kept.start - before;
  if (removed > 0) {
    tx.run('DELETE FROM event WHERE qid = ? AND eid < ?', qid, kept.eid);
  }
  if (last.pos <= upTo) {
    const row = tx.get(
      'SELECT json_array_length(fields) AS n FROM event WHERE qid = ? AND eid = ?',
      qid,
      last.eid,
    );
    removed += row.n;
    tx.run(
      `UPDATE event SET fields = '[]' WHERE qid = ? AND eid = ?`,
      qid,
      last.eid,
    );
  }
  return removed;
}

/** @returns {object} the oldest row that ends above a number of events */
function firstAbove(tx, qid, pos) {
  return tx.get(
    `SELECT eid, pos - json_array_length(fields) AS start FROM event
      WHERE qid = ? AND pos > ? ORDER BY eid LIMIT 1`,
    ...[qid, pos],
  );
}

function trimEvents(tx, { queue, max }) {
  return trimRows(tx, tx.queue(queue), max);
}

function publishEvent(tx, { queue, fields, max }) {
  const qid = tx.queue(queue);
  const id = tx.emitRaw(qid, Object.entries(fields).flat().map(String));
  if (Number.isFinite(max) && isFarAbove(tx, qid, max)) trimRows(tx, qid, max);
  return id;
}

function isFarAbove(tx, qid, max) {
  const end = (order) =>
    tx.get(
      `SELECT pos FROM event WHERE qid = ? ORDER BY eid ${order} LIMIT 1`,
      qid,
    )?.pos ?? 0;
  return end('DESC') - end('ASC') > max + TRIM_EVERY;
}

/** @returns {{ eid: number, index: number }} a place behind all events */
function lastEvent(tx, { queue }) {
  const qid = tx.queueIfThere(queue);
  const row = tx.get(
    'SELECT MAX(eid) AS eid FROM event WHERE qid = ?',
    qid ?? null,
  );
  return { eid: row.eid ?? 0, index: Number.MAX_SAFE_INTEGER };
}

/** @param {string} id `<milliseconds>-<number>`, the number 0 if left out */
function placeOf(id) {
  const [eid, index = 0] = String(id).split('-').map(Number);
  return { eid: eid || 0, index: index || 0 };
}

/** @returns {[string, string[]][]} events behind a place */
function eventsAfter(tx, { queue, after }) {
  const qid = tx.queueIfThere(queue);
  if (qid === undefined) return [];
  const rows = tx.all(
    'SELECT eid, fields FROM event WHERE qid = ? AND eid >= ? ORDER BY eid LIMIT ?',
    qid,
    after.eid,
    READ_ROWS,
  );
  const events = [];
  for (const { eid, fields } of rows) {
    JSON.parse(fields).forEach((event, index) => {
      if (eid === after.eid && index <= after.index) return;
      events.push([`${eid}-${index}`, event]);
    });
  }
  return events;
}

module.exports = {
  TRIM_EVERY,
  eventsAfter,
  lastEvent,
  placeOf,
  publishEvent,
  trimEvents,
  trimRows,
};
