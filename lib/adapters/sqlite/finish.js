'use strict';

const { claim } = require('./claim.js');
const { deduplicationEnds, deduplicationRemoved } = require('./dedup.js');
const {
  childCompleted,
  childFailed,
  hasFailed,
  hasPending,
  unlink,
} = require('./flows.js');
const { erase, find } = require('./jobs.js');
const { LISTS } = require('./lists.js');
const { count } = require('./marks.js');
const { recordMetric } = require('./metrics.js');
const { Code, refuse } = require('./refusals.js');
const { STATE_NAMES, State } = require('./states.js');

const KEEP_LIMIT = 1000;
/** The columns that are needed, because reading all takes time. */
const FIND = `SELECT jid, state, rank, seq, lock, lock_until, kids, atm, dedup,
    defa, parent_q, parent_id
  FROM job WHERE qid = ? AND id = ?`;
const COLUMNS = {
  data: 'data',
  failedReason: 'failed',
  progress: 'progress',
  stacktrace: 'stack',
};

/**
 * @param {Transaction} tx
 * @param {{ queue: string, id: string, token: string, now: number }} held
 * @returns {object} the row of an active job whose lock is held by `token`
 * @throws {Refusal}
 */
function activeJob(tx, { queue, id, token, now }) {
  const job = find(tx, tx.queue(queue), id) ?? refuse(Code.Missing);
  checkLock(job, token, now);
  if (job.state !== State.Active) refuse(Code.NotInState);
  return job;
}

/**
 * A lock whose time is over still counts while nobody has taken the job: the
 * work is done, and no other has begun it.
 */
function checkLock(job, token, now) {
  if (token === '0' || (job.lock !== null && job.lock === token)) return;
  const isHeld = job.lock !== null && job.lock_until > now;
  refuse(isHeld ? Code.LockMismatch : Code.LockMissing);
}

/** Writes what a Worker has gathered of its job. */
function updateFields(tx, jid, fields) {
  for (const [name, value] of Object.entries(fields ?? {})) {
    const column = COLUMNS[name];
    if (column === undefined) continue;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    tx.run(`UPDATE body SET ${column} = ? WHERE jid = ?`, text, jid);
  }
}

/**
 * @param {Transaction} tx
 * @param {{ queue: string, id: string, token: string, now: number,
 *   isCompleted: boolean, value: string, attempts: number,
 *   keep: { count?: number, age?: number, limit?: number }, fields?: object,
 *   metrics?: number, next?: object }} end `next`: the worker that takes the
 *   next job in the same transaction
 * @returns {{ found: object | undefined, finishedOn: number }} `found`: of claim()
 */
function finish(tx, end) {
  const { queue, now, value, isCompleted, next } = end;
  const qid = tx.queue(queue);
  const job = tx.get(FIND, qid, end.id) ?? refuse(Code.Missing);
  job.qid = qid;
  job.id = end.id;
  if (isCompleted && job.kids) {
    if (hasPending(tx, queue, job.id)) refuse(Code.PendingChildren);
    if (hasFailed(tx, queue, job.id)) refuse(Code.FailedChildren);
  }
  checkLock(job, end.token, now);
  if (job.state !== State.Active) refuse(Code.NotInState);
  updateFields(tx, job.jid, end.fields);
  if (job.dedup !== null) deduplicationEnds(tx, job, { queue, now });
  if (job.parent_id !== null) {
    const tell = isCompleted ? childCompleted : childFailed;
    tell(tx, job, { queue, now, value });
  }
  if (end.keep.count === 0) {
    erase(tx, job);
    unlink(tx, job);
  } else {
    store(tx, job, end);
    retain(tx, qid, end);
  }
  tell(tx, job, end);
  if (end.metrics) recordMetric(tx, qid, end);
  const found = next && claim(tx, qid, { ...next, now });
  if (found?.job || found?.limitMs || found?.nextDue || found?.isHeld) {
    return { found, finishedOn: now };
  }
  tellDrained(tx, qid);
  return { found: undefined, finishedOn: now };
}

function store(tx, job, { isCompleted, now, value }) {
  const state = isCompleted ? State.Completed : State.Failed;
  tx.lists.add(job, -1);
  tx.lists.add({ jid: job.jid, qid: job.qid, state, fin: now }, 1);
  tx.run(
    `UPDATE job SET state = ?, fin = ?, atm = atm + 1, lock = NULL,
      lock_until = NULL, stalled = 0, defa = ? WHERE jid = ?`,
    ...[state, now],
    ...[isCompleted ? job.defa : null, job.jid],
  );
  if (!isCompleted) {
    tx.run('UPDATE body SET failed = ? WHERE jid = ?', value, job.jid);
  } else if (value !== 'null') {
    tx.run('UPDATE body SET ret = ? WHERE jid = ?', value, job.jid);
  }
}

/** Removes finished jobs that are too old or too many. */
function retain(tx, qid, { isCompleted, keep, now }) {
  const state = isCompleted ? State.Completed : State.Failed;
  const where = `SELECT * FROM job WHERE qid = ? AND state = ${state}`;
  if (keep.age !== undefined) {
    const old = tx.all(
      `${where} AND fin <= ? ORDER BY fin DESC LIMIT ?`,
      ...[qid, now - keep.age * 1000, keep.limit ?? KEEP_LIMIT],
    );
    for (const job of old) forget(tx, job);
  }
  if (!(keep.count > 0)) return;
  const n = count(tx, qid, isCompleted ? LISTS.completed : LISTS.failed);
  if (n <= keep.count) return;
  const many = tx.all(
    `${where} ORDER BY fin, jid LIMIT ?`,
    ...[qid, n - keep.count],
  );
  for (const job of many) forget(tx, job);
}

function forget(tx, job) {
  unlink(tx, job);
  erase(tx, job);
}

function tell(tx, job, { isCompleted, value, attempts }) {
  const name = STATE_NAMES[isCompleted ? State.Completed : State.Failed];
  const field = isCompleted ? 'returnvalue' : 'failedReason';
  const { qid, id } = job;
  const made = job.atm + 1;
  tx.emit(qid, name, 'jobId', id, field, value, 'prev', 'active');
  if (isCompleted || made < attempts) return;
  tx.emit(qid, 'retries-exhausted', 'jobId', id, 'attemptsMade', made);
}

function tellDrained(tx, qid) {
  const left = tx.get(
    `SELECT 1 WHERE EXISTS (SELECT 1 FROM job WHERE qid = ? AND state = 0)
      OR EXISTS (SELECT 1 FROM job WHERE qid = ? AND state = 1)`,
    ...[qid, qid],
  );
  if (left === undefined) tx.emit(qid, 'drained');
}

/** Removes a job with its key, and what waits for it alone: `clean`, `drain`. */
function remove(tx, job) {
  unlink(tx, job, { hard: true, within: job.qid });
  deduplicationRemoved(tx, job);
  erase(tx, job);
}

module.exports = { activeJob, finish, remove, updateFields };
