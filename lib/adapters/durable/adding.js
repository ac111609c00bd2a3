'use strict';

const { Job, textOf } = require('./job.js');
const { State } = require('./schema.js');

const backoffOf = (backoff) =>
  typeof backoff === 'number' ? { type: 'fixed', delay: backoff } : backoff;

/**
 * Prepares the row of a job, without its place.
 *
 * @throws {TypeError | Error} data that is no JSON, or too long
 */
function prepareJob(name, data, { jobId, repeat, ...options }) {
  const text = textOf(data === undefined ? {} : data);
  const { sizeLimit, delay = 0, priority = 0 } = options;
  if (sizeLimit && Buffer.byteLength(text) > sizeLimit) {
    throw new Error(
      `The size of job ${name} exceeds the limit ${sizeLimit} bytes`,
    );
  }
  const timestamp = options.timestamp ?? Date.now();
  const opts = { attempts: 0, ...options };
  if (opts.backoff !== undefined) opts.backoff = backoffOf(opts.backoff);
  if (jobId !== undefined) opts.jobId = jobId;
  if (repeat !== undefined) opts.repeat = repeat;
  return {
    ...{ name, data, text, opts, jobId, delay, priority, timestamp },
    optsText: JSON.stringify(opts),
    runAt: delay > 0 ? timestamp + delay : 0,
  };
}

/**
 * Writes a prepared job, unless its id exists. REQUIRES: a transaction.
 *
 * @returns {string} its id
 */
function insertJob(base, job, repeatKey = null) {
  const { sql } = base.store;
  const place = base.nextPlace();
  const id = job.jobId ?? String(place);
  sql.add.run(
    base.name,
    id,
    job.name,
    job.text,
    job.optsText,
    job.runAt > 0 ? State.Delayed : State.Waiting,
    job.priority,
    job.opts.lifo ? -place : place,
    job.runAt,
    job.timestamp,
    repeatKey,
  );
  return id;
}

/** The job as its adder sees it. */
function addedJob(base, id, { name, data, opts, delay, priority, timestamp }) {
  return new Job(base, {
    ...{ id, name, data, opts, delay, priority, timestamp },
    progress: 0,
    returnvalue: null,
    stacktrace: [],
    attemptsMade: 0,
    attemptsStarted: 0,
    stalledCounter: 0,
  });
}

module.exports = { addedJob, insertJob, prepareJob };
