'use strict';

/**
 * Limits of jobs. Most have the same duration as the one before, so those of
 * one duration make a list that is in order by itself, and only its head is in
 * the heap: adding and cancelling cost a link each.
 */

const { bareClass } = require('./bare.js');
const { schedule } = require('./timer-heap.js');
const { OwnMap, now } = require('./primordials.js');

// Above these, durations are data and not settings.
const MAX_LISTS = 64;
const KEPT_LISTS = 8;

const lists = new OwnMap();
let lastList = null;

/** One limit: in the list of its duration until it is over or cancelled. */
class Limit {
  prev = null;
  next = null;

  constructor(list, expiresAtMs, fire, subject) {
    this.list = list;
    this.expiresAtMs = expiresAtMs;
    this.fire = fire;
    this.subject = subject;
  }

  /** Harmless after it fired or was cancelled. */
  cancel() {
    const { list } = this;
    if (list === null) return;
    list.remove(this);
    if (list.head === null) list.rest();
  }
}

bareClass(Limit);

class TimerList {
  head = null;
  tail = null;
  /** In the heap while the list is not empty; not later than its head. */
  #entry = null;
  #isFiring = false;

  constructor(durationMs) {
    this.durationMs = durationMs;
  }

  add(limit) {
    let before = this.tail;
    // A getter of the caller's may have submitted another job meanwhile.
    while (before !== null && before.expiresAtMs > limit.expiresAtMs) {
      before = before.prev;
    }
    const after = before === null ? this.head : before.next;
    limit.prev = before;
    limit.next = after;
    if (before === null) this.head = limit;
    else before.next = limit;
    if (after === null) this.tail = limit;
    else after.prev = limit;
    if (before === null) this.#arm();
  }

  remove(limit) {
    const { prev, next } = limit;
    if (prev === null) this.head = next;
    else prev.next = next;
    if (next === null) this.tail = prev;
    else next.prev = prev;
    limit.prev = limit.next = limit.list = null;
  }

  /** The list is empty. */
  rest() {
    if (this.#isFiring) return;
    this.#entry?.cancel();
    this.#entry = null;
    if (lists.size <= KEPT_LISTS) return;
    lists.delete(this.durationMs);
    if (lastList === this) lastList = null;
  }

  #arm() {
    if (this.#isFiring) return;
    this.#entry?.cancel();
    this.#entry = schedule(this.head.expiresAtMs, () => this.#fire());
  }

  #fire() {
    this.#entry = null;
    this.#isFiring = true;
    const at = now();
    try {
      while (this.head !== null && this.head.expiresAtMs <= at) {
        const { head } = this;
        const { fire, subject } = head;
        this.remove(head);
        fire(subject);
      }
    } finally {
      this.#isFiring = false;
      if (this.head === null) this.rest();
      else this.#arm();
    }
  }
}

function listOf(durationMs) {
  if (lastList !== null && lastList.durationMs === durationMs) return lastList;
  let list = lists.get(durationMs);
  if (list === undefined) {
    if (lists.size >= MAX_LISTS) return null;
    list = new TimerList(durationMs);
    lists.set(durationMs, list);
  }
  lastList = list;
  return list;
}

/**
 * As `schedule` of timer-heap.js, for many of the same duration.
 *
 * @template T
 * @param {number} durationMs from about now to `expiresAtMs`; 0: unknown
 * @param {number} expiresAtMs instant of performance.now(), finite
 * @param {(subject: T) => void} fire
 * @param {T} subject
 * @returns {{ cancel(): void }}
 */
function scheduleLimit(durationMs, expiresAtMs, fire, subject) {
  const list = durationMs > 0 ? listOf(durationMs) : null;
  if (list === null) return schedule(expiresAtMs, () => fire(subject));
  const limit = new Limit(list, expiresAtMs, fire, subject);
  list.add(limit);
  return limit;
}

module.exports = { scheduleLimit };
