'use strict';

const path = require('node:path');
const { fileURLToPath } = require('node:url');

const {
  checkNumber,
  checkType,
  readOptions,
} = require('../engines/read-options.js');
const { positiveInteger } = require('../../base/validate.js');

const INSTEAD =
  ' sloppy-workers/durable has a part of BullMQ; see docs/durable.md.';
const MAX_PRIORITY = 2 ** 21;

const ONE_OF = {
  synchronous: ['full', 'normal'],
  driver: ['node', 'better-sqlite3'],
};

function checkOneOf(name, value) {
  if (value === undefined || ONE_OF[name].includes(value)) return value;
  throw new TypeError(
    `connection.${name} must be one of ${ONE_OF[name].join(', ')}.`,
  );
}

/** @returns {object} frozen; settings for Store.acquire */
function readConnection(given) {
  if (given === undefined || given === null) {
    throw new TypeError(
      "connection is missing: connection: { file: 'jobs.db' }.",
    );
  }
  const options = readOptions(
    'connection',
    given,
    ['file', 'synchronous', 'driver', 'pollMs', 'busyTimeoutMs'],
    ' A server is for bullmq itself: import { Queue, Worker } from it.',
  );
  const { file } = options;
  const isFile =
    (typeof file === 'string' && file !== '') || file instanceof URL;
  if (!isFile) throw new TypeError('connection.file must be a path.');
  return Object.freeze({
    file: file instanceof URL ? fileURLToPath(file) : path.resolve(file),
    synchronous: checkOneOf('synchronous', options.synchronous) ?? 'full',
    driver: checkOneOf('driver', options.driver),
    pollMs: positiveInteger('connection.pollMs', options.pollMs, 50),
    busyTimeoutMs:
      checkNumber('connection', 'busyTimeoutMs', options.busyTimeoutMs) ??
      10_000,
  });
}

const JOB_OPTIONS = [
  'attempts',
  'backoff',
  'delay',
  'keepLogs',
  'lifo',
  'priority',
  'removeOnComplete',
  'removeOnFail',
  'sizeLimit',
  'stackTraceLimit',
  'timestamp',
];

const KEEP = ['age', 'count', 'limit'];

/** `true`, a count, or `{ age, count, limit }`; `age` is in seconds. */
function checkKeep(subject, name, value) {
  if (value === undefined || typeof value === 'boolean') return;
  if (typeof value === 'number') {
    checkNumber(subject, name, value);
    return;
  }
  const keep = readOptions(`${subject} ${name}`, value, KEEP);
  for (const field of KEEP)
    checkNumber(`${subject} ${name}`, field, keep[field]);
}

function checkBackoff(subject, backoff) {
  if (backoff === undefined || typeof backoff === 'number') {
    checkNumber(subject, 'backoff', backoff);
    return;
  }
  const known = ['type', 'delay', 'jitter'];
  const { type, delay, jitter } = readOptions(
    `${subject} backoff`,
    backoff,
    known,
  );
  if (typeof type !== 'string') {
    throw new TypeError(`${subject} backoff.type must be a string.`);
  }
  checkNumber(subject, 'backoff.delay', delay);
  checkNumber(subject, 'backoff.jitter', jitter);
  if (jitter > 1) throw new Error('Jitter should be between 0 and 1');
}

function checkJobOptions(subject, options) {
  for (const name of [
    'attempts',
    'delay',
    'keepLogs',
    'sizeLimit',
    'stackTraceLimit',
    'timestamp',
  ]) {
    checkNumber(subject, name, options[name]);
  }
  const { priority } = options;
  if (priority !== undefined) {
    const fits =
      Number.isInteger(priority) && priority >= 0 && priority <= MAX_PRIORITY;
    if (!fits) {
      throw new TypeError(
        `${subject} priority must be an integer from 0 to ${MAX_PRIORITY}.`,
      );
    }
  }
  checkType(subject, 'lifo', options.lifo, 'boolean');
  checkBackoff(subject, options.backoff);
  checkKeep(subject, 'removeOnComplete', options.removeOnComplete);
  checkKeep(subject, 'removeOnFail', options.removeOnFail);
}

/** Checks an id of the user's, which must differ from generated ids. */
function checkJobId(subject, jobId) {
  if (jobId === undefined) return;
  if (typeof jobId !== 'string' || jobId === '') {
    throw new TypeError(`${subject} jobId must be a string.`);
  }
  if (/^\d+$/.test(jobId)) throw new Error('Custom Id cannot be integers');
  if (jobId.includes(':')) throw new Error('Custom Id cannot contain :');
}

/** @returns {object} a plain object; `defaults` must have been read before */
function readJobOptions(subject, given, defaults = {}) {
  const options = readOptions(
    subject,
    given,
    [...JOB_OPTIONS, 'jobId'],
    INSTEAD,
  );
  checkJobOptions(subject, options);
  checkJobId(subject, options.jobId);
  return { ...defaults, ...options };
}

function readDefaults(given) {
  const options = readOptions('defaultJobOptions', given, JOB_OPTIONS, INSTEAD);
  checkJobOptions('defaultJobOptions', options);
  return { ...options };
}

function readQueueOptions(given) {
  const known = ['connection', 'defaultJobOptions'];
  const options = readOptions('Queue', given, known, INSTEAD);
  return {
    connection: readConnection(options.connection),
    defaultJobOptions: readDefaults(options.defaultJobOptions),
  };
}

const WORKER_DEFAULTS = {
  autorun: true,
  concurrency: 1,
  lockDuration: 30_000,
  // BullMQ's 1 fails a job for good whose process ended twice.
  maxStalledCount: 5,
  stalledInterval: 30_000,
  skipLockRenewal: false,
  skipStalledCheck: false,
};
const WORKER_OPTIONS = [
  ...Object.keys(WORKER_DEFAULTS),
  'connection',
  'lockRenewTime',
  'maxStartedAttempts',
  'name',
  'removeOnComplete',
  'removeOnFail',
  'settings',
];

function readWorkerOptions(given) {
  const options = readOptions('Worker', given, WORKER_OPTIONS, INSTEAD);
  for (const name of ['autorun', 'skipLockRenewal', 'skipStalledCheck']) {
    checkType('Worker', name, options[name], 'boolean');
  }
  checkType('Worker', 'name', options.name, 'string');
  for (const name of ['lockDuration', 'lockRenewTime', 'stalledInterval']) {
    checkNumber('Worker', name, options[name], 1);
  }
  checkNumber('Worker', 'maxStalledCount', options.maxStalledCount);
  checkNumber('Worker', 'maxStartedAttempts', options.maxStartedAttempts, 1);
  positiveInteger('Worker concurrency', options.concurrency, 1);
  checkKeep('Worker', 'removeOnComplete', options.removeOnComplete);
  checkKeep('Worker', 'removeOnFail', options.removeOnFail);
  const settings = readOptions(
    'Worker settings',
    options.settings,
    ['backoffStrategy'],
    INSTEAD,
  );
  checkType(
    'Worker settings',
    'backoffStrategy',
    settings.backoffStrategy,
    'function',
  );
  const connection = readConnection(options.connection);
  const opts = { ...WORKER_DEFAULTS, ...options, connection, settings };
  opts.lockRenewTime ??= opts.lockDuration / 2;
  return opts;
}

module.exports = { readJobOptions, readQueueOptions, readWorkerOptions };
