'use strict';

/**
 * Time limits of jobs. Limits of one duration form a list, which is in order of
 * expiry by itself. Only its head is in the heap.
 *
 * A limit has `expiresAt`, a finite instant of the clock of limits, `expired()`,
 * and `limits`, its list while it waits, else null. The limit of a plain job
 * (see JobSlots) is its slot.
 */

const { bareClass } = require('../base/bare.js');
const { Roster } = require('../base/roster.js');
const { SlotRoster } = require('./slot-roster.js');
const { schedule } = require('./timer-heap.js');
const { limitsNow, lookAt } = require('../base/limits-clock.js');
const { OwnMap, min } = require('../base/primordials.js');

// More durations than these are data and not settings.
const MAX_LISTS = 64;
const KEPT_LISTS = 8;
const LOOSE = { __proto__: null, ref: false };

const lists = new OwnMap();
let lastList = null;

const isBefore = (a, b) => a.expiresAt < b.expiresAt;

class TimerList extends Roster {
  /** The heap's entry while the list is not empty; not later than its head. */
  #entry = null;
  #isFiring = false;
  #latest = 0;
  // Plain jobs and their table; made for the first.
  #slots = null;
  #table = null;
  #options;

  constructor(durationMs, holds) {
    super();
    this.durationMs = durationMs;
    this.key = keyOf(durationMs, holds);
    this.#options = holds ? undefined : LOOSE;
  }

  has(limit) {
    return limit.limits === this;
  }

  add(limit) {
    limit.limits = this;
    this.join(limit);
    if (this.mayAdd(limit.expiresAt)) this.#added(limit.expiresAt);
    else this.#addLate();
  }

  /** @returns {boolean} whether none of the others expires later */
  mayAdd(expiresAt) {
    return expiresAt >= this.#latest;
  }

  #added(expiresAt) {
    this.#latest = expiresAt;
    if (this.#all === 1) this.#arm();
  }

  get isEmpty() {
    return this.#all === 0;
  }

  get #all() {
    return this.#slots === null ? this.size : this.size + this.#slots.size;
  }

  /** The limit of a plain job. REQUIRES: `mayAdd`. */
  addSlot(table, slot, serial, expiresAt) {
    if (this.#slots === null) {
      this.#slots = new SlotRoster(table);
      this.#table = table;
    }
    this.#slots.join(slot, serial);
    this.#added(expiresAt);
  }

  /** A plain job left the list; its serial in the table has changed. */
  removeSlot() {
    this.#slots.leave();
    if (this.#all === 0) this.#disarmIfIdle();
  }

  // A getter of the caller's submitted another job meanwhile, so this one is out
  // of order.
  #addLate() {
    this.moveUp(isBefore);
    this.#arm();
  }

  /** A limit left the list; its `limits` has changed. */
  remove() {
    this.leave();
    if (this.#all === 0) this.#disarmIfIdle();
  }

  #disarmIfIdle() {
    if (this.#isFiring) return;
    this.#entry?.cancel();
    this.#entry = null;
    this.#latest = 0;
    if (lists.size <= KEPT_LISTS) return;
    lists.delete(this.key);
    if (lastList === this) lastList = null;
  }

  #arm() {
    if (this.#isFiring) return;
    this.#entry?.cancel();
    const fire = () => this.#fire();
    this.#entry = schedule(lookAt(this.#next()), fire, this.#options);
  }

  /** The earliest expiry. REQUIRES: the list is not empty. */
  #next() {
    return min(this.#nextOfLimits(), this.#nextOfSlots());
  }

  #nextOfLimits() {
    return this.size === 0 ? Infinity : this.first().expiresAt;
  }

  #nextOfSlots() {
    return this.#slots === null || this.#slots.size === 0
      ? Infinity
      : this.#table.expiresAtOf(this.#slots.first());
  }

  #expireNext() {
    if (this.#nextOfSlots() < this.#nextOfLimits()) {
      this.#table.expire(this.#slots.first());
    } else {
      const limit = this.first();
      stopLimit(limit);
      limit.expired();
    }
  }

  #fire() {
    this.#entry = null;
    this.#isFiring = true;
    const at = limitsNow();
    try {
      while (this.#all > 0 && this.#next() <= at) this.#expireNext();
    } finally {
      this.#isFiring = false;
      if (this.#all === 0) this.#disarmIfIdle();
      else this.#arm();
    }
  }
}

/** Takes the place of a list for a single limit. */
class LoneLimit {
  #limit;
  #entry;
  #options;

  constructor(limit, holds) {
    limit.limits = this;
    this.#limit = limit;
    this.#options = holds ? undefined : LOOSE;
    this.#arm();
  }

  #arm() {
    const fire = () => this.#fire();
    const at = lookAt(this.#limit.expiresAt);
    this.#entry = schedule(at, fire, this.#options);
  }

  #fire() {
    const limit = this.#limit;
    // Time has stood still meanwhile.
    if (limit.expiresAt > limitsNow()) {
      this.#arm();
      return;
    }
    limit.limits = null;
    limit.expired();
  }

  remove() {
    this.#entry.cancel();
  }
}

bareClass(LoneLimit);

// A number, because it is looked up for each job.
const keyOf = (durationMs, holds) => (holds ? -durationMs : durationMs);

function listOf(durationMs, holds) {
  const key = keyOf(durationMs, holds);
  if (lastList !== null && lastList.key === key) return lastList;
  let list = lists.get(key);
  if (list === undefined) {
    if (lists.size >= MAX_LISTS) return null;
    list = new TimerList(durationMs, holds);
    lists.set(key, list);
  }
  lastList = list;
  return list;
}

/**
 * The list for the limit of a plain job, see TimerList.addSlot.
 *
 * @returns {TimerList | null} null: the limit must be an object
 */
function slotLimits(durationMs, expiresAt) {
  const list = durationMs > 0 ? listOf(durationMs, false) : null;
  return list?.mayAdd(expiresAt) ? list : null;
}

/**
 * The `schedule` of timer-heap.js, for many of the same duration.
 *
 * @param {number} durationMs from about now to `limit.expiresAt`; 0: unknown
 * @param {object} limit
 * @param {boolean} [holds] whether it keeps the process alive; default true
 */
function startLimit(durationMs, limit, holds = true) {
  const list = durationMs > 0 ? listOf(durationMs, holds) : null;
  if (list === null) new LoneLimit(limit, holds);
  else list.add(limit);
}

/** Does nothing after it expired or was stopped. */
function stopLimit(limit) {
  const { limits } = limit;
  if (limits === null) return;
  limit.limits = null;
  limits.remove();
}

module.exports = { slotLimits, startLimit, stopLimit };
