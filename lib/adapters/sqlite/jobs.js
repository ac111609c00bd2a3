'use strict';

const { Child, State } = require('./states.js');

/** SQLite and both drivers keep whole numbers up to this. */
const MAX = Number.MAX_SAFE_INTEGER;

/** @returns {number} a time that the file can hold */
const moment = (time) => Math.min(time, MAX);

/** @returns {object | undefined} the row of `job` */
const find = (tx, qid, id) =>
  tx.get('SELECT * FROM job WHERE qid = ? AND id = ?', qid, id);

/** @returns {object | undefined} the job of a queue that need not be there */
function findIn(tx, queue, id) {
  const qid = tx.queueIfThere(queue);
  return qid === undefined ? undefined : find(tx, qid, id);
}

/** @returns {object} the rows of `job` and `body` as one */
const whole = (tx, jid) =>
  tx.get('SELECT * FROM job JOIN body USING (jid) WHERE jid = ?', jid);

const keyOf = (queue, id) => `${queue}:${id}`;

function parentOf({ parent, parent_q, parent_id }) {
  if (parent_id === null) return {};
  return {
    parent: parent ? JSON.parse(parent) : { id: parent_id, queueKey: parent_q },
    parentKey: keyOf(parent_q, parent_id),
  };
}

/** @param {object} row of whole() @returns {object} JobJson of BullMQ */
function toJson(row) {
  const isCompleted = row.state === State.Completed;
  const json = {
    id: row.id,
    name: row.name,
    data: row.data,
    opts: JSON.parse(row.opts),
    progress: row.progress === null ? 0 : JSON.parse(row.progress),
    delay: row.delay,
    priority: row.prio,
    timestamp: row.ts,
    attemptsStarted: row.ats,
    attemptsMade: row.atm,
    stalledCounter: row.stc,
    stacktrace: row.stack ?? undefined,
    // The result of most jobs is none; it is not stored.
    returnvalue: row.ret ?? (isCompleted ? 'null' : undefined),
    ...parentOf(row),
  };
  if (row.fin !== null) json.finishedOn = row.fin;
  if (row.proc !== null) json.processedOn = row.proc;
  if (row.rjk !== null) json.repeatJobKey = row.rjk;
  if (row.failed !== null) json.failedReason = row.failed;
  if (row.defa !== null) json.deferredFailure = row.defa;
  if (row.pb !== null) json.processedBy = row.pb;
  if (row.dedup !== null) {
    json.debounceId = row.dedup;
    json.deduplicationId = row.dedup;
  }
  return json;
}

/** An option that is null is none, as on Redis. */
const withoutNull = (_key, value) => (value === null ? undefined : value);

function firstState({ children, delay, prio }) {
  if (children) return [State.WaitingChildren, 0];
  if (delay > 0) return [State.Delayed, 0];
  return [State.Waiting, prio];
}

/**
 * Makes a job of an id that is free, and tells it.
 *
 * @param {Transaction} tx
 * @param {number} qid
 * @param {{ id: string, name: string, data: string, opts: object, ts: number,
 *   parent?: object, rjk?: string, children?: boolean }} job
 */
function insertJob(tx, qid, job) {
  const { id, name, data, opts, ts, parent, rjk, children = false } = job;
  const delay = Number(opts.delay) || 0;
  const prio = Number(opts.priority) || 0;
  const [state, rank] = firstState({ children, delay, prio });
  const seq = tx.nextSeq();
  const isFirst = opts.lifo && state === State.Waiting && rank === 0;
  const due = dueOf(state, ts, delay);
  const jid = tx.insert(
    `INSERT INTO job (qid, id, state, rank, seq, prio, due, ts, delay, dedup,
      rjk, parent_q, parent_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[qid, id, state, rank, isFirst ? -seq : seq, prio, due, ts],
    ...[moment(delay), opts.deduplication?.id, rjk],
    ...[parent?.queueKey, parent?.id],
  );
  tx.run(
    'INSERT INTO body (jid, name, data, opts, parent) VALUES (?, ?, ?, ?, ?)',
    ...[jid, name, data ?? '{}', JSON.stringify(opts, withoutNull)],
    parent && JSON.stringify(parent),
  );
  const order = isFirst ? -seq : seq;
  tx.lists.add({ qid, jid, state, rank, seq: order, due, fin: null }, 1);
  tx.emit(qid, 'added', 'jobId', id, 'name', name);
  if (state === State.Delayed) {
    tx.emit(qid, 'delayed', 'jobId', id, 'delay', due);
  } else {
    tx.emit(qid, children ? 'waiting-children' : 'waiting', 'jobId', id);
  }
}

function dueOf(state, ts, delay) {
  if (state === State.Delayed) return moment(ts + delay);
  return state === State.WaitingChildren ? ts : null;
}

/** @returns {string} the next number of the queue, as an id */
function nextId(tx, qid) {
  const row = tx.get(
    'UPDATE queue SET last_id = last_id + 1 WHERE qid = ? RETURNING last_id',
    qid,
  );
  return String(row.last_id);
}

/**
 * Counts a job where it will be, no more where it is. The row that a caller has
 * may be old: what it did meanwhile may have moved the job.
 */
function relist(tx, { jid, qid }, place) {
  tx.lists.add({ jid, qid, ...placeIn(tx, jid) }, -1);
  tx.lists.add({ jid, qid, ...place }, 1);
}

const placeIn = (tx, jid) =>
  tx.get('SELECT state, rank, seq, due, fin FROM job WHERE jid = ?', jid);

/**
 * Puts a job into the list of waiting ones.
 *
 * @param {{ rank?: number, front?: boolean }} [place] `rank` 0 is the list
 *   `wait`, which comes before all priorities
 */
function enqueue(tx, job, { rank = job.prio, front = false } = {}) {
  const seq = tx.nextSeq();
  const place = { state: State.Waiting, rank, seq: front ? -seq : seq };
  relist(tx, job, place);
  tx.run(
    `UPDATE job SET state = 0, rank = ?, seq = ?, due = NULL, fin = NULL,
      lock = NULL, lock_until = NULL, stalled = 0 WHERE jid = ?`,
    ...[rank, place.seq, job.jid],
  );
  tx.touch(job.qid);
}

/** Delays a job until a time. */
function postpone(tx, job, time) {
  const due = moment(time);
  const seq = tx.nextSeq();
  relist(tx, job, { state: State.Delayed, due, seq });
  tx.run(
    `UPDATE job SET state = 4, due = ?, seq = ?, lock = NULL,
      lock_until = NULL, stalled = 0 WHERE jid = ?`,
    ...[due, seq, job.jid],
  );
  tx.emit(job.qid, 'delayed', 'jobId', job.id, 'delay', due);
}

/** Delayed jobs whose time has come wait; as many as one step may take. */
function promoteDue(tx, qid, now) {
  if (tx.firstDue(qid) > now) return;
  const due = tx.all(
    `SELECT jid, qid, id, prio FROM job
      WHERE qid = ? AND state = 4 AND due <= ? ORDER BY due, seq LIMIT 1000`,
    ...[qid, now],
  );
  for (const job of due) {
    enqueue(tx, job);
    tx.run('UPDATE job SET delay = 0 WHERE jid = ?', job.jid);
    tx.emit(qid, 'waiting', 'jobId', job.id, 'prev', 'delayed');
  }
  tx.forgetDue(qid);
}

/**
 * Removes a job's rows, and nothing that others know of it.
 *
 * @returns {{ state: number, rank: number } | undefined} where it was;
 *   undefined: it has gone with another
 */
function erase(tx, job) {
  const row = tx.get(
    'DELETE FROM job WHERE jid = ? RETURNING jid, qid, state, rank, seq, due, fin',
    job.jid,
  );
  if (row !== undefined) tx.lists.add(row, -1);
  tx.run('DELETE FROM body WHERE jid = ?', job.jid);
  tx.run('DELETE FROM log WHERE jid = ?', job.jid);
  if (job.kids !== 0) {
    tx.run(
      'DELETE FROM dep WHERE parent_q = ? AND parent_id = ?',
      ...[tx.queueName(job.qid), job.id],
    );
  }
  return row;
}

/** A parent waits for a child that is there. */
function link(tx, parent, childQueue, childId) {
  tx.run(
    `INSERT INTO dep (parent_q, parent_id, child_q, child_id)
      VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET status = ${Child.Pending}`,
    ...[parent.queueKey, parent.id, childQueue, childId],
  );
  hasKids(tx, parent);
}

function hasKids(tx, parent) {
  tx.run(
    'UPDATE job SET kids = 1 WHERE qid = ? AND id = ? AND kids = 0',
    ...[tx.queueIfThere(parent.queueKey), parent.id],
  );
}

module.exports = {
  enqueue,
  erase,
  find,
  findIn,
  hasKids,
  insertJob,
  keyOf,
  link,
  moment,
  nextId,
  postpone,
  promoteDue,
  relist,
  toJson,
  whole,
};
