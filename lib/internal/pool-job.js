'use strict';

const { AsyncResource } = require('node:async_hooks');

const { Mode } = require('./channels.js');
const { Job } = require('./job.js');
const {
  NO_OPERATION,
  Operation,
  checkBag,
  operationOf,
} = require('./operation.js');
const { smallKind } = require('./small-values.js');
const { isSignalCancelled, knownHub } = require('./signals.js');
const { slotLimits } = require('./timer-lists.js');
const { checkTimeoutMs } = require('./validate.js');
const {
  Float64,
  Octets,
  isArray,
  isView,
  octetsOf,
  viewBuffer,
} = require('./codec/captured.js');
const { append, bareClass, bareList } = require('./bare.js');
const { freeze, isInteger, now } = require('./primordials.js');

const clone = structuredClone;
const DEFAULT_PRIORITY = 4;
const LAST_PRIORITY = 7;
const NO_OPTIONS = freeze({ __proto__: null });

function readPriority(priority) {
  if (!(isInteger(priority) && priority >= 0 && priority <= LAST_PRIORITY)) {
    throw new TypeError('worker priority must be an integer from 0 to 7.');
  }
  return priority;
}

function readListener(onMessage) {
  if (onMessage === null) return null;
  if (typeof onMessage !== 'function') {
    throw new TypeError('worker onMessage must be a function.');
  }
  return onMessage;
}

function readTransfer(transfer) {
  if (transfer === null) return undefined;
  if (!isArray(transfer)) {
    throw new TypeError('worker transfer must be an array of ArrayBuffers.');
  }
  return transfer;
}

function modeOf(operation) {
  const signalled = operation.signal === undefined ? 0 : Mode.Signalled;
  // Told apart from no deadline, though neither ever ends the job.
  return operation.isEndless ? signalled | Mode.Endless : signalled;
}

/** What few jobs have: an object of its own, so that the others are small. */
class RareParts {
  prev = null;
  next = null;
  stash = null;
  waitedMs = 0;
  transfer = undefined;
  onMessage = null;
  context = null;
  abandoned = false;
  lostTimer = null;
  channels = null;
}

bareClass(RareParts);

// Functions and not private methods: those cost each job a field.
function own(job) {
  job.rare ??= new RareParts();
  return job.rare;
}

// What the caller gave to be called later is called in its own context.
function keepContext(job) {
  own(job).context ??= new AsyncResource('SloppyWorkersJob');
}

function move(job, transfer) {
  const read = readTransfer(transfer);
  if (read !== undefined) own(job).transfer = read;
}

function hear(job, onMessage) {
  const read = readListener(onMessage);
  if (read === null) return;
  own(job).onMessage = read;
  keepContext(job);
}

/** A job of a pool: what to call, with what, and where it is in the addon. */
class PoolJob extends Job {
  constructor(operation, encoded, entry, value) {
    super(operation, encoded.bytes);
    this.entry = entry;
    this.value = value;
    this.encoding = entry.pool.host.encodings;
    this.slot = -1;
    this.rare = null;
    this.priority = DEFAULT_PRIORITY;
    this.mode = this.isWatched ? modeOf(operation) : 0;
    if (entry.pool.hasHost) keepContext(this);
  }

  /** Of a job that waits for a place, and then in lists of its executor. */
  get prev() {
    return this.rare === null ? null : this.rare.prev;
  }

  set prev(job) {
    own(this).prev = job;
  }

  get next() {
    return this.rare === null ? null : this.rare.next;
  }

  set next(job) {
    own(this).next = job;
  }

  /** What it sends, as its own: of a job that waits for a place. */
  get stash() {
    return this.rare === null ? null : this.rare.stash;
  }

  set stash(encoding) {
    own(this).stash = encoding;
  }

  get waitedMs() {
    return this.rare === null ? 0 : this.rare.waitedMs;
  }

  set waitedMs(ms) {
    own(this).waitedMs = ms;
  }

  get transfer() {
    return this.rare === null ? undefined : this.rare.transfer;
  }

  get onMessage() {
    return this.rare === null ? null : this.rare.onMessage;
  }

  get context() {
    return this.rare === null ? null : this.rare.context;
  }

  /** Its thread will never give it back. */
  get abandoned() {
    return this.rare === null ? false : this.rare.abandoned;
  }

  set abandoned(abandoned) {
    own(this).abandoned = abandoned;
  }

  get lostTimer() {
    return this.rare === null ? null : this.rare.lostTimer;
  }

  set lostTimer(timer) {
    own(this).lostTimer = timer;
  }

  get channels() {
    return this.rare === null ? null : this.rare.channels;
  }

  set channels(channels) {
    own(this).channels = channels;
  }
}

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
  return new PoolJob(operationFor(read), pool.lastEncoding, entry, value);
}

function operationFor(read) {
  if (read === null) return NO_OPERATION;
  const { durationMs, expiresAt, hub } = asked;
  asked.limits = asked.hub = null;
  const signal = hub === null ? undefined : hub.signal;
  return new Operation(signal, undefined, expiresAt, durationMs);
}

// What few calls say.
function readMore(job, onMessage, priority, transfer) {
  if (transfer !== undefined) move(job, transfer);
  if (onMessage !== undefined) hear(job, onMessage);
  if (priority !== undefined) job.priority = readPriority(priority);
}

/** Own copies of what an encoding borrows: for a job that has to wait. */
function keepEncoding(encoded) {
  const more =
    encoded.more === undefined
      ? undefined
      : [
          encoded.more[0],
          encoded.more[1] === null ? null : copyBuffers(encoded.more),
          encoded.more[2],
        ];
  return {
    kind: encoded.kind,
    number: encoded.number,
    slots: copyOf(encoded.slots, encoded.slotCount),
    slotCount: encoded.slotCount,
    text: encoded.text,
    more,
  };
}

function copyOf(slots, count) {
  const copy = new Float64(count);
  for (let i = 0; i < count; i++) copy[i] = slots[i];
  return copy;
}

function copyBuffers(more) {
  const buffers = more[1];
  const moved = more[2];
  const copies = bareList();
  for (let i = 0; i < buffers.length; i++) {
    append(copies, copyBuffer(buffers[i], moved[i]));
  }
  return copies;
}

function copyBuffer(buffer, isMoved) {
  if (isMoved) return clone(buffer, { transfer: [buffer] });
  if (!isView(buffer)) return viewBuffer(new Octets(new Octets(buffer)));
  return new Octets(octetsOf(buffer));
}

const sort = Function.prototype.call.bind(Array.prototype.sort);

/** Sorts jobs of a pool, in place: by priority, then the oldest first. */
function inStartOrder(jobs) {
  return sort(jobs, (a, b) => a.priority - b.priority || a.id - b.id);
}

module.exports = {
  DEFAULT_PRIORITY,
  PoolJob,
  SMALL,
  asked,
  inStartOrder,
  keepEncoding,
  jobOf,
  readCall,
};
