'use strict';

const { isMaxed, limitMs, limiterOf } = require('./claim.js');
const { find, findIn, toJson, whole } = require('./jobs.js');
const { LISTS } = require('./lists.js');
const { count, countBelow, idsFrom } = require('./marks.js');
const { Child, State, stateOf } = require('./states.js');

/** Stands for no queue. */
const NONE = -1;
/** These are lists with the newest job first on Redis. */
const NEWEST_FIRST = ['wait', 'active'];

const typeOf = (name) => (name === 'waiting' ? 'wait' : name);
const qidOf = (tx, queue) => tx.queueIfThere(queue) ?? NONE;
const jobOf = (tx, queue, id) => find(tx, qidOf(tx, queue), id);

function getState(tx, { queue, id }) {
  const job = jobOf(tx, queue, id);
  return job === undefined ? 'unknown' : stateOf(job);
}

function isJobInState(tx, { queue, id, state }) {
  const known = getState(tx, { queue, id });
  return known === (state === 'wait' ? 'waiting' : state);
}

function getJobData(tx, { queue, id }) {
  const job = jobOf(tx, queue, id);
  return job && toJson(whole(tx, job.jid));
}

/** @returns {[number, string?]} 0: not yet, 1: completed, 2: failed, -1: gone */
function isFinished(tx, { queue, id }) {
  const job = jobOf(tx, queue, id);
  if (job === undefined) {
    return [-1, `Missing key for job ${queue}:${id}. isFinished`];
  }
  if (job.state === State.Completed) {
    return [1, whole(tx, job.jid).ret ?? 'null'];
  }
  if (job.state === State.Failed) return [2, whole(tx, job.jid).failed ?? ''];
  return [0];
}

function getIsMaxed(tx, { queue }) {
  const qid = tx.queueIfThere(queue);
  return qid !== undefined && isMaxed(tx, qid);
}

/** @returns {number} milliseconds; -2: nothing limits, as Redis' PTTL says it */
function getRateLimitTtl(tx, { queue, max, now }) {
  const qid = tx.queueIfThere(queue);
  if (qid === undefined) return max ? 0 : -2;
  const bound = max || Number(tx.meta(qid).max);
  if (bound) return limitMs(tx, qid, bound, now);
  return limiterOf(tx, qid, now).left || -2;
}

function getCounts(tx, { queue, types, delayedUntil }) {
  const qid = qidOf(tx, queue);
  return types.map((name) => {
    if (name === 'repeat') return schedulers(tx, qid);
    const type = LISTS[typeOf(name)];
    if (type === undefined) return 0;
    if (name === 'delayed' && delayedUntil !== undefined) {
      return countBelow(tx, qid, type, delayedUntil);
    }
    return count(tx, qid, type);
  });
}

const schedulers = (tx, qid) =>
  tx.get('SELECT COUNT(*) AS n FROM scheduler WHERE qid = ?', qid).n;

function getCountsPerPriority(tx, { queue, priorities }) {
  const qid = qidOf(tx, queue);
  const below = (rank) => countBelow(tx, qid, LISTS.prioritized, rank);
  return priorities.map((rank) =>
    rank === 0 ? count(tx, qid, LISTS.wait) : below(rank + 1) - below(rank),
  );
}

/** Indexes as of Redis' ranges: -1 is the last one. */
function span(start, end, total) {
  const first = start < 0 ? Math.max(total + start, 0) : start;
  const last = end < 0 ? total + end : Math.min(end, total - 1);
  return { first, length: Math.max(last - first + 1, 0) };
}

/** Ids in their order, or in the other. */
function idsBetween(tx, qid, type, { start, end, asc }) {
  const total = count(tx, qid, type);
  const { first, length } = span(start, end, total);
  if (length === 0) return [];
  if (asc) return idsFrom(tx, qid, type, first, length);
  return idsFrom(tx, qid, type, total - first - length, length).reverse();
}

/** @returns {string[][]} ids of each type; lists come newest first, always */
function getRanges(tx, { queue, types, start, end, asc }) {
  const qid = qidOf(tx, queue);
  return types.map((name) => {
    const type = LISTS[typeOf(name)];
    if (type === undefined) return [];
    const ids = idsBetween(tx, qid, type, { start, end, asc });
    return asc && NEWEST_FIRST.includes(typeOf(name)) ? ids.reverse() : ids;
  });
}

function getJobLogs(tx, { queue, id, start, end, asc }) {
  const job = jobOf(tx, queue, id);
  if (job === undefined) return { logs: [], count: 0 };
  const { n } = tx.get('SELECT COUNT(*) AS n FROM log WHERE jid = ?', job.jid);
  const { first, length } = span(start, end, n);
  const rows = tx.all(
    `SELECT line FROM log WHERE jid = ? ORDER BY n ${asc ? 'ASC' : 'DESC'}
      LIMIT ? OFFSET ?`,
    ...[job.jid, length, first],
  );
  return { logs: rows.map(({ line }) => line), count: n };
}

const STATUS = {
  processed: Child.Processed,
  unprocessed: Child.Pending,
  ignored: Child.Ignored,
  failed: Child.Failed,
};
const OF_PARENT =
  'FROM dep WHERE parent_q = ? AND parent_id = ? AND status = ?';

/** @returns {{ key: string, value: string | null }[]} children of one status */
function childrenOf(tx, queue, id, status, start = 0, limit = -1) {
  const rows = tx.all(
    `SELECT child_q, child_id, value ${OF_PARENT}
      ORDER BY child_q, child_id LIMIT ? OFFSET ?`,
    ...[queue, id, status, limit, start],
  );
  return rows.map(({ child_q, child_id, value }) => ({
    ...{ key: `${child_q}:${child_id}`, queue: child_q, id: child_id, value },
  }));
}

const countChildren = (tx, queue, id, status) =>
  tx.get(`SELECT COUNT(*) AS n ${OF_PARENT}`, queue, id, status).n;

function getDependencyCounts(tx, { queue, id, types }) {
  return types.map((type) =>
    countChildren(tx, queue, id, STATUS[type] ?? Child.Failed),
  );
}

/** @returns {Record<string, string>} values by the children's keys */
const valuesOf = (children) =>
  Object.fromEntries(children.map(({ key, value }) => [key, value]));

const getChildrenValues = (tx, { queue, id, status }) =>
  valuesOf(childrenOf(tx, queue, id, status));

/**
 * @param {{ queue: string, id: string, pages: Record<string, { cursor: number,
 *   count: number }> | undefined }} given undefined: all of all kinds
 * @returns {Record<string, { children: object[], next: number }>}
 */
function getDependencies(tx, { queue, id, pages }) {
  const found = {};
  for (const [name, status] of Object.entries(STATUS)) {
    const page = pages === undefined ? { cursor: 0, count: -1 } : pages[name];
    if (page === undefined) continue;
    const { cursor, count: limit } = page;
    const children = childrenOf(tx, queue, id, status, cursor, limit);
    const total = countChildren(tx, queue, id, status);
    const end = cursor + children.length;
    found[name] = { children, next: end < total ? end : 0 };
  }
  return found;
}

/** A page of the children that are processed, or that are waited for. */
function paginate(tx, { queue, id, status, start, end, withJobs }) {
  const total = countChildren(tx, queue, id, status);
  const { first, length } = span(start, end, total);
  const children = childrenOf(tx, queue, id, status, first, length);
  const jobs = withJobs
    ? children
        .map((child) => findIn(tx, child.queue, child.id))
        .filter((job) => job !== undefined)
        .map((job) => toJson(whole(tx, job.jid)))
    : [];
  return { children, total, jobs };
}

module.exports = {
  getChildrenValues,
  getCounts,
  getCountsPerPriority,
  getDependencies,
  getDependencyCounts,
  getIsMaxed,
  getJobData,
  getJobLogs,
  getRanges,
  getRateLimitTtl,
  getState,
  isFinished,
  isJobInState,
  paginate,
};
