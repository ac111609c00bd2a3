'use strict';

/**
 * Runs every deadline of this thread on one Node timer: a binary heap ordered
 * by expiry. Each entry holds its position, so adding and cancelling are O(log
 * n) and cancelled entries leave at once.
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

const { append, bareClass, bareList, takeLast } = require('../base/bare.js');
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
const NOT_IN_HEAP = -1;

const heap = bareList();
/** The context in which the timer is armed, see rule 5. */
const home = new AsyncResource('SloppyWorkersTimers');

let timer = null;
let timerFiresAt = Infinity;
let holders = 0;
let sequence = 0;

class Entry {
  index = NOT_IN_HEAP;
  order = sequence++;
  holdsProcess = false;

  constructor(expiresAtMs, fire) {
    this.expiresAtMs = expiresAtMs;
    this.fire = fire;
  }

  /** Removes the entry. Does nothing after it fired or was cancelled. */
  cancel() {
    if (this.index === NOT_IN_HEAP) return;
    removeAt(this.index);
    if (heap.length === 0) disarm();
  }

  /** Keeps the process alive until the entry fires or is cancelled. */
  ref() {
    if (this.holdsProcess || this.index === NOT_IN_HEAP) return;
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

function place(entry, index) {
  heap[index] = entry;
  entry.index = index;
}

function siftUp(entry, start) {
  let index = start;
  while (index > 0) {
    const parent = (index - 1) >> 1;
    if (!isBefore(entry, heap[parent])) break;
    place(heap[parent], index);
    index = parent;
  }
  place(entry, index);
}

function siftDown(entry, start) {
  let index = start;
  for (;;) {
    let child = 2 * index + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) {
      child += 1;
    }
    if (!isBefore(heap[child], entry)) break;
    place(heap[child], index);
    index = child;
  }
  place(entry, index);
}

function removeAt(index) {
  const entry = heap[index];
  entry.unref();
  entry.index = NOT_IN_HEAP;
  const last = takeLast(heap);
  if (last === entry) return;
  if (index > 0 && isBefore(last, heap[(index - 1) >> 1])) {
    siftUp(last, index);
  } else {
    siftDown(last, index);
  }
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
    max(1, ceil(heap[0].expiresAtMs - at)),
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
    while (heap.length > 0) {
      const entry = heap[0];
      if (entry.expiresAtMs > at || entry.order >= newcomer) break;
      removeAt(0);
      entry.fire();
    }
  } finally {
    // Armed even if a callback throws, because the other deadlines remain.
    if (heap.length > 0 && timer === null) arm();
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
  append(heap, entry);
  siftUp(entry, heap.length - 1);
  if (options?.ref !== false) entry.ref();
  if (expiresAtMs < timerFiresAt) arm();
  return entry;
}

/** @returns {number} entries not yet fired or cancelled, for tests */
function pendingTimers() {
  return heap.length;
}

module.exports = { pendingTimers, schedule };
