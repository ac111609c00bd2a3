'use strict';

/**
 * Runs every deadline of this thread on one Node timer: a Heap ordered by expiry,
 * which cancelled entries leave at once.
 *
 * 1. The Node timer exists only while the heap has entries.
 * 2. It keeps the process alive only while a `ref` entry is pending.
 * 3. Delays are cut at 2^31 - 1 ms, above which Node would fire at once.
 * 4. The timer may fire early, because libuv rounds: an entry runs once
 *    performance.now() has reached its expiry, else the timer is armed again.
 * 5. Entries fire in the async context of this module's loading, because the
 *    AsyncLocalStorage of the request that armed the timer must not be visible
 *    to another request's entry.
 */

const { AsyncResource } = require('node:async_hooks');

const { bareClass } = require('../base/bare.js');
const { Heap } = require('../base/heap.js');
const {
  ceil,
  max,
  min,
  now,
  runInAsyncScope,
  startTimer,
  stopTimer,
} = require('../base/primordials.js');

const MAX_NODE_DELAY_MS = 2 ** 31 - 1;

/** The context in which the timer is armed, see rule 5. */
const home = new AsyncResource('SloppyWorkersTimers');

let timer = null;
let timerFiresAt = Infinity;
let holders = 0;
let sequence = 0;

class Entry {
  heapIndex = -1;
  isPending = true;
  order = sequence++;
  holdsProcess = false;

  constructor(expiresAtMs, fire) {
    this.expiresAtMs = expiresAtMs;
    this.fire = fire;
  }

  /** Removes the entry. Does nothing after it fired or was cancelled. */
  cancel() {
    if (!this.isPending) return;
    take(this);
    if (heap.size === 0) disarm();
  }

  /** Keeps the process alive until the entry fires or is cancelled. */
  ref() {
    if (this.holdsProcess || !this.isPending) return;
    this.holdsProcess = true;
    holders += 1;
    if (holders === 1) timer?.ref();
  }

  unref() {
    if (!this.holdsProcess) return;
    this.holdsProcess = false;
    holders -= 1;
    if (holders === 0) timer?.unref();
  }
}

bareClass(Entry);

function isBefore(a, b) {
  if (a.expiresAtMs !== b.expiresAtMs) return a.expiresAtMs < b.expiresAtMs;
  return a.order < b.order;
}

const heap = new Heap(isBefore);

function take(entry) {
  entry.unref();
  entry.isPending = false;
  heap.remove(entry);
}

function disarm() {
  stopTimer(timer);
  timer = null;
  timerFiresAt = Infinity;
}

function arm() {
  if (timer !== null) stopTimer(timer);
  const at = now();
  const delayMs = min(
    max(1, ceil(heap.first.expiresAtMs - at)),
    MAX_NODE_DELAY_MS,
  );
  timer = runInAsyncScope(home, startTimer, undefined, onTimer, delayMs);
  timerFiresAt = at + delayMs;
  if (holders === 0) timer.unref();
}

function onTimer() {
  timer = null;
  timerFiresAt = Infinity;
  const at = now();
  // Entries that callbacks add now wait for the next turn of the loop.
  const newcomer = sequence;
  try {
    while (heap.size > 0) {
      const entry = heap.first;
      if (entry.expiresAtMs > at || entry.order >= newcomer) break;
      take(entry);
      entry.fire();
    }
  } finally {
    // Armed even if a callback throws, because the other deadlines remain.
    if (heap.size > 0 && timer === null) arm();
  }
}

/**
 * Calls `fire` once the monotonic clock reaches `expiresAtMs`, never inside
 * this call, in order of expiry and then of scheduling.
 *
 * @param {number} expiresAtMs instant of performance.now(), finite
 * @param {() => void} fire
 * @param {{ ref?: boolean }} [options] `ref: false` lets the process exit
 *   before; default true
 * @returns {{ cancel(): void, ref(): void, unref(): void }}
 */
function schedule(expiresAtMs, fire, options = undefined) {
  const entry = new Entry(expiresAtMs, fire);
  heap.push(entry);
  if (options?.ref !== false) entry.ref();
  if (expiresAtMs < timerFiresAt) arm();
  return entry;
}

/** @returns {number} entries not yet fired or cancelled, for tests */
function pendingTimers() {
  return heap.size;
}

module.exports = { pendingTimers, schedule };
