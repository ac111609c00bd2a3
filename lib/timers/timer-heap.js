'use strict';

/**
 * Runs many deadlines on one Node timer: a Heap ordered by expiry, which
 * cancelled entries leave at once. All limits of this thread share one.
 *
 * 1. The Node timer exists only while the heap has entries.
 * 2. It keeps the process alive only while a `ref` entry is pending.
 * 3. Delays are cut at 2^31 - 1 ms, above which Node would fire at once.
 * 4. The timer may fire early, because libuv rounds: an entry runs once the
 *    clock has reached its expiry, else the timer is armed again.
 * 5. Entries fire in the async context of this module's loading, because the
 *    AsyncLocalStorage of the request that armed the timer must not be visible
 *    to another request's entry.
 */

const { AsyncResource } = require('node:async_hooks');

const { bareClass } = require('../base/bare.js');
const { Heap } = require('../base/heap.js');
const ownTime = require('../base/own-time.js');
const { timerMs } = require('../base/timer-ms.js');
const { ceil, max, runInAsyncScope } = require('../base/primordials.js');

/** The context in which the timer is armed, see rule 5. */
const home = new AsyncResource('SloppyWorkersTimers');

let sequence = 0;

class Entry {
  heapIndex = -1;
  isPending = true;
  order = sequence++;
  holdsProcess = false;
  #timers;

  constructor(timers, expiresAtMs, fire) {
    this.#timers = timers;
    this.expiresAtMs = expiresAtMs;
    this.fire = fire;
  }

  /** Removes the entry. Does nothing after it fired or was cancelled. */
  cancel() {
    if (this.isPending) this.#timers.drop(this);
  }

  /** Keeps the process alive until the entry fires or is cancelled. */
  ref() {
    if (this.holdsProcess || !this.isPending) return;
    this.holdsProcess = true;
    this.#timers.hold(1);
  }

  unref() {
    if (!this.holdsProcess) return;
    this.holdsProcess = false;
    this.#timers.hold(-1);
  }
}

bareClass(Entry);

function isBefore(a, b) {
  if (a.expiresAtMs !== b.expiresAtMs) return a.expiresAtMs < b.expiresAtMs;
  return a.order < b.order;
}

class TimerHeap {
  #heap = new Heap(isBefore);
  #timer = null;
  #timerFiresAt = Infinity;
  #holders = 0;
  #time;
  #onTimer = () => this.#fire();

  /** @param {object} time `now`, `startTimer` and `stopTimer` */
  constructor(time) {
    this.#time = time;
  }

  /**
   * Calls `fire` once the clock reaches `expiresAtMs`, never inside this call,
   * in order of expiry and then of scheduling.
   *
   * @param {number} expiresAtMs an instant of the clock, finite
   * @param {() => void} fire
   * @param {{ ref?: boolean }} [options] `ref: false` lets the process exit
   *   before; default true
   * @returns {{ cancel(): void, ref(): void, unref(): void }}
   */
  schedule(expiresAtMs, fire, options = undefined) {
    const entry = new Entry(this, expiresAtMs, fire);
    this.#heap.push(entry);
    if (options?.ref !== false) entry.ref();
    if (expiresAtMs < this.#timerFiresAt) this.#arm();
    return entry;
  }

  /** Entries that have neither fired nor been cancelled. */
  get size() {
    return this.#heap.size;
  }

  drop(entry) {
    this.#take(entry);
    if (this.#heap.size === 0) this.#disarm();
  }

  hold(change) {
    this.#holders += change;
    if (this.#holders === 0) this.#timer?.unref();
    else if (this.#holders === 1 && change > 0) this.#timer?.ref();
  }

  #take(entry) {
    entry.unref();
    entry.isPending = false;
    this.#heap.remove(entry);
  }

  #disarm() {
    this.#time.stopTimer(this.#timer);
    this.#timer = null;
    this.#timerFiresAt = Infinity;
  }

  #arm() {
    const { now, startTimer, stopTimer } = this.#time;
    if (this.#timer !== null) stopTimer(this.#timer);
    const at = now();
    const delayMs = timerMs(max(1, ceil(this.#heap.first.expiresAtMs - at)));
    const fire = this.#onTimer;
    this.#timer = runInAsyncScope(home, startTimer, undefined, fire, delayMs);
    this.#timerFiresAt = at + delayMs;
    if (this.#holders === 0) this.#timer.unref();
  }

  #fire() {
    this.#timer = null;
    this.#timerFiresAt = Infinity;
    const at = this.#time.now();
    const heap = this.#heap;
    // Entries that callbacks add now wait for the next turn of the loop.
    const newcomer = sequence;
    try {
      while (heap.size > 0) {
        const entry = heap.first;
        if (entry.expiresAtMs > at || entry.order >= newcomer) break;
        this.#take(entry);
        entry.fire();
      }
    } finally {
      // Armed even if a callback throws, because the other deadlines remain.
      if (heap.size > 0 && this.#timer === null) this.#arm();
    }
  }
}

bareClass(TimerHeap);

/** The timers of limits and stops, by Node's own clock: instants of `now()`. */
const limits = new TimerHeap(ownTime);
const schedule = (expiresAtMs, fire, options) =>
  limits.schedule(expiresAtMs, fire, options);

/** @returns {number} entries not yet fired or cancelled, for tests */
const pendingTimers = () => limits.size;

module.exports = { TimerHeap, pendingTimers, schedule };
