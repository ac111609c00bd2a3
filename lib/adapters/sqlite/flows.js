'use strict';

const { enqueue, erase, findIn, hasKids, postpone } = require('./jobs.js');
const { Child, State } = require('./states.js');

const OF_CHILD =
  'parent_q = ? AND parent_id = ? AND child_q = ? AND child_id = ?';

/** @returns {boolean} whether a job waits for a child */
const hasPending = (tx, queue, id) => hasChild(tx, queue, id, Child.Pending);

/** @returns {boolean} whether a child's failure fails the job */
const hasFailed = (tx, queue, id) => hasChild(tx, queue, id, Child.Failed);

function hasChild(tx, queue, id, status) {
  const row = tx.get(
    `SELECT 1 FROM dep WHERE parent_q = ? AND parent_id = ? AND status = ?
      LIMIT 1`,
    ...[queue, id, status],
  );
  return row !== undefined;
}

/** @returns {boolean} whether the parent waited for the child until now */
function settleChild(tx, parent, child, status, value) {
  const changed = tx.run(
    `UPDATE dep SET status = ?, value = ? WHERE ${OF_CHILD}
      AND status = ${Child.Pending}`,
    ...[status, value, parent.queue, parent.id, child.queue, child.id],
  );
  return changed > 0;
}

/** @returns {boolean} whether the parent waited for the child until now */
function forgetChild(tx, parent, child) {
  const changed = tx.run(
    `DELETE FROM dep WHERE ${OF_CHILD} AND status = ${Child.Pending}`,
    ...[parent.queue, parent.id, child.queue, child.id],
  );
  return changed > 0;
}

/** A child that was completed before its parent came to it. */
function adoptProcessed(tx, parent, child, value) {
  tx.run(
    `INSERT INTO dep VALUES (?, ?, ?, ?, ${Child.Processed}, ?)
      ON CONFLICT DO UPDATE SET status = excluded.status,
        value = excluded.value`,
    ...[parent.queue, parent.id, child.queue, child.id, value],
  );
  hasKids(tx, { queueKey: parent.queue, id: parent.id });
}

/** A parent goes on: at the front, or after its own delay. */
function release(tx, parent, now) {
  if (parent.delay > 0) {
    postpone(tx, parent, now + parent.delay);
    return;
  }
  enqueue(tx, parent, { front: parent.prio === 0 });
  tx.emit(
    parent.qid,
    ...['waiting', 'jobId', parent.id, 'prev', 'waiting-children'],
  );
}

function releaseIfWaiting(tx, { queue, id }, now) {
  const parent = findIn(tx, queue, id);
  if (parent?.state === State.WaitingChildren) release(tx, parent, now);
}

function releaseIfDone(tx, parent, now) {
  if (hasPending(tx, parent.queue, parent.id)) return;
  releaseIfWaiting(tx, parent, now);
}

const parentOf = (job) => ({ queue: job.parent_q, id: job.parent_id });

/** @param {{ queue: string, now: number, value: string }} of the job's queue */
function childCompleted(tx, job, { queue, now, value }) {
  const parent = parentOf(job);
  const child = { queue, id: job.id };
  if (settleChild(tx, parent, child, Child.Processed, value)) {
    releaseIfDone(tx, parent, now);
  }
}

/** The child's options say what its failure is to its parent. */
function childFailed(tx, job, { queue, now, value }) {
  const row = tx.get('SELECT parent FROM body WHERE jid = ?', job.jid);
  const told = JSON.parse(row.parent ?? '{}');
  const parent = parentOf(job);
  const child = { queue, id: job.id };
  if (told.fpof) {
    if (settleChild(tx, parent, child, Child.Failed, value)) {
      failParent(tx, parent, child, now);
    }
  } else if (told.cpof) {
    if (settleChild(tx, parent, child, Child.Ignored, value)) {
      releaseIfWaiting(tx, parent, now);
    }
  } else if (told.idof) {
    if (settleChild(tx, parent, child, Child.Ignored, value)) {
      releaseIfDone(tx, parent, now);
    }
  } else if (told.rdof && forgetChild(tx, parent, child)) {
    releaseIfDone(tx, parent, now);
  }
}

/** The parent fails when a worker takes it. */
function failParent(tx, { queue, id }, child, now) {
  const parent = findIn(tx, queue, id);
  if (parent === undefined || parent.state === State.Failed) return;
  tx.run(
    'UPDATE job SET defa = ? WHERE jid = ?',
    ...[`child ${child.queue}:${child.id} failed`, parent.jid],
  );
  if (parent.state === State.Delayed) {
    tx.run('UPDATE job SET delay = 0 WHERE jid = ?', parent.jid);
    release(tx, { ...parent, delay: 0 }, now);
  } else if (parent.state === State.WaitingChildren) {
    release(tx, parent, now);
  }
}

/**
 * A job goes away while its parent may wait for it. A parent without another
 * child goes on; `hard`, one of the queue `within` goes away too.
 *
 * @returns {boolean} whether the parent waited for it
 */
function unlink(tx, job, { hard = false, within = undefined } = {}) {
  if (job.parent_id === null) return false;
  const parent = parentOf(job);
  const child = { queue: tx.queueName(job.qid), id: job.id };
  const row = findIn(tx, parent.queue, parent.id);
  if (row === undefined || !forgetChild(tx, parent, child)) return false;
  if (row.state !== State.WaitingChildren) return true;
  if (hasPending(tx, parent.queue, parent.id)) return true;
  if (hard && row.qid === within) {
    unlink(tx, row, { hard, within });
    erase(tx, row);
    return true;
  }
  enqueue(tx, row, { rank: 0, front: true });
  if (!hard) {
    tx.emit(
      row.qid,
      ...['waiting', 'jobId', row.id, 'prev', 'waiting-children'],
    );
  }
  return true;
}

/** A child that runs again is waited for again. */
function pendAgain(tx, job, statuses) {
  if (job.parent_id === null) return;
  if (findIn(tx, job.parent_q, job.parent_id) === undefined) return;
  tx.run(
    `UPDATE dep SET status = ${Child.Pending}, value = NULL WHERE ${OF_CHILD}
      AND status IN (${statuses.join(', ')})`,
    ...[job.parent_q, job.parent_id, tx.queueName(job.qid), job.id],
  );
}

module.exports = {
  adoptProcessed,
  childCompleted,
  childFailed,
  hasFailed,
  hasPending,
  pendAgain,
  releaseIfDone,
  unlink,
};
