'use strict';

const { deduplicationRemoved } = require('./dedup.js');
const { remove } = require('./finish.js');
const { unlink } = require('./flows.js');
const { erase, find, findIn } = require('./jobs.js');
const { Code, refuse } = require('./refusals.js');
const { getJobSchedulersCount, isNextOfScheduler } = require('./schedulers.js');
const { Child, State, stateOf } = require('./states.js');

function pause(tx, { queue, isPaused }) {
  const qid = tx.queue(queue);
  if (isPaused) {
    tx.run(
      `INSERT INTO meta VALUES (?, 'paused', '1') ON CONFLICT DO NOTHING`,
      qid,
    );
  } else {
    tx.run(`DELETE FROM meta WHERE qid = ? AND field = 'paused'`, qid);
  }
  tx.metaChanged(qid);
  tx.emit(qid, isPaused ? 'paused' : 'resumed');
}

/** Removing one job may remove others that wait for it alone. */
function removeAll(tx, jobs) {
  for (const { qid, id } of jobs) {
    const job = find(tx, qid, id);
    if (job !== undefined) remove(tx, job);
  }
}

/**
 * Removes waiting jobs; the next jobs of schedulers stay.
 *
 * @param {{ queue: string, isDelayed: boolean, count: number }} given
 * @returns {number} as many as were removed
 */
function drain(tx, { queue, isDelayed, count }) {
  const qid = tx.queue(queue);
  const limit = count + getJobSchedulersCount(tx, { queue });
  const states = isDelayed ? [State.Waiting, State.Delayed] : [State.Waiting];
  const jobs = states.flatMap((state) =>
    tx.all(
      `SELECT qid, id, rjk FROM job WHERE qid = ? AND state = ${state} LIMIT ?`,
      ...[qid, limit],
    ),
  );
  const chosen = jobs.filter((job) => !isNextOfScheduler(tx, job));
  removeAll(tx, chosen);
  return chosen.length;
}

const FINISHED = ['completed', 'failed'];
/** Jobs of a state that are as old, in the order in which they are looked at. */
const CLEANED = {
  completed: 'state = 2 AND fin <= ? ORDER BY fin, jid',
  failed: 'state = 3 AND fin <= ? ORDER BY fin, jid',
  delayed: 'state = 4 ORDER BY due, seq',
  prioritized: 'state = 0 AND rank > 0 ORDER BY rank, seq',
  wait: 'state = 0 AND rank = 0 ORDER BY seq',
  active: 'state = 1 ORDER BY seq',
  'waiting-children': 'state = 5 AND due <= ? ORDER BY due, seq',
};

function isOld(state, job, { until, now }) {
  if (state === 'prioritized') return job.ts <= until;
  const isRunning =
    state === 'active' && job.lock !== null && job.lock_until > now;
  return !isRunning && (job.proc ?? job.ts) <= until;
}

/**
 * @param {{ queue: string, state: string, until: number, limit: number,
 *   now: number }} given `limit` 0: all
 * @returns {string[]} ids of the removed jobs
 */
function cleanJobsByState(tx, { queue, state, until, limit, now }) {
  const qid = tx.queue(queue);
  const where = CLEANED[state === 'waiting' ? 'wait' : state];
  if (where === undefined) {
    tx.emit(qid, 'cleaned', 'count', 0);
    return [];
  }
  const byTime = where.includes('?') ? [until] : [];
  const jobs = tx.all(
    `SELECT * FROM job WHERE qid = ? AND ${where} LIMIT ?`,
    ...[qid, ...byTime, limit > 0 ? limit : -1],
  );
  const isChosen = (job) =>
    (byTime.length > 0 || isOld(state, job, { until, now })) &&
    (FINISHED.includes(state) || !isNextOfScheduler(tx, job));
  const ids = [];
  for (const job of jobs.filter(isChosen)) {
    // It may have gone with its last child.
    if (find(tx, qid, job.id) === undefined) continue;
    remove(tx, job);
    ids.push(job.id);
  }
  tx.emit(qid, 'cleaned', 'count', ids.length);
  return ids;
}

const OF_QUEUE = ['scheduler', 'metric', 'dedup', 'dedup_next', 'meta'];

/**
 * @param {{ queue: string, force: boolean, count: number }} given
 * @returns {number} 1: there is more
 */
function obliterate(tx, { queue, force, count }) {
  const qid = tx.queue(queue);
  if (tx.meta(qid).paused === undefined) {
    throw new Error('Cannot obliterate non-paused queue');
  }
  const one = 'SELECT 1 FROM job WHERE qid = ? AND state = 1 LIMIT 1';
  if (!force && tx.get(one, qid) !== undefined) {
    throw new Error('Cannot obliterate queue with active jobs');
  }
  const jobs = tx.all(
    'SELECT qid, id FROM job WHERE qid = ? AND state <> 5 LIMIT ?',
    ...[qid, count],
  );
  removeAll(tx, jobs);
  if (jobs.length >= count) return 1;
  const parents = tx.all('SELECT * FROM job WHERE qid = ?', qid);
  for (const job of parents) erase(tx, job);
  for (const table of OF_QUEUE) {
    tx.run(`DELETE FROM ${table} WHERE qid = ?`, qid);
  }
  // The queue's row and the id of its last event stay, because numbers that are
  // given again would mislead who holds the old ones.
  tx.run(
    `UPDATE queue SET last_id = 0, stall_until = NULL, lim_count = 0,
      lim_until = NULL WHERE qid = ?`,
    qid,
  );
  tx.run(
    `DELETE FROM event WHERE qid = ?
      AND eid < (SELECT MAX(eid) FROM event WHERE qid = ?)`,
    ...[qid, qid],
  );
  tx.run(`UPDATE event SET fields = '[]' WHERE qid = ?`, qid);
  tx.metaChanged(qid);
  return 0;
}

const childrenOf = (tx, job, isPendingOnly) =>
  job.kids === 0
    ? []
    : tx.all(
        `SELECT child_q, child_id FROM dep WHERE parent_q = ? AND parent_id = ?
          ${isPendingOnly ? `AND status = ${Child.Pending}` : ''}`,
        ...[tx.queueName(job.qid), job.id],
      );

function isLocked(tx, job, { now, isDeep }) {
  if (job.lock !== null && job.lock_until > now) return true;
  if (!isDeep) return false;
  return childrenOf(tx, job, true).some(({ child_q, child_id }) => {
    const child = findIn(tx, child_q, child_id);
    return child !== undefined && isLocked(tx, child, { now, isDeep });
  });
}

/**
 * @param {{ now: number, withChildren: boolean, isPendingOnly?: boolean }} how
 *   `isPendingOnly`: locked and failed ones stay
 */
function removeTree(tx, job, how) {
  if (how.isPendingOnly) {
    if (isLocked(tx, job, how) || job.state === State.Failed) return;
  }
  unlink(tx, job);
  if (how.withChildren) removeChildren(tx, job, how);
  deduplicationRemoved(tx, job);
  // Its last child may have moved it meanwhile, or taken it along.
  const row = erase(tx, job);
  if (row === undefined) return;
  const state = stateOf(row);
  const prev = state === 'waiting' ? 'wait' : state;
  tx.emit(job.qid, 'removed', 'jobId', job.id, 'prev', prev);
}

function removeChildren(tx, job, how) {
  for (const { child_q, child_id } of childrenOf(tx, job, how.isPendingOnly)) {
    const child = findIn(tx, child_q, child_id);
    if (child !== undefined) removeTree(tx, child, how);
  }
}

/** @returns {number} 0: the job, or a child that goes with it, is locked */
function removeJob(tx, { queue, id, withChildren, now }) {
  const job = find(tx, tx.queue(queue), id);
  if (job === undefined) return 1;
  if (isNextOfScheduler(tx, job)) refuse(Code.OfScheduler);
  if (isLocked(tx, job, { now, isDeep: withChildren })) return 0;
  removeTree(tx, job, { now, withChildren });
  return 1;
}

function removeUnprocessedChildren(tx, { queue, id, now }) {
  const job = find(tx, tx.queue(queue), id);
  if (job === undefined) return;
  removeChildren(tx, job, { now, withChildren: true, isPendingOnly: true });
}

/** @returns {boolean} whether the parent waited for it */
function removeChildDependency(tx, { queue, id, parent }) {
  const job = find(tx, tx.queue(queue), id) ?? refuse(Code.Missing);
  if (parent === undefined || !findIn(tx, parent.queue, parent.id)) {
    refuse(Code.ParentMissing);
  }
  if (!unlink(tx, job)) return false;
  tx.run(
    'UPDATE job SET parent_q = NULL, parent_id = NULL WHERE jid = ?',
    job.jid,
  );
  tx.run('UPDATE body SET parent = NULL WHERE jid = ?', job.jid);
  return true;
}

module.exports = {
  cleanJobsByState,
  drain,
  obliterate,
  pause,
  removeChildDependency,
  removeJob,
  removeUnprocessedChildren,
};
