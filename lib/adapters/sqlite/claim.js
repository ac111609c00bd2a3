'use strict';

const { LISTS } = require('./lists.js');
const { count } = require('./marks.js');
const { moment, promoteDue, toJson, whole } = require('./jobs.js');
const { State } = require('./states.js');
const { FIRST_DUE } = require('./transaction.js');

/** Columns that few jobs have; reading all would take longer than the search. */
const RARE = [
  ...['dedup', 'rjk', 'defa', 'parent_q', 'parent_id', 'parent'],
  ...['progress', 'ret', 'failed', 'stack', 'due', 'fin'],
];
const NONE = Object.fromEntries(RARE.map((column) => [column, null]));
const FIRST = `SELECT jid, id, rank, seq, prio, ts, delay, stc, atm, ats, pb,
    name, data, opts, COALESCE(${RARE.join(', ')}) IS NOT NULL AS isRare
  FROM job JOIN body USING (jid)
  WHERE qid = ? AND state = 0 ORDER BY rank, seq LIMIT 1`;

/** @returns {boolean} whether as many jobs run as may */
function isMaxed(tx, qid) {
  const { concurrency } = tx.meta(qid);
  return (
    concurrency !== undefined &&
    count(tx, qid, LISTS.active) >= Number(concurrency)
  );
}

/** @returns {boolean} whether no job may be taken */
const isHeld = (tx, qid) =>
  tx.meta(qid).paused !== undefined || isMaxed(tx, qid);

/** @returns {{ count: number, left: number }} of the limiter's window */
function limiterOf(tx, qid, now) {
  const row = tx.get(
    'SELECT lim_count, lim_until FROM queue WHERE qid = ?',
    qid,
  );
  const isOpen = row.lim_until !== null && row.lim_until > now;
  return isOpen
    ? { count: row.lim_count, left: row.lim_until - now }
    : { count: 0, left: 0 };
}

/** @returns {number} milliseconds until a job may start, 0: now */
function limitMs(tx, qid, max, now) {
  if (!max) return 0;
  const { count: taken, left } = limiterOf(tx, qid, now);
  return taken >= max ? left : 0;
}

function takeToken(tx, qid, duration, now) {
  const until = moment(now + Math.floor(Math.abs(duration)));
  tx.run(
    `UPDATE queue SET
      lim_count = CASE WHEN lim_until > ? THEN lim_count + 1 ELSE 1 END,
      lim_until = CASE WHEN lim_until > ? THEN lim_until ELSE ? END
      WHERE qid = ?`,
    ...[now, now, until, qid],
  );
}

const nextDue = (tx, qid) => tx.get(FIRST_DUE, qid).due ?? 0;

/** @returns {object | undefined} of whole(): the job that is next */
function firstWaiting(tx, qid) {
  const row = tx.get(FIRST, qid);
  if (row === undefined) return undefined;
  if (row.isRare) return whole(tx, row.jid);
  return Object.assign(row, NONE, { qid, state: State.Waiting });
}

/**
 * Takes the next job, if there is one and it may start.
 *
 * @param {Transaction} tx
 * @param {number} qid
 * @param {{ token: string, now: number, name?: string, lockMs: number,
 *   limiter?: { max: number, duration: number } }} worker
 * @returns {{ job?: JobJson, id?: string, limitMs: number, nextDue: number,
 *   isHeld: boolean }}
 */
function claim(tx, qid, { token, now, name, lockMs, limiter }) {
  promoteDue(tx, qid, now);
  const meta = tx.meta(qid);
  const max = Number(meta.max ?? limiter?.max) || 0;
  const left = limitMs(tx, qid, max, now);
  if (left > 0) return { limitMs: left, nextDue: 0, isHeld: false };
  if (isHeld(tx, qid)) return { limitMs: 0, nextDue: 0, isHeld: true };
  const row = firstWaiting(tx, qid);
  if (row === undefined) {
    return { limitMs: 0, nextDue: nextDue(tx, qid), isHeld: false };
  }
  // A job that only fails takes no token.
  if (max && row.defa === null) {
    takeToken(tx, qid, limiter?.duration ?? Number(meta.duration), now);
  }
  const isLocked = token !== '0';
  const seq = tx.nextSeq();
  tx.lists.add(row, -1);
  row.state = State.Active;
  row.seq = seq;
  tx.lists.add(row, 1);
  row.proc = now;
  row.ats += 1;
  row.pb = name ?? row.pb;
  tx.run(
    `UPDATE job SET state = 1, seq = ?, lock = ?, lock_until = ?, proc = ?,
      pb = ?, ats = ? WHERE jid = ?`,
    ...[seq, isLocked ? token : null, isLocked ? now + lockMs : null],
    ...[now, row.pb, row.ats, row.jid],
  );
  tx.emit(qid, 'active', 'jobId', row.id, 'prev', 'waiting');
  return {
    ...{ job: toJson(row), id: row.id, limitMs: 0, nextDue: 0, isHeld: false },
  };
}

/** @see claim */
const moveToActive = (tx, { queue, ...worker }) =>
  claim(tx, tx.queue(queue), worker);

/** Looks for a job for a waiting worker, or for when there may be one. */
function lookForJob(tx, { queue, now }) {
  const qid = tx.queueIfThere(queue);
  if (qid === undefined) return {};
  const isReady =
    !isHeld(tx, qid) &&
    tx.get('SELECT 1 FROM job WHERE qid = ? AND state = 0 LIMIT 1', qid);
  if (isReady) return { value: { member: '0', score: 0 } };
  const due = nextDue(tx, qid);
  if (due === 0) return {};
  return due <= now ? { value: { member: '1', score: 0 } } : { due };
}

module.exports = {
  claim,
  isMaxed,
  limitMs,
  limiterOf,
  lookForJob,
  moveToActive,
};
