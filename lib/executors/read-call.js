'use strict';
// Reads the options of a call, before it is decided whether its job has to be
// an object, see JobSlots.

const { NO_OPERATION, Operation } = require('../admission/operation.js');
const { checkBag, operationOf } = require('../admission/read-operation.js');
const { Call, CallKind } = require('../admission/call.js');
const { PoolJob, readLane, readListener, readMore } = require('./pool-job.js');
const { isSignalCancelled, knownHub } = require('../signals/any-signal.js');
const { smallEncoding, smallKind } = require('../payload/small-values.js');
const { slotLimits } = require('../timers/timer-lists.js');
const { checkTimeoutMs } = require('../base/validate.js');
const { freeze } = require('../base/primordials.js');
const { limitsNow } = require('../base/limits-clock.js');

const NO_OPTIONS = freeze({ __proto__: null });

const { Small, Encoded, Watched } = CallKind;
const call = new Call();

function callOf(kind, encoding) {
  call.kind = kind;
  call.encoding = encoding;
  return call;
}

/**
 * Reads a call: its payload first, then its options.
 *
 * @param {PoolExecutor} pool
 * @param {Admission} admission
 * @param {object} entry of the pool
 * @param {unknown} value
 * @param {object} [options] of the operation, from `ownOptions`
 * @returns {Call} its payload encoded
 * @throws {SloppyWorkerError} for a payload that cannot be sent
 * @throws {SLOPPY_E_WORK_QUEUE_STOPPED}
 * @throws {TypeError} for an option of the wrong kind
 */
function readCall(pool, admission, entry, value, options) {
  const bag = options ?? NO_OPTIONS;
  const { cancelGraceMs, deadline, key, onMessage, priority } = bag;
  const { receipt, signal } = bag;
  const { runTimeoutMs = pool.runMs, timeoutMs, transfer, weight } = bag;
  const isBare =
    cancelGraceMs === undefined &&
    deadline === undefined &&
    key === undefined &&
    onMessage === undefined &&
    priority === undefined &&
    receipt === undefined &&
    runTimeoutMs === Infinity &&
    transfer === undefined &&
    weight === undefined;
  const isPlain = isBare && signal === undefined && timeoutMs === undefined;
  if (isPlain) {
    const kind = smallKind(value);
    if (kind >= 0) {
      admission.checkStopped();
      checkBag(bag);
      return callOf(Small, smallEncoding(kind, value));
    }
  }
  const { host } = pool;
  let encoded = pool.encode(value, transfer);
  const { encodings } = host;
  admission.checkStopped();
  checkBag(bag);
  if (isPlain) {
    // The check has run user code if the options are a proxy.
    if (host.encodings !== encodings) encoded = pool.encode(value);
    return callOf(Encoded, encoded);
  }
  if (isBare && readWatch(signal, timeoutMs, host, encodings)) {
    return callOf(Watched, encoded);
  }
  const operation = operationOf(signal, deadline, timeoutMs, runTimeoutMs);
  // A getter of the signal's may have encoded something else.
  if (host.encodings !== encodings) encoded = pool.encode(value, transfer);
  const job = new PoolJob(operation, encoded, entry, value);
  readMore(job, onMessage, priority, transfer);
  if (key !== undefined || weight !== undefined) readLane(job, key, weight);
  if (cancelGraceMs !== undefined) {
    job.graceMs = checkTimeoutMs(cancelGraceMs, 'worker cancelGraceMs');
  }
  if (receipt !== undefined) job.receipt = readListener('receipt', receipt);
  call.job = job;
  return callOf(CallKind.Object, encoded);
}

// Fills `call` if its signal has a hub already and its limit has a list;
// returns whether it did. Steps that may run user code come first.
function readWatch(signal, timeoutMs, host, encodings) {
  if (signal !== undefined) {
    if (knownHub(signal) === null || isSignalCancelled(signal)) return false;
  }
  let durationMs = 0;
  let expiresAt = Infinity;
  if (timeoutMs !== undefined) {
    durationMs = checkTimeoutMs(timeoutMs);
    expiresAt = limitsNow() + durationMs;
  }
  if (host.encodings !== encodings) return false;
  const limits =
    timeoutMs === undefined ? null : slotLimits(durationMs, expiresAt);
  const hub = signal === undefined ? null : knownHub(signal);
  if (timeoutMs !== undefined && limits === null) return false;
  if (signal !== undefined && hub === null) return false;
  call.durationMs = durationMs;
  call.expiresAt = expiresAt;
  call.limits = limits;
  call.hub = hub;
  return true;
}

/**
 * @param {Call} read the result of `readCall`
 * @returns {PoolJob} its job, an object
 */
function jobOf(read, pool, entry, value) {
  const { encoding, job, kind } = read;
  if (kind === CallKind.Object) {
    read.job = null;
    return job;
  }
  const encoded = kind === Small ? pool.encode(value) : encoding;
  return new PoolJob(operationFor(read), encoded, entry, value);
}

function operationFor(read) {
  if (read.kind !== Watched) return NO_OPERATION;
  const { durationMs, expiresAt, hub } = read;
  read.limits = read.hub = null;
  const signal = hub === null ? undefined : hub.signal;
  return new Operation(signal, undefined, expiresAt, durationMs);
}

module.exports = { jobOf, readCall };
