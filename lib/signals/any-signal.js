'use strict';

/**
 * One interface to any cancellation signal: WorkerCancellationSignal, the
 * signal of `sloppy/time`, AbortSignal of any realm, and objects that only have
 * a boolean `cancelled` or `aborted`.
 *
 * Subscribers of a foreign signal share one listener on it. Node searches its
 * listeners on every add, so with a listener per job the n-th job on a shared
 * AbortSignal would cost O(n).
 */

const { SharedStack } = require('../errors/shared-stack.js');
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
 * @returns {unknown} its reason; undefined if the getter throws
 */
function readReason(signal) {
  try {
    return signal?.reason;
  } catch {
    // The operation must settle even if a foreign getter throws.
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
    // A getter that throws counts as no timeout.
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

  /** May be called again. */
  remove() {
    this.hub?.remove(this);
  }
}

bareClass(Subscription);

class Hub {
  /** The signal has its listener. */
  isHeard = false;
  #subscribers = new LinkedList();
  // Plain jobs (see JobSlots) and their table.
  #slots = null;
  #table = null;

  constructor(signal) {
    this.signal = signal;
    this.listener = () => this.#onAbort();
  }

  add(subscription) {
    subscription.hub = this;
    this.#subscribers.push(subscription);
  }

  /** Subscribes without a look at the signal, which may throw. */
  subscribe(fn, subject) {
    const subscription = new Subscription(fn, subject);
    this.add(subscription);
    return subscription;
  }

  remove(subscription) {
    this.#drop(subscription);
    this.#forgetIfUnused();
  }

  /**
   * Adds a plain job: `table.cancel` is called when the signal is cancelled.
   */
  addSlot(table, slot, serial) {
    if (this.#slots === null) {
      this.#slots = new SlotRoster(table);
      this.#table = table;
    }
    this.#slots.join(slot, serial);
  }

  /** A plain job left; its serial in the table has changed. */
  removeSlot() {
    this.#slots.leave();
    this.#forgetIfUnused();
  }

  #forgetIfUnused() {
    if (this.#subscribers.size > 0 || this.#hasSlots) return;
    if (this.isHeard) this.#forget();
  }

  get #hasSlots() {
    return this.#slots !== null && this.#slots.size > 0;
  }

  #drop(subscription) {
    this.#subscribers.remove(subscription);
    subscription.hub = null;
  }

  #forget() {
    this.isHeard = false;
    if (hubs.get(this.signal) === this) hubs.delete(this.signal);
    if (lastHub === this) lastHub = null;
    try {
      this.signal.removeEventListener?.('abort', this.listener);
    } catch {
      // Other subscribers must be called even if a foreign signal throws here.
    }
  }

  // Subscribers go first, because the first job with a signal is one.
  #fireNext(sharedStack) {
    const { head } = this.#subscribers;
    if (head === null) {
      this.#table.cancel(this.#slots.first(), sharedStack);
      return;
    }
    const { fn, subject } = head;
    this.#drop(head);
    fn(subject, sharedStack);
  }

  // Near the end of the stack the subscribers are called later, because some of
  // them could not finish here.
  #onAbort() {
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
    const sharedStack = new SharedStack();
    while (this.#subscribers.size > 0 || this.#hasSlots) {
      try {
        this.#fireNext(sharedStack);
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

// The hub of the signal that was subscribed to last, while it has subscribers.
let lastHub = null;

/**
 * @param {object} signal
 * @returns {Hub | null} null if the signal is not the one that was subscribed
 *   to last; `subscribe` may then call functions of the signal
 */
const knownHub = (signal) =>
  lastHub !== null && lastHub.signal === signal ? lastHub : null;

function hubOf(signal) {
  if (lastHub !== null && lastHub.signal === signal) return lastHub;
  let hub = hubs.get(signal);
  if (hub === undefined) {
    hub = new Hub(signal);
    hubs.set(signal, hub);
  }
  // Another one that is subscribing now does not count, because its call of
  // the signal may yet throw.
  if (!hub.isHeard) {
    try {
      signal.addEventListener('abort', hub.listener);
      hub.isHeard = true;
    } catch (error) {
      // The next subscriber must try again.
      if (!hub.isHeard && hubs.get(signal) === hub) hubs.delete(signal);
      throw error;
    }
    // Adding may have called the listener, or added another job.
    if (hubs.get(signal) !== hub) return hub;
  }
  lastHub = hub;
  return hub;
}

/**
 * Calls `fn(subject, sharedStack)` once when the signal is cancelled; at once,
 * and without a shared stack, if it already is. A signal without
 * addEventListener can be read but never reports.
 *
 * @template T
 * @param {object} signal one that `isSignal` accepts
 * @param {(subject: T, sharedStack?: SharedStack) => void} fn an error it
 *   throws reaches the code that cancels the signal, after all others were
 *   called; a WorkerCancellationSignal swallows it
 * @param {T} [subject]
 * @returns {{ remove(): void } | null} null if there is nothing to remove
 */
function subscribe(signal, fn, subject) {
  if (isSignalCancelled(signal)) {
    fn(subject);
    return null;
  }
  if (typeof signal.addEventListener !== 'function') return null;
  const subscription = new Subscription(fn, subject);
  const isKnown = knownHub(signal) !== null;
  hubOf(signal).add(subscription);
  if (isKnown) return subscription;
  // Adding the listener has run code that may have cancelled the signal before
  // the listener was there.
  let isCancelled;
  try {
    isCancelled = isSignalCancelled(signal);
  } catch (error) {
    // `fn` may have been called meanwhile, which is an answer.
    if (subscription.hub === null) return null;
    subscription.remove();
    throw error;
  }
  if (!isCancelled || subscription.hub === null) return subscription;
  subscription.remove();
  fn(subject);
  return null;
}

/**
 * The same as `subscribe`.
 *
 * @param {object} signal
 * @param {() => void} fn
 * @returns {() => void} unsubscribes; may be called again
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
