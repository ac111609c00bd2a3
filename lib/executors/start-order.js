'use strict';
// The order in which the jobs of a pool start, as in src/pool/ready_jobs.h.

const { now } = require('../base/primordials.js');

const sort = Function.prototype.call.bind(Array.prototype.sort);

const byPriority = (a, b) => a.priority - b.priority || a.id - b.id;

const byRank = (a, b) => a.rank - b.rank || byPriority(a, b);

// Their difference would not do, because two deadlines may be Infinity.
function byDeadline(a, b) {
  const [first, second] = [a.operation.expiresAt, b.operation.expiresAt];
  if (first !== second) return first < second ? -1 : 1;
  return byPriority(a, b);
}

/** @returns {boolean} whether the jobs of a pool gain priority by waiting */
const ages = ({ agingMs = Infinity }) => agingMs !== Infinity;

/**
 * Gives a job of a pool that `ages` its rank. Which of two jobs is ahead does
 * not change while both wait: a job gains a priority each `agingMs`.
 */
function rank(job, { agingMs }) {
  job.rank = now() + job.priority * agingMs;
}

/**
 * @param {object} settings of a pool or worker
 * @returns {(a: PoolJob, b: PoolJob) => number} negative if `a` starts first
 */
function startOrder(settings) {
  if (settings.order === 'deadline') return byDeadline;
  return ages(settings) ? byRank : byPriority;
}

/** @returns {PoolJob[]} the same array, sorted */
const inStartOrder = (jobs, settings) => sort(jobs, startOrder(settings));

module.exports = { ages, byPriority, inStartOrder, rank, startOrder };
