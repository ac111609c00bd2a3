'use strict';

const { AsyncResource } = require('node:async_hooks');
const { isArrayBuffer } = require('node:util').types;

const { Job } = require('../admission/job.js');
const {
  Float64,
  Octets,
  isArray,
  isView,
  octetsOf,
  viewBuffer,
} = require('../protocol/codec/captured.js');
const { append, bareClass, bareList } = require('../base/bare.js');
const { isInteger } = require('../base/primordials.js');
const { structuredClone: clone } = require('../base/structured-clone.js');
const { JobMode } = require('../protocol/wire.gen.js');

const DEFAULT_PRIORITY = 4;
const LAST_PRIORITY = 7;
const MAX_KEY = 256;
/** The time of grace of a job whose call has none of its own. */
const POOLS_GRACE = -1;
const MAX_WEIGHT = 100;

function readPriority(priority) {
  if (!(isInteger(priority) && priority >= 0 && priority <= LAST_PRIORITY)) {
    throw new TypeError('worker priority must be an integer from 0 to 7.');
  }
  return priority;
}

function readKey(key) {
  if (!(typeof key === 'string' && key.length > 0 && key.length <= MAX_KEY)) {
    throw new TypeError(
      `worker key must be a string of 1 to ${MAX_KEY} characters.`,
    );
  }
  return key;
}

function readWeight(weight) {
  if (!(isInteger(weight) && weight >= 1 && weight <= MAX_WEIGHT)) {
    throw new TypeError(
      `worker weight must be an integer from 1 to ${MAX_WEIGHT}.`,
    );
  }
  return weight;
}

function readListener(name, listener) {
  if (listener === null) return null;
  if (typeof listener !== 'function') {
    throw new TypeError(`worker ${name} must be a function.`);
  }
  return listener;
}

function readTransfer(transfer) {
  if (transfer === null) return undefined;
  if (!isArray(transfer)) {
    throw new TypeError('worker transfer must be an array of ArrayBuffers.');
  }
  return transfer;
}

function modeOf(operation) {
  const signalled = operation.signal === undefined ? 0 : JobMode.Signalled;
  // A mode of its own, although it never ends the job, because its context
  // shows a deadline.
  return operation.isEndless ? signalled | JobMode.Endless : signalled;
}

/**
 * Fields that few jobs need, in an object of its own, so that the others stay
 * small.
 */
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
  receipt = null;
  rank = 0;
  heapIndex = 0;
  shares = null;
  key = null;
  weight = 1;
  graceMs = POOLS_GRACE;
  lane = null;
  laneState = 0;
  home = 0;
}

bareClass(RareParts);

// Functions, because private methods would cost each job a field.
function own(job) {
  job.rare ??= new RareParts();
  return job.rare;
}

// Callbacks of the caller run in the caller's async context.
function keepContext(job) {
  own(job).context ??= new AsyncResource('SloppyWorkersJob');
}

function move(job, transfer) {
  const read = readTransfer(transfer);
  if (read !== undefined) own(job).transfer = read;
}

function hear(job, onMessage) {
  const read = readListener('onMessage', onMessage);
  if (read === null) return;
  own(job).onMessage = read;
  keepContext(job);
}

/** A job of a pool: its entry, its input, and its slot in the addon. */
class PoolJob extends Job {
  constructor(operation, encoded, entry, value) {
    super(operation, encoded.bytes);
    this.entry = entry;
    this.value = value;
    this.encoding = entry.executor.host.encodings;
    this.slot = -1;
    this.rare = null;
    this.priority = DEFAULT_PRIORITY;
    this.mode = this.hasLimits ? modeOf(operation) : 0;
    if (entry.executor.hasHost) keepContext(this);
  }

  /** Its neighbours among jobs that wait for a place, then in an executor's list. */
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

  /** Its own copy of the input, while it waits for a place. */
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

  /** Whether the job's thread was given up. */
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

  /** The caller's listener for the job's receipt; nullish without one. */
  get receipt() {
    return this.rare === null ? null : this.rare.receipt;
  }

  set receipt(receipt) {
    own(this).receipt = receipt;
  }

  get key() {
    return this.rare === null ? null : this.rare.key;
  }

  set key(key) {
    own(this).key = key;
  }

  /** Jobs with a key have one. */
  get weight() {
    return this.rare.weight;
  }

  get lane() {
    return this.rare === null ? null : this.rare.lane;
  }

  /** Jobs with a key have one. */
  set lane(lane) {
    this.rare.lane = lane;
  }

  get laneState() {
    return this.rare.laneState;
  }

  set laneState(state) {
    this.rare.laneState = state;
  }

  /** The number of its key in a pool with affinity, see Homes; 0 for none. */
  get home() {
    return this.rare === null ? 0 : this.rare.home;
  }

  /** Jobs with a key have one. */
  set home(home) {
    this.rare.home = home;
  }

  /** Milliseconds, or POOLS_GRACE. */
  get graceMs() {
    return this.rare === null ? POOLS_GRACE : this.rare.graceMs;
  }

  set graceMs(ms) {
    own(this).graceMs = ms;
  }

  /** Used by a pool whose jobs age, see start-order.js. */
  get rank() {
    return this.rare === null ? 0 : this.rare.rank;
  }

  set rank(rank) {
    own(this).rank = rank;
  }

  /** See Heap. */
  get heapIndex() {
    return this.rare.heapIndex;
  }

  set heapIndex(index) {
    own(this).heapIndex = index;
  }

  /** Its executor holds the process for it, unless the pool was unref'd. */
  get holdsProcess() {
    return true;
  }

  /** The table of Shares that was current when it was submitted, or null. */
  get shares() {
    return this.rare === null ? null : this.rare.shares;
  }

  set shares(table) {
    own(this).shares = table;
  }

  decided() {
    if (this.rare === null) return;
    const { channels, shares } = this.rare;
    channels?.end();
    // It has waited for a place, and never had one.
    if (this.slot < 0 && shares !== null) shares.shares.leave(this);
  }
}

/**
 * Reads the options that few calls have. @throws {TypeError} for a value of the
 * wrong kind
 */
function readMore(job, onMessage, priority, transfer) {
  if (transfer !== undefined) move(job, transfer);
  if (onMessage !== undefined) hear(job, onMessage);
  if (priority !== undefined) job.priority = readPriority(priority);
}

/**
 * Reads the key of a call, and the weight that the key has from then on.
 *
 * @throws {TypeError} for a value of the wrong kind
 */
function readLane(job, key, weight) {
  if (key === undefined) {
    throw new TypeError('worker weight requires a key.');
  }
  job.key = readKey(key);
  if (weight !== undefined) job.rare.weight = readWeight(weight);
}

/** Copies the parts that an encoding borrows, for a job that has to wait. */
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

// A buffer that is neither is shared: memory, or WebAssembly's code.
function copyBuffer(buffer, isMoved) {
  if (isView(buffer)) return new Octets(octetsOf(buffer));
  if (!isArrayBuffer(buffer)) return buffer;
  if (isMoved) return clone(buffer, { transfer: [buffer] });
  return viewBuffer(new Octets(new Octets(buffer)));
}

module.exports = {
  DEFAULT_PRIORITY,
  POOLS_GRACE,
  PoolJob,
  keepEncoding,
  readLane,
  readListener,
  readMore,
};
