'use strict';

const { textOf } = require('./job.js');

/** Default maximum of finished jobs that one settling removes. */
const KEEP_LIMIT = 1000;
const MS_PER_SECOND = 1000;
const STALLED_TEXT = 'job stalled more than allowable limit';

function missingLock(id, operation) {
  return new Error(`Missing lock for job ${id}. ${operation}`);
}

/**
 * Applies removeOnComplete or removeOnFail to a job that has just ended.
 *
 * @param {'completed' | 'failed'} state
 * @param {boolean | number | object | undefined} keep the job's
 * @param {boolean | number | object | undefined} ofWorker where it has none
 */
function keepFinished(base, id, state, keep, ofWorker) {
  const rule = keep ?? ofWorker;
  if (rule === undefined || rule === false) return;
  const { sql } = base.store;
  if (rule === true || rule === 0 || rule.count === 0) {
    sql.removeSettled.run(base.name, id);
    return;
  }
  const {
    count,
    age,
    limit = KEEP_LIMIT,
  } = typeof rule === 'number' ? { count: rule } : rule;
  if (age !== undefined) {
    const before = Date.now() - age * MS_PER_SECOND;
    sql[`${state}Before`].run(base.name, before, limit);
  }
  if (count !== undefined) sql[`${state}Beyond`].run(base.name, limit, count);
}

/**
 * complete() and fail() require a transaction. They throw before they write if
 * another worker holds the lock, because that one decides the outcome.
 */
function complete(worker, job, token, result) {
  const { sql } = worker.store;
  const now = Date.now();
  const { changes } = sql.complete.run(result, now, worker.name, job.id, token);
  if (Number(changes) !== 1) throw missingLock(job.id, 'moveToFinished');
  const { removeOnComplete } = job.opts;
  const ofWorker = worker.opts.removeOnComplete;
  keepFinished(worker, job.id, 'completed', removeOnComplete, ofWorker);
  return now;
}

/** @param {{ message: string, stack: string, retryAt?: number }} failure */
function fail(worker, job, token, { message, stack, retryAt }) {
  const { sql } = worker.store;
  const now = Date.now();
  const owned = [worker.name, job.id, token];
  if (sql.isOwned.get(...owned) === undefined) {
    throw missingLock(job.id, 'moveToFinished');
  }
  if (retryAt === undefined) {
    sql.fail.run(message, stack, now, ...owned);
    const { removeOnFail } = job.opts;
    keepFinished(
      worker,
      job.id,
      'failed',
      removeOnFail,
      worker.opts.removeOnFail,
    );
    return now;
  }
  if (retryAt > now) sql.retryLater.run(message, stack, retryAt, ...owned);
  else sql.retryNow.run(message, stack, worker.nextPlace(), ...owned);
  return undefined;
}

/** The stacks of its attempts, the newest last. */
function stacksOf(job, error) {
  const limit = job.opts.stackTraceLimit ?? Infinity;
  const stacks = [...job.stacktrace, error.stack ?? String(error)];
  job.stacktrace = limit === Infinity ? stacks : stacks.slice(0, limit);
  return textOf(job.stacktrace);
}

/**
 * Takes back jobs whose lock has expired, because their process is gone or
 * could not renew it. REQUIRES: a transaction.
 *
 * @returns {{ stalled: object[], failed: object[] }} rows
 */
function takeBackStalled(worker) {
  const { sql } = worker.store;
  const now = Date.now();
  const stalled = sql.expired.all(worker.name, now);
  const failed = [];
  for (const row of stalled) {
    if (row.stalled + 1 > worker.opts.maxStalledCount) {
      sql.failStalled.run(STALLED_TEXT, now, row.seq);
      const { removeOnFail } = JSON.parse(row.opts);
      keepFinished(
        worker,
        row.id,
        'failed',
        removeOnFail,
        worker.opts.removeOnFail,
      );
      failed.push({ ...row, failed_reason: STALLED_TEXT, finished_on: now });
    } else {
      sql.stall.run(-worker.nextPlace(), row.seq);
    }
  }
  return { stalled, failed };
}

module.exports = { complete, fail, stacksOf, takeBackStalled };
