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

const { WorkerCancellationSignal } = require('../cancellation.js');
const { bareClass } = require('./bare.js');

const hubs = new WeakMap();

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

class Hub {
  subscribers = new Set();

  constructor(signal) {
    this.signal = signal;
    this.listener = () => this.#fire();
  }

  #fire() {
    hubs.delete(this.signal);
    this.signal.removeEventListener?.('abort', this.listener);
    const thrown = [];
    for (const subscriber of this.subscribers) {
      try {
        subscriber();
      } catch (error) {
        thrown.push(error);
      }
    }
    if (thrown.length > 0) {
      throw new AggregateError(thrown, 'cancellation listeners failed');
    }
  }

  remove(subscriber) {
    this.subscribers.delete(subscriber);
    if (this.subscribers.size > 0 || hubs.get(this.signal) !== this) return;
    hubs.delete(this.signal);
    this.signal.removeEventListener?.('abort', this.listener);
  }
}

bareClass(Hub);

function hubOf(signal) {
  let hub = hubs.get(signal);
  if (hub === undefined) {
    hub = new Hub(signal);
    hubs.set(signal, hub);
    signal.addEventListener('abort', hub.listener);
  }
  return hub;
}

/**
 * Calls `fn` once when the signal is cancelled; at once if it already is.
 * A signal without addEventListener can be read but never reports.
 *
 * @param {object} signal one that `isSignal` accepts
 * @param {() => void} fn what it throws goes to whoever cancels the signal,
 *   after all others were called; a WorkerCancellationSignal swallows it
 * @returns {() => void} unsubscribes; harmless when called again
 */
function onSignalCancel(signal, fn) {
  if (isSignalCancelled(signal)) {
    fn();
    return nothing;
  }
  if (typeof signal.addEventListener !== 'function') return nothing;
  // A fresh function per subscription: one `fn` may subscribe several times.
  const subscriber = () => fn();
  if (signal instanceof WorkerCancellationSignal) {
    signal.addEventListener('abort', subscriber);
    return () => signal.removeEventListener('abort', subscriber);
  }
  const hub = hubOf(signal);
  hub.subscribers.add(subscriber);
  return () => hub.remove(subscriber);
}

module.exports = {
  isSignal,
  isSignalCancelled,
  isTimeoutReason,
  onSignalCancel,
  readReason,
};
