'use strict';

const { resolve } = require('node:path');

const { withHint } = require('../errors/hint.js');
const { workerError } = require('../protocol/sloppy-worker-error.js');
const { boundListener } = require('../base/bound-listener.js');
const { allowsCodeFromText } = require('../base/code-from-text.js');
const { Carry } = require('../protocol/codec/grammar.js');
const { Code } = require('../protocol/diagnostics.gen.js');
const {
  checkRunTimeoutMs,
  checkTimeoutMs,
  positiveInteger,
} = require('../base/validate.js');
const { readThreadOptions } = require('./thread-options.js');

const MIB = 1024 * 1024;
const DEFAULT_MEMORY_MB = 128;
const MIN_MEMORY_MB = 16;
const MAX_MEMORY_MB = 4096;
const DEFAULT_MICROTASKS = 1_000_000;
const MAX_CAP_BYTES = 1024 * MIB;
const ISOLATIONS = ['worker', 'context', 'isolate'];

/** Out of range -> RESOURCE_LIMIT; not a positive integer -> TypeError. */
function inRange(field, value, least, most) {
  const limit = positiveInteger(field, value);
  if (limit >= least && limit <= most) return limit;
  const range = `${field} must be from ${least} to ${most}`;
  const error = workerError(
    Code.ResourceLimit,
    `worker memory/resource limit exceeded: ${range}`,
  );
  throw withHint(error, range);
}

const memoryLimitMb = (subject, value) =>
  value === undefined
    ? DEFAULT_MEMORY_MB
    : inRange(`${subject}.memoryLimitMb`, value, MIN_MEMORY_MB, MAX_MEMORY_MB);

const cap = (subject, field, value, fallback) =>
  value === undefined
    ? fallback
    : inRange(`${subject}.${field}`, value, 1, MAX_CAP_BYTES);

function isolation(subject, value) {
  if (value === undefined) return 'worker';
  if (!ISOLATIONS.includes(value)) {
    throw new TypeError(
      `${subject}.isolation must be "worker", "context" or "isolate".`,
    );
  }
  return value;
}

function flag(subject, field, value, fallback) {
  if (value === undefined) return fallback;
  if (typeof value !== 'boolean') {
    throw new TypeError(`${subject}.${field} must be a boolean.`);
  }
  return value;
}

function cpuLimitMs(subject, value) {
  if (value === undefined || value === Infinity) return Infinity;
  return positiveInteger(`${subject}.cpuLimitMs`, value);
}

function runTimeoutMs(subject, value) {
  if (value === undefined) return Infinity;
  return checkRunTimeoutMs(`${subject}.runTimeoutMs`, value);
}

/** @returns {string | undefined} an absolute path */
function codeCache(subject, value) {
  if (value === undefined || value === false) return undefined;
  if (typeof value !== 'string' || value === '' || value.includes('\0')) {
    throw new TypeError(
      `${subject}.codeCache must be the path of a directory, or false.`,
    );
  }
  return resolve(value);
}

/** A function of the caller's, for `callListener`. */
function listener(subject, field, value) {
  if (value === undefined) return undefined;
  if (typeof value !== 'function') {
    throw new TypeError(`${subject}.${field} must be a function.`);
  }
  return boundListener(value);
}

const PAYLOADS = { __proto__: null, plain: Carry.PLAINLY, clone: Carry.CLONED };

/** @returns {number} one of Carry */
function carry(subject, value, allowWasm) {
  if (value === undefined) return Carry.PLAINLY;
  const found = typeof value === 'string' ? PAYLOADS[value] : undefined;
  if (found === undefined) {
    throw new TypeError(`${subject}.payload must be "plain" or "clone".`);
  }
  if (found === Carry.CLONED && allowWasm === false) return Carry.CLONED_DATA;
  return found;
}

const RUNTIMES = ['isolate', 'thread'];
// Options that threads of Node's do not support.
const ISOLATES_ONLY = ['cpuLimitMs', 'maxMicrotasks', 'recycleAboveMb'];

function runtime(subject, bag) {
  const { runtime: name = 'isolate' } = bag;
  if (!RUNTIMES.includes(name)) {
    throw new TypeError(`${subject}.runtime must be "isolate" or "thread".`);
  }
  if (name === 'isolate') return name;
  const refused =
    ISOLATES_ONLY.find((field) => (bag[field] ?? Infinity) !== Infinity) ??
    ['allowEval', 'allowWasm'].find((field) => bag[field] === false) ??
    ((bag.codeCache ?? false) === false ? undefined : 'codeCache') ??
    (['context', 'isolate'].includes(bag.isolation) ? 'isolation' : undefined);
  if (refused !== undefined) {
    throw new TypeError(
      `${subject}.${refused} needs isolates: with runtime "thread" Node has ` +
        'no such limit.',
    );
  }
  return name;
}

/**
 * The limits and permissions that pools and workers have in common.
 *
 * @param {string} subject `WorkerPool` or `Worker`, for error texts
 * @param {object} bag from `plainOptions`
 * @throws {TypeError} for a value of the wrong kind
 * @throws {SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED} for one out of range
 */
function readIsolateSettings(subject, bag) {
  const name = runtime(subject, bag);
  return {
    runtime: name,
    carry: carry(subject, bag.payload, bag.allowWasm),
    threadOptions: readThreadOptions(subject, bag, name),
    memoryLimitMb: memoryLimitMb(subject, bag.memoryLimitMb),
    maxPayloadBytes: cap(
      subject,
      'maxPayloadBytes',
      bag.maxPayloadBytes,
      64 * MIB,
    ),
    maxResultBytes: cap(
      subject,
      'maxResultBytes',
      bag.maxResultBytes,
      64 * MIB,
    ),
    maxModuleBytes: cap(subject, 'maxModuleBytes', bag.maxModuleBytes, 8 * MIB),
    codeCache: codeCache(subject, bag.codeCache),
    maxMicrotasks:
      bag.maxMicrotasks === undefined
        ? DEFAULT_MICROTASKS
        : positiveInteger(`${subject}.maxMicrotasks`, bag.maxMicrotasks),
    cancelGraceMs:
      bag.cancelGraceMs === undefined
        ? 0
        : checkTimeoutMs(bag.cancelGraceMs, `${subject}.cancelGraceMs`),
    cpuLimitMs: cpuLimitMs(subject, bag.cpuLimitMs),
    runTimeoutMs: runTimeoutMs(subject, bag.runTimeoutMs),
    rebuildError: listener(subject, 'rebuildError', bag.rebuildError),
    isolation: isolation(subject, bag.isolation),
    allowEval: flag(subject, 'allowEval', bag.allowEval, allowsCodeFromText()),
    allowWasm: flag(subject, 'allowWasm', bag.allowWasm, true),
  };
}

module.exports = { flag, listener, readIsolateSettings };
