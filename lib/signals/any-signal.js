'use strict';

/**
 * Any kind of cancellation signal seen as one: WorkerCancellationSignal, the
 * signal of `sloppy/time`, AbortSignal of any realm, and objects that only
 * have a boolean `cancelled` or `aborted`.
 *
 * Subscribers of a foreign signal share one listener on it. Node walks its
 * listeners on every add, so a listener per job would make the n-th job on a
 * shared AbortSignal cost O(n).
 */

const { Act } = require('../errors/shared-stack.js');
const { append, bareClass, bareList } = require('../base/bare.js');
const { LinkedList } = require('../base/linked-list.js');
const { SlotRoster } = require('../timers/slot-roster.js');
const { OwnWeakMap, aggregateError, apply } = require('../base/primordials.js');
const { asksForRoom } = require('../base/stack-room.js');

const hubs = new OwnWeakMap();
const { then } = Promise.prototype;
const resolved = Promise.resolve();
const needRoom = asksForRoom();

const isObject = (value) => typeof value === 'object' && value !== null;
const nothing = () => {};

/** @param {unknown} value @returns {boolean} */
function isSignal(value) {
  return (
    isObject(value) &&
    (typeof value.cancelled === 'boolean' || typeof value.aborted === 'boolean')
  );
}

/** @param {object} signal @returns {boolean} */
function isSignalCancelled(signal) {
  return signal.cancelled === true || signal.aborted === true;
}

/**
 * @param {object | undefined} signal
 * @returns {unknown} its reason; undefined when that cannot be read
 */
function readReason(signal) {
  try {
    return signal?.reason;
  } catch {
    // A foreign getter that throws must not keep an operation from settling.
    return undefined;
  }
}

/**
 * Whether a reason says that time ran out: the texts that deadlines cancel
 * with, or an error named TimeoutError (AbortSignal.timeout(), sloppy/time).
 *
 * @param {unknown} reason
 * @returns {boolean}
 */
function isTimeoutReason(reason) {
  if (reason === 'deadline' || reason === 'timeout') return true;
  try {
    return isObject(reason) && reason.name === 'TimeoutError';
  } catch {
    // A hostile getter decides nothing.
    return false;
  }
}

/** One place among the subscribers of a foreign signal. */
class Subscription {
  prev = null;
  next = null;
  hub = null;

  constructor(fn, subject) {
    this.fn = fn;
    this.subject = subject;
  }

  /** Harmless when called again. */
  remove() {
    this.hub?.remove(this);
  }
}

bareClass(Subscription);

class Hub {
  #subscribers = new LinkedList();
  // Plain jobs (see JobSlots), and the table that knows them.
  #slots = null;
  #table = null;

  constructor(signal) {
    this.signal = signal;
    this.listener = () => this.#hear();
  }

  add(subscription) {
    subscription.hub = this;
    this.#subscribers.push(subscription);
  }

  remove(subscription) {
    this.#drop(subscription);
    this.#rest();
  }

  /** For a plain job: its table is told when the signal is cancelled. */
  addSlot(table, slot, serial) {
    if (this.#slots === null) {
      this.#slots = new SlotRoster(table);
      this.#table = table;
    }
    this.#slots.join(slot, serial);
  }

  /** A plain job no longer listens, as its table knows. */
  removeSlot() {
    this.#slots.leave();
    this.#rest();
  }

  #rest() {
    if (this.#subscribers.size > 0 || this.#hasSlots) return;
    if (hubs.get(this.signal) === this) this.#forget();
  }

  get #hasSlots() {
    return this.#slots !== null && this.#slots.size > 0;
  }

  #drop(subscription) {
    this.#subscribers.remove(subscription);
    subscription.hub = null;
  }

  #forget() {
    if (hubs.get(this.signal) === this) hubs.delete(this.signal);
    if (lastHub === this) lastHub = null;
    try {
      this.signal.removeEventListener?.('abort', this.listener);
    } catch {
      // A foreign signal that cannot forget must not keep others from hearing.
    }
  }

  // Subscribers first: the first job with a signal is one.
  #fireNext(act) {
    const { head } = this.#subscribers;
    if (head === null) {
      this.#table.cancel(this.#slots.first(), act);
      return;
    }
    const { fn, subject } = head;
    this.#drop(head);
    fn(subject, act);
  }

  // Of a signal that is cancelled near the end of the stack all would hear, and
  // some could not end.
  #hear() {
    try {
      needRoom();
    } catch {
      apply(then, resolved, [() => this.#fire()]);
      return;
    }
    this.#fire();
  }

  #fire() {
    this.#forget();
    const thrown = bareList();
    const act = new Act();
    while (this.#subscribers.size > 0 || this.#hasSlots) {
      try {
        this.#fireNext(act);
      } catch (error) {
        append(thrown, error);
      }
    }
    if (thrown.length > 0) {
      throw aggregateError(thrown, 'cancellation listeners failed');
    }
  }
}

bareClass(Hub);

// Of the signal that was subscribed to last, as long as it has subscribers.
let lastHub = null;

/**
 * @param {object} signal
 * @returns {Hub | null} null if it is not the one that was subscribed to last:
 *   then `subscribe` has to be asked, which may call the signal's own functions
 */
const knownHub = (signal) =>
  lastHub !== null && lastHub.signal === signal ? lastHub : null;

function hubOf(signal) {
  if (lastHub !== null && lastHub.signal === signal) return lastHub;
  let hub = hubs.get(signal);
  if (hub === undefined) {
    hub = new Hub(signal);
    hubs.set(signal, hub);
    try {
      signal.addEventListener('abort', hub.listener);
    } catch (error) {
      // The next one must not take it for heard.
      hubs.delete(signal);
      throw error;
    }
    // Adding may have called it, or have added another job.
    if (hubs.get(signal) !== hub) return hub;
  }
  lastHub = hub;
  return hub;
}

/**
 * Calls `fn(subject, act)` once when the signal is cancelled; at once, and
 * without an act, if it already is. A signal without addEventListener can be read but never reports.
 *
 * @template T
 * @param {object} signal one that `isSignal` accepts
 * @param {(subject: T, act?: Act) => void} fn what it throws goes to whoever cancels the
 *   signal, after all others were called; a WorkerCancellationSignal swallows
 *   it
 * @param {T} [subject]
 * @returns {{ remove(): void } | null} null when there is nothing to remove
 */
function subscribe(signal, fn, subject) {
  if (isSignalCancelled(signal)) {
    fn(subject);
    return null;
  }
  if (typeof signal.addEventListener !== 'function') return null;
  const subscription = new Subscription(fn, subject);
  hubOf(signal).add(subscription);
  return subscription;
}

/**
 * As `subscribe`.
 *
 * @param {object} signal
 * @param {() => void} fn
 * @returns {() => void} unsubscribes; harmless when called again
 */
function onSignalCancel(signal, fn) {
  const subscription = subscribe(signal, fn);
  return subscription === null ? nothing : () => subscription.remove();
}

module.exports = {
  isSignal,
  isSignalCancelled,
  isTimeoutReason,
  knownHub,
  onSignalCancel,
  readReason,
  subscribe,
};
