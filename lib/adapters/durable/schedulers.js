'use strict';

const {
  checkNumber,
  checkType,
  readOptions,
} = require('../engines/read-options.js');
const { insertJob, prepareJob } = require('./adding.js');

const KNOWN = ['every', 'pattern', 'tz', 'limit', 'startDate', 'endDate'];

function timeOf(name, value) {
  if (value === undefined) return undefined;
  const time = new Date(value).getTime();
  if (Number.isFinite(time)) return time;
  throw new TypeError(`upsertJobScheduler ${name} must be a date.`);
}

function readRepeat(given) {
  const subject = 'upsertJobScheduler';
  const options = readOptions(subject, given, KNOWN);
  const { every, pattern } = options;
  checkNumber(subject, 'every', every, 1);
  checkNumber(subject, 'limit', options.limit, 1);
  checkType(subject, 'pattern', pattern, 'string');
  checkType(subject, 'tz', options.tz, 'string');
  if ((every === undefined) === (pattern === undefined)) {
    throw new TypeError(`${subject} needs either every or pattern.`);
  }
  return {
    ...options,
    startDate: timeOf('startDate', options.startDate),
    endDate: timeOf('endDate', options.endDate),
  };
}

/** The package is the one that BullMQ reads patterns with. */
function cronAfter(time, { pattern, tz }) {
  let parser;
  try {
    parser = require('cron-parser');
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    throw new Error(
      'A cron pattern needs the package cron-parser: npm install cron-parser.',
    );
  }
  const options = { currentDate: new Date(time), tz };
  const { CronExpressionParser } = parser;
  return CronExpressionParser.parse(pattern, options).next().getTime();
}

/**
 * @param {object} repeat of readRepeat()
 * @param {number} iteration from 1
 * @param {number} [previous] due time of the previous iteration
 * @returns {number | undefined} due time; undefined after the last one
 */
function dueAt(repeat, iteration, previous) {
  if (repeat.limit !== undefined && iteration > repeat.limit) return undefined;
  const now = Date.now();
  const from = Math.max(now, previous ?? repeat.startDate ?? 0);
  let due;
  if (repeat.pattern !== undefined) due = cronAfter(from, repeat);
  else
    due = previous === undefined ? from : nextSlot(previous, repeat.every, now);
  return repeat.endDate !== undefined && due > repeat.endDate ? undefined : due;
}

/** Skips slots that have passed. */
function nextSlot(previous, every, now) {
  const missed = Math.floor(Math.max(0, now - previous) / every);
  return previous + (missed + 1) * every;
}

function addIteration(base, { key, name, data, opts, repeat }, due) {
  const now = Date.now();
  const job = prepareJob(name, data, {
    ...opts,
    repeat,
    jobId: `repeat:${key}:${due}`,
    timestamp: now,
    delay: Math.max(0, due - now),
  });
  return [insertJob(base, job, key), job];
}

/** REQUIRES: a transaction. @returns {[id: string, job: object] | undefined} */
function upsert(base, { key, name, data, opts, repeat }) {
  const { sql } = base.store;
  const due = dueAt(repeat, 1);
  sql.removeScheduled.run(base.name, key);
  if (due === undefined) {
    sql.removeScheduler.run(base.name, key);
    return undefined;
  }
  sql.upsertScheduler.run(
    base.name,
    key,
    name,
    JSON.stringify(data ?? {}),
    JSON.stringify(opts),
    JSON.stringify(repeat),
    due,
    1,
  );
  return addIteration(base, { key, name, data, opts, repeat }, due);
}

/**
 * Adds a scheduler's next job in the transaction in which its current one
 * begins, so that there is exactly one.
 */
function addNext(base, key) {
  const { sql } = base.store;
  const row = sql.scheduler.get(base.name, key);
  if (row === undefined) return;
  const repeat = JSON.parse(row.repeat);
  const iterations = row.iterations + 1;
  const due = dueAt(repeat, iterations, row.next);
  if (due === undefined) {
    sql.removeScheduler.run(base.name, key);
    return;
  }
  const words = [row.name, row.data, row.opts, row.repeat, due, iterations];
  sql.upsertScheduler.run(base.name, key, ...words);
  const data = JSON.parse(row.data);
  const opts = JSON.parse(row.opts);
  addIteration(base, { key, name: row.name, data, opts, repeat }, due);
}

/** The same shape as from BullMQ's getJobScheduler(). */
function schedulerOf({ key, name, data, opts, repeat, next, iterations }) {
  return {
    ...{ key, name, next, iterationCount: iterations },
    ...JSON.parse(repeat),
    template: { data: JSON.parse(data), opts: JSON.parse(opts) },
  };
}

module.exports = { addNext, readRepeat, schedulerOf, upsert };
