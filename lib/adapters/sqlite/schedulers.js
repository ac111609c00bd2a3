'use strict';

const { remove } = require('./finish.js');
const { erase, find, insertJob, nextId } = require('./jobs.js');
const { Code, refuse } = require('./refusals.js');
const { State } = require('./states.js');

/** Slots that are tried for the next job of an interval. */
const MAX_SLOTS = 32;
const KEPT = ['tz', 'limit', 'pattern', 'startDate', 'endDate', 'every'];

const jobIdOf = (sid, time) => `repeat:${sid}:${time}`;

function findScheduler(tx, qid, sid) {
  const row = tx.get(
    'SELECT next, fields FROM scheduler WHERE qid = ? AND sid = ?',
    ...[qid, sid],
  );
  return row && { next: row.next, fields: JSON.parse(row.fields) };
}

function storeScheduler(tx, qid, sid, next, fields) {
  tx.run(
    `INSERT INTO scheduler VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE
      SET next = excluded.next, fields = excluded.fields`,
    ...[qid, sid, next, JSON.stringify(fields)],
  );
}

/** @returns {boolean} whether the job is the next one of its scheduler */
function isNextOfScheduler(tx, { qid, id, rjk }) {
  if (rjk === null) return false;
  const row = tx.get(
    'SELECT next FROM scheduler WHERE qid = ? AND sid = ?',
    ...[qid, rjk],
  );
  return row !== undefined && id === jobIdOf(rjk, row.next);
}

const alignedAfter = (now, every, offset) => {
  const time = Math.floor(now / every) * every + offset;
  return time <= now ? time + every : time;
};

function firstTime({ every, now, offset, startDate }) {
  if (startDate !== undefined) return Math.max(Number(startDate), now);
  return offset > 0 ? alignedAfter(now, every, offset) : now;
}

/**
 * The next time of an interval, and its offset from the interval's slots.
 *
 * @param {{ previous?: number, every: number, now: number, offset: number,
 *   startDate?: number | string }} given
 * @returns {{ next: number, offset: number }}
 */
function nextOfInterval(given) {
  const { previous, every, now, offset } = given;
  let next = previous === undefined ? firstTime(given) : previous + every;
  // Times that were missed are not made up for.
  if (previous !== undefined && next < now) {
    next = alignedAfter(now, every, offset);
  }
  const ownOffset = offset || next - Math.floor(next / every) * every;
  return { next: Math.floor(next), offset: Math.floor(ownOffset) };
}

function addIteration(tx, qid, { sid, id, name, data, opts, now, delay }) {
  nextId(tx, qid);
  insertJob(tx, qid, {
    ...{ id, name, data, ts: now, rjk: sid },
    opts: { ...opts, delay, jobId: id },
  });
}

/** Removes the scheduler's next job, unless it is under way. */
function removeNext(tx, qid, sid, time) {
  const job = find(tx, qid, jobIdOf(sid, time));
  if (job === undefined) return false;
  // A job in the list of a paused queue stays, as on Redis.
  const isWaiting =
    job.state === State.Waiting &&
    (job.rank > 0 || tx.meta(qid).paused === undefined);
  if (job.state !== State.Delayed && !isWaiting) return false;
  remove(tx, job);
  return true;
}

function freeSlot(tx, qid, sid, first, every) {
  let next = first;
  for (let slot = 0; slot < MAX_SLOTS; slot++) {
    next += every;
    if (find(tx, qid, jobIdOf(sid, next)) === undefined) return next;
  }
  return refuse(Code.SchedulerSlotsBusy);
}

function fieldsOf({ opts, data, templateOpts, offset, old }) {
  const fields = { name: opts.name };
  for (const name of KEPT) {
    if (opts[name] !== undefined && opts[name] !== null) {
      fields[name] = String(opts[name]);
    }
  }
  const kept = offset ?? old?.offset;
  if (kept !== undefined) fields.offset = String(kept);
  const template = JSON.stringify(templateOpts ?? {});
  if (template !== '{}') fields.opts = template;
  if (data && data !== '{}') fields.data = data;
  fields.ic = old?.ic ?? '1';
  return fields;
}

/** The scheduler's next time, before it is known which times are taken. */
function plan({ nextMillis, opts, jobOpts, now }, old) {
  const offset = opts.offset ?? jobOpts.repeat?.offset ?? 0;
  if (!opts.every) return { next: Number(nextMillis), offset, isNew: false };
  const isNew =
    old !== undefined && Number(old.fields.every) !== Number(opts.every);
  const { every, startDate } = opts;
  const previous = isNew ? undefined : old?.next;
  const found = nextOfInterval({ previous, every, now, offset, startDate });
  return { ...found, isNew };
}

/**
 * Makes or changes a scheduler, and adds its next job.
 *
 * @param {Transaction} tx
 * @param {{ queue: string, sid: string, nextMillis: number, data: string,
 *   templateOpts: object, opts: object, jobOpts: object, now: number }} given
 * @returns {[string, number]} the job's id and delay
 */
function addJobScheduler(tx, given) {
  const { sid, opts, data, templateOpts, jobOpts, now } = given;
  const qid = tx.queue(given.queue);
  const old = findScheduler(tx, qid, sid);
  const planned = plan(given, old);
  const isReplaced = old !== undefined && removeNext(tx, qid, sid, old.next);
  // An unchanged one keeps its time, however often it is set.
  const keepsTime = isReplaced && opts.every && !planned.isNew;
  let next = keepsTime ? old.next : planned.next;
  if (find(tx, qid, jobIdOf(sid, next)) !== undefined) {
    if (opts.every) next = freeSlot(tx, qid, sid, next, Number(opts.every));
    else if (isReplaced) remove(tx, find(tx, qid, jobIdOf(sid, next)));
    else refuse(Code.SchedulerCollision);
  }
  const offset = isReplaced ? opts.offset : planned.offset;
  const fields = fieldsOf({
    ...{ opts, data, templateOpts, offset, old: old?.fields },
  });
  storeScheduler(tx, qid, sid, next, fields);
  const id = jobIdOf(sid, next);
  const delay = Math.max(next - now, 0);
  addIteration(tx, qid, {
    ...{ sid, id, name: opts.name, data, opts: jobOpts, now, delay },
  });
  return [id, delay];
}

/**
 * Adds the job after the one that runs now. Only that one may, so two that run
 * late do not make two.
 *
 * @returns {string | null} the id of the next job
 */
function updateJobScheduler(tx, given) {
  const { queue, sid, nextMillis, jobOpts, producerId, now } = given;
  const qid = tx.queue(queue);
  const old = findScheduler(tx, qid, sid);
  if (old === undefined) return null;
  if (producerId !== jobIdOf(sid, old.next)) return null;
  const { fields } = old;
  const every = Number(fields.every ?? jobOpts.repeat?.every) || 0;
  const offset = Number(fields.offset ?? jobOpts.repeat?.offset ?? 0);
  const { startDate } = fields;
  const next = every
    ? nextOfInterval({ previous: old.next, every, now, offset, startDate }).next
    : Number(nextMillis);
  const id = jobIdOf(sid, next);
  if (find(tx, qid, id) !== undefined) {
    tx.emit(qid, 'duplicated', 'jobId', id);
    return null;
  }
  fields.ic = String(Number(fields.ic) + 1);
  storeScheduler(tx, qid, sid, next, fields);
  addIteration(tx, qid, {
    ...{ sid, id, name: fields.name, data: fields.data ?? '{}' },
    ...{ opts: jobOpts, now, delay: Math.max(next - now, 0) },
  });
  return id;
}

/** @returns {number} 0: removed, 1: there is none */
function removeJobScheduler(tx, { queue, sid }) {
  const qid = tx.queue(queue);
  const row = tx.get(
    'DELETE FROM scheduler WHERE qid = ? AND sid = ? RETURNING next',
    ...[qid, sid],
  );
  if (row === undefined) return 1;
  const job = find(tx, qid, jobIdOf(sid, row.next));
  if (job?.state === State.Delayed) {
    erase(tx, job);
    tx.emit(qid, 'removed', 'jobId', job.id, 'prev', 'delayed');
  }
  return 0;
}

/** @returns {[string[] | null, string | null]} names and values by turns */
function getJobScheduler(tx, { queue, sid }) {
  const found = schedulerIn(tx, queue, sid);
  if (found === undefined) return [null, null];
  return [Object.entries(found.fields).flat(), String(found.next)];
}

function schedulerIn(tx, queue, sid) {
  const qid = tx.queueIfThere(queue);
  return qid === undefined ? undefined : findScheduler(tx, qid, sid);
}

const isJobScheduler = (tx, { queue, sid }) =>
  schedulerIn(tx, queue, sid) !== undefined;

const getJobSchedulerData = (tx, { queue, sid }) =>
  schedulerIn(tx, queue, sid)?.fields ?? {};

/** @returns {string[]} ids and times by turns */
function getJobSchedulersRange(tx, { queue, start, end, asc }) {
  const order = asc ? 'ASC' : 'DESC';
  const rows = tx.all(
    `SELECT sid, next FROM scheduler WHERE qid = ?
      ORDER BY next ${order}, sid ${order} LIMIT ? OFFSET ?`,
    ...[tx.queueIfThere(queue) ?? null, end < 0 ? -1 : end - start + 1],
    Math.max(start, 0),
  );
  return rows.flatMap(({ sid, next }) => [sid, String(next)]);
}

const getJobSchedulersCount = (tx, { queue }) =>
  tx.get(
    'SELECT COUNT(*) AS n FROM scheduler WHERE qid = ?',
    tx.queueIfThere(queue) ?? null,
  ).n;

module.exports = {
  addJobScheduler,
  getJobScheduler,
  getJobSchedulerData,
  getJobSchedulersCount,
  getJobSchedulersRange,
  isJobScheduler,
  isNextOfScheduler,
  removeJobScheduler,
  updateJobScheduler,
};
