'use strict';

const { claim, limiterOf } = require('./claim.js');
const { activeJob, updateFields } = require('./finish.js');
const { hasFailed, hasPending, pendAgain } = require('./flows.js');
const { enqueue, find, postpone, promoteDue, relist } = require('./jobs.js');
const { Code, refuse } = require('./refusals.js');
const { Child, STATE_NAMES, State } = require('./states.js');

/** @returns {object | undefined} what claim() found */
function moveToDelayed(tx, held) {
  const { now, timestamp, delay, isAttempt, fields, next } = held;
  const job = activeJob(tx, held);
  updateFields(tx, job.jid, fields);
  tx.run(
    'UPDATE job SET delay = ?, atm = atm + ? WHERE jid = ?',
    ...[delay, isAttempt ? 1 : 0, job.jid],
  );
  postpone(tx, job, delay > 0 ? timestamp + delay : timestamp);
  return next && claim(tx, job.qid, { ...next, now });
}

/** @returns {boolean} false: there is nothing to wait for */
function moveToWaitingChildren(tx, held) {
  const { queue, id, child, now } = held;
  const qid = tx.queue(queue);
  if (find(tx, qid, id) === undefined) refuse(Code.Missing);
  if (hasFailed(tx, queue, id)) refuse(Code.FailedChildren);
  const waits = child
    ? isPending(tx, queue, id, child)
    : hasPending(tx, queue, id);
  if (!waits) return false;
  const job = activeJob(tx, held);
  const seq = tx.nextSeq();
  relist(tx, job, { state: State.WaitingChildren, due: now, seq });
  tx.run(
    `UPDATE job SET state = 5, due = ?, seq = ?, lock = NULL,
      lock_until = NULL, stalled = 0 WHERE jid = ?`,
    ...[now, seq, job.jid],
  );
  tx.emit(qid, 'waiting-children', 'jobId', id, 'prev', 'active');
  return true;
}

function isPending(tx, queue, id, child) {
  const row = tx.get(
    `SELECT status FROM dep WHERE parent_q = ? AND parent_id = ?
      AND child_q = ? AND child_id = ?`,
    ...[queue, id, child.queue, child.id],
  );
  return row?.status === Child.Pending;
}

/** @returns {number} milliseconds until the limiter lets a job start */
function moveJobFromActiveToWait(tx, held) {
  const job = activeJob(tx, held);
  enqueue(tx, job, { front: true });
  tx.emit(job.qid, 'waiting', 'jobId', job.id, 'prev', 'active');
  return limiterOf(tx, job.qid, held.now).left;
}

function retryJob(tx, held) {
  const { queue, now, lifo, fields } = held;
  promoteDue(tx, tx.queue(queue), now);
  const job = activeJob(tx, held);
  updateFields(tx, job.jid, fields);
  enqueue(tx, job, { front: lifo && job.prio === 0 });
  tx.run('UPDATE job SET atm = atm + 1 WHERE jid = ?', job.jid);
  tx.emit(job.qid, 'waiting', 'jobId', job.id, 'prev', 'active');
}

/** How a parent sees a finished child, by the child's state. */
const SEEN = {
  [State.Completed]: [Child.Processed],
  [State.Failed]: [Child.Ignored, Child.Failed],
};

/** A finished job runs again; what it ended with is forgotten. */
function forgetEnd(tx, job) {
  tx.run('UPDATE job SET proc = NULL WHERE jid = ?', job.jid);
  const column = job.state === State.Completed ? 'ret' : 'failed';
  tx.run(`UPDATE body SET ${column} = NULL WHERE jid = ?`, job.jid);
  pendAgain(tx, job, SEEN[job.state]);
}

function retryFinishedJob(tx, { queue, id, state, lifo, resets }) {
  const job = find(tx, tx.queue(queue), id) ?? refuse(Code.Missing);
  if (STATE_NAMES[job.state] !== state) refuse(Code.NotInState);
  forgetEnd(tx, job);
  for (const column of resets) {
    tx.run(`UPDATE job SET ${column} = 0 WHERE jid = ?`, job.jid);
  }
  enqueue(tx, job, { front: lifo && job.prio === 0 });
  tx.emit(job.qid, 'waiting', 'jobId', job.id, 'prev', state);
}

/**
 * Moves jobs of a state to the list `wait`, the oldest first.
 *
 * @returns {number} 1: there may be more
 */
function moveJobsToWait(tx, { queue, state, count, until }) {
  const qid = tx.queue(queue);
  const number = STATE_NAMES.indexOf(state);
  const by = number === State.Delayed ? 'due' : 'fin';
  const jobs = tx.all(
    `SELECT * FROM job WHERE qid = ? AND state = ${number} AND ${by} <= ?
      ORDER BY ${by}, ${number === State.Delayed ? 'seq' : 'jid'} LIMIT ?`,
    ...[qid, until, count],
  );
  for (const job of jobs) {
    if (number !== State.Delayed) forgetEnd(tx, job);
    enqueue(tx, job, { rank: 0 });
    tx.emit(qid, 'waiting', 'jobId', job.id, 'prev', state);
  }
  return jobs.length >= count ? 1 : 0;
}

function promote(tx, { queue, id }) {
  const job = find(tx, tx.queue(queue), id);
  if (job?.state !== State.Delayed) refuse(Code.NotInState);
  enqueue(tx, job);
  tx.run('UPDATE job SET delay = 0 WHERE jid = ?', job.jid);
  tx.emit(job.qid, 'waiting', 'jobId', id, 'prev', 'delayed');
}

function changeDelay(tx, { queue, id, delay, now }) {
  const job = find(tx, tx.queue(queue), id) ?? refuse(Code.Missing);
  if (job.state !== State.Delayed) refuse(Code.NotInState);
  tx.run('UPDATE job SET delay = ? WHERE jid = ?', delay, job.jid);
  postpone(tx, job, delay > 0 ? now + delay : now);
}

function changePriority(tx, { queue, id, priority, lifo }) {
  const job = find(tx, tx.queue(queue), id) ?? refuse(Code.Missing);
  tx.run('UPDATE job SET prio = ? WHERE jid = ?', priority, job.jid);
  if (job.state !== State.Waiting) return;
  enqueue(tx, { ...job, prio: priority }, { front: lifo });
}

/**
 * Jobs whose worker is gone wait again. An active job is marked by one check,
 * and taken back by the next one if its lock is over by then.
 *
 * @returns {string[]} ids
 */
function moveStalledJobsToWait(tx, { queue, now, interval, maxCount }) {
  const qid = tx.queue(queue);
  // One check in an interval, of all processes.
  const isFirst = tx.run(
    `UPDATE queue SET stall_until = ?
      WHERE qid = ? AND (stall_until IS NULL OR stall_until <= ?)`,
    ...[now + interval, qid, now],
  );
  if (!isFirst) return [];
  const jobs = tx.all(
    `SELECT * FROM job WHERE qid = ? AND state = 1 AND stalled = 1
      AND (lock IS NULL OR lock_until <= ?) ORDER BY seq DESC`,
    ...[qid, now],
  );
  // Each goes to the front, so the oldest one is the last to be put there.
  for (const job of jobs) takeBack(tx, job, maxCount);
  tx.run(
    'UPDATE job SET stalled = 1 WHERE qid = ? AND state = 1 AND stalled = 0',
    qid,
  );
  return jobs.map(({ id }) => id);
}

function takeBack(tx, job, maxCount) {
  const stalledCount = job.stc + 1;
  tx.run('UPDATE job SET stc = ? WHERE jid = ?', stalledCount, job.jid);
  if (stalledCount > maxCount && !ofLivingScheduler(tx, job)) {
    tx.run(
      'UPDATE job SET defa = ? WHERE jid = ?',
      ...['job stalled more than allowable limit', job.jid],
    );
  }
  enqueue(tx, job, { rank: 0, front: true });
  tx.emit(job.qid, 'waiting', 'jobId', job.id, 'prev', 'active');
  tx.emit(job.qid, 'stalled', 'jobId', job.id);
}

function ofLivingScheduler(tx, { qid, rjk }) {
  if (rjk === null) return false;
  const row = tx.get(
    'SELECT 1 FROM scheduler WHERE qid = ? AND sid = ?',
    ...[qid, rjk],
  );
  return row !== undefined;
}

/** @returns {number} 1: the lock was the token's */
function extendLock(tx, { queue, id, token, now, ms }) {
  return tx.run(
    `UPDATE job SET lock_until = ?, stalled = 0
      WHERE qid = ? AND id = ? AND state = 1 AND lock = ?`,
    ...[now + ms, tx.queue(queue), id, token],
  );
}

/** @returns {string[]} ids whose lock is lost */
function extendLocks(tx, { ids, tokens, ...more }) {
  return ids.filter((id, index) => {
    const token = tokens[index];
    return extendLock(tx, { ...more, id, token }) === 0;
  });
}

/** @returns {boolean} whether the lock still holds */
function isLockHeld(tx, { queue, id, token, now }) {
  const job = find(tx, tx.queueIfThere(queue), id);
  return job?.lock === token && job.lock_until > now;
}

module.exports = {
  changeDelay,
  changePriority,
  extendLock,
  extendLocks,
  isLockHeld,
  moveJobFromActiveToWait,
  moveJobsToWait,
  moveStalledJobsToWait,
  moveToDelayed,
  moveToWaitingChildren,
  promote,
  retryFinishedJob,
  retryJob,
};
