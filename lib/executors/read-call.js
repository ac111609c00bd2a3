'use strict';
// What a call asks for, before it is decided whether its job has to be an
// object: see JobSlots.

const {
  NO_OPERATION,
  Operation,
  checkBag,
  operationOf,
} = require('../admission/operation.js');
const { PoolJob, readMore } = require('./pool-job.js');
const { isSignalCancelled, knownHub } = require('../signals/any-signal.js');
const { smallKind } = require('../payload/small-values.js');
const { slotLimits } = require('../timers/timer-lists.js');
const { checkTimeoutMs } = require('../base/validate.js');
const { freeze, now } = require('../base/primordials.js');

const NO_OPTIONS = freeze({ __proto__: null });

/**
 * Of the call that was read last, if `readCall` has returned this: where its
 * limit and its signal are heard of. One object for all of them, good until
 * anybody else's code runs.
 */
const asked = {
  durationMs: 0,
  expiresAt: Infinity,
  limits: null,
  hub: null,
};

/** Of a call that has a small value (small-values.js) and asks for nothing. */
const SMALL = freeze({ __proto__: null });

/**
 * Reads a call: its payload first, then its options.
 *
 * @param {PoolExecutor} pool
 * @param {Admission} admission
 * @param {object} entry of the pool: what to call
 * @param {unknown} value
 * @param {object} [options] of the operation, from `ownOptions`
 * @returns {PoolJob | object | null} a new one, its payload encoded; null if
 *   there is no more to it, `SMALL` if there was nothing to encode, `asked` if it
 *   is watched: then it may be a plain job. See `jobOf`
 * @throws {SloppyWorkerError} for a payload that cannot be sent
 * @throws {SLOPPY_E_WORK_QUEUE_STOPPED}
 * @throws {TypeError} for an option of the wrong kind
 */
function readCall(pool, admission, entry, value, options) {
  const { host } = pool;
  const bag = options ?? NO_OPTIONS;
  const { deadline, onMessage, priority, signal, timeoutMs, transfer } = bag;
  const isBare =
    deadline === undefined &&
    onMessage === undefined &&
    priority === undefined &&
    transfer === undefined;
  const isWatched = signal !== undefined || timeoutMs !== undefined;
  if (isBare && !isWatched && smallKind(value) >= 0) {
    admission.checkStopped();
    checkBag(bag);
    return SMALL;
  }
  let encoded = pool.encode(value, transfer);
  const { encodings } = host;
  admission.checkStopped();
  checkBag(bag);
  if (isBare && !isWatched) {
    // Of options that are a proxy, the check has called somebody.
    if (host.encodings !== encodings) pool.encode(value);
    return null;
  }
  if (isBare && mayAsk(signal, timeoutMs, host, encodings)) return asked;
  const operation = operationOf(signal, deadline, timeoutMs);
  // A getter of the signal's may have encoded something else.
  if (host.encodings !== encodings) encoded = pool.encode(value, transfer);
  const job = new PoolJob(operation, encoded, entry, value);
  readMore(job, onMessage, priority, transfer);
  return job;
}

// Whether `asked` has them: a signal that is heard already, and a limit like
// others that are waited for. What may call the caller's code comes first.
function mayAsk(signal, timeoutMs, host, encodings) {
  if (signal !== undefined) {
    if (knownHub(signal) === null || isSignalCancelled(signal)) return false;
  }
  let durationMs = 0;
  let expiresAt = Infinity;
  if (timeoutMs !== undefined) {
    durationMs = checkTimeoutMs(timeoutMs);
    expiresAt = now() + durationMs;
  }
  if (host.encodings !== encodings) return false;
  const limits =
    timeoutMs === undefined ? null : slotLimits(durationMs, expiresAt);
  const hub = signal === undefined ? null : knownHub(signal);
  if (timeoutMs !== undefined && limits === null) return false;
  if (signal !== undefined && hub === null) return false;
  asked.durationMs = durationMs;
  asked.expiresAt = expiresAt;
  asked.limits = limits;
  asked.hub = hub;
  return true;
}

/**
 * @param {PoolJob | object | null} read what `readCall` has just returned
 * @returns {PoolJob} the job, which is not plain then
 */
function jobOf(read, pool, entry, value) {
  if (read === SMALL) {
    return new PoolJob(NO_OPERATION, pool.encode(value), entry, value);
  }
  if (read !== null && read !== asked) return read;
  return new PoolJob(operationFor(read), pool.host.codec.last(), entry, value);
}

function operationFor(read) {
  if (read === null) return NO_OPERATION;
  const { durationMs, expiresAt, hub } = asked;
  asked.limits = asked.hub = null;
  const signal = hub === null ? undefined : hub.signal;
  return new Operation(signal, undefined, expiresAt, durationMs);
}

module.exports = { SMALL, asked, jobOf, readCall };
