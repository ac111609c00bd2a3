'use strict';

/**
 * Limits of jobs. Most have the same duration as the one before, so those of
 * one duration make a list that is in order by itself, and only its head is in
 * the heap.
 *
 * A limit has `expiresAt`, a finite instant of performance.now(), `expired()`,
 * and `limits`, which is where it waits: null when it does not.
 */

const { bareClass } = require('./bare.js');
const { Roster } = require('./roster.js');
const { schedule } = require('./timer-heap.js');
const { OwnMap, now } = require('./primordials.js');

// Above these, durations are data and not settings.
const MAX_LISTS = 64;
const KEPT_LISTS = 8;

const lists = new OwnMap();
let lastList = null;

const isBefore = (a, b) => a.expiresAt < b.expiresAt;

class TimerList extends Roster {
  /** In the heap while the list is not empty; not later than its head. */
  #entry = null;
  #isFiring = false;
  #latest = 0;

  constructor(durationMs) {
    super();
    this.durationMs = durationMs;
  }

  has(limit) {
    return limit.limits === this;
  }

  add(limit) {
    limit.limits = this;
    this.join(limit);
    if (limit.expiresAt >= this.#latest) {
      this.#latest = limit.expiresAt;
      if (this.size === 1) this.#arm();
    } else {
      this.#addLate();
    }
  }

  // A getter of the caller's has submitted another job meanwhile.
  #addLate() {
    this.moveUp(isBefore);
    this.#arm();
  }

  /** The limit is no longer of any list. */
  remove() {
    this.leave();
    if (this.size === 0) this.#rest();
  }

  #rest() {
    if (this.#isFiring) return;
    this.#entry?.cancel();
    this.#entry = null;
    this.#latest = 0;
    if (lists.size <= KEPT_LISTS) return;
    lists.delete(this.durationMs);
    if (lastList === this) lastList = null;
  }

  #arm() {
    if (this.#isFiring) return;
    this.#entry?.cancel();
    this.#entry = schedule(this.first().expiresAt, () => this.#fire());
  }

  #fire() {
    this.#entry = null;
    this.#isFiring = true;
    const at = now();
    try {
      while (this.size > 0 && this.first().expiresAt <= at) {
        const limit = this.first();
        stopLimit(limit);
        limit.expired();
      }
    } finally {
      this.#isFiring = false;
      if (this.size === 0) this.#rest();
      else this.#arm();
    }
  }
}

/** In place of a list, for a limit that is the only one of its kind. */
class LoneLimit {
  constructor(limit) {
    limit.limits = this;
    this.entry = schedule(limit.expiresAt, () => {
      limit.limits = null;
      limit.expired();
    });
  }

  remove() {
    this.entry.cancel();
  }
}

bareClass(LoneLimit);

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
 * @param {number} durationMs from about now to `limit.expiresAt`; 0: unknown
 * @param {object} limit
 */
function startLimit(durationMs, limit) {
  const list = durationMs > 0 ? listOf(durationMs) : null;
  if (list === null) new LoneLimit(limit);
  else list.add(limit);
}

/** Harmless after it expired or was stopped. */
function stopLimit(limit) {
  const { limits } = limit;
  if (limits === null) return;
  limit.limits = null;
  limits.remove();
}

module.exports = { startLimit, stopLimit };
