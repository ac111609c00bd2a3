'use strict';

const { append, bareList } = require('../base/bare.js');
const { callListener } = require('../base/call-listener.js');
const { aggregateError } = require('../base/primordials.js');
const { AsyncResource } = require('node:async_hooks');
const { checkDelay } = require('../signals/deadline.js');
const { CancelState } = require('../signals/cancel-state.js');
const { onSignalCancel, readReason } = require('../signals/any-signal.js');
const {
  fakeableNow,
  scheduleFakeable,
} = require('../timers/fakeable-timers.js');
const { takeOptions } = require('../options/take-options.js');
const { checkSignal, readDeadline } = require('../signals/time-arguments.js');
const {
  CancelledError,
  TimeoutError,
  TimerDisposedError,
} = require('../signals/time-errors.js');

const KNOWN = ['signal', 'signals', 'timeoutMs', 'deadline'];

/**
 * The error of an operation whose signal was cancelled: the reason itself if
 * it is a CancelledError already.
 *
 * @param {unknown} reason
 * @returns {CancelledError}
 */
function cancelledError(reason) {
  if (reason instanceof CancelledError) return reason;
  return new CancelledError(undefined, { reason });
}

/** The signal of a CancellationController. Listeners receive the reason. */
class CancellationSignal {
  #state;

  constructor(state) {
    this.#state = state;
    Object.seal(this);
  }

  get aborted() {
    return this.#state.cancelled;
  }

  /** Mirrors `aborted`, as in WorkerCancellationSignal. */
  get cancelled() {
    return this.#state.cancelled;
  }

  get reason() {
    return this.#state.reason;
  }

  /** @throws {CancelledError} with the reason, or the reason if it is one */
  throwIfCancelled() {
    if (this.#state.cancelled) throw cancelledError(this.#state.reason);
  }

  addEventListener(type, listener) {
    this.#state.add(type, listener);
  }

  removeEventListener(type, listener) {
    this.#state.remove(type, listener);
  }
}

function readSignals(options) {
  const list = (value) => {
    if (value === undefined) return [];
    return Array.isArray(value) ? value : [value];
  };
  const signals = [...list(options.signal), ...list(options.signals)];
  for (const signal of signals) checkSignal('CancellationController', signal);
  return signals;
}

function readExpiry(options) {
  const now = fakeableNow();
  const timeoutAt =
    options.timeoutMs === undefined
      ? Infinity
      : now + checkDelay('CancellationController', options.timeoutMs);
  const remainingMs = readDeadline('CancellationController', options.deadline);
  return Math.min(timeoutAt, now + remainingMs);
}

/**
 * Cancels its signal by a call, when a source signal is cancelled, or when time
 * runs out, whichever is first. Holds listeners on its sources and a timer
 * until it is cancelled or disposed. The timer keeps the process alive only
 * while the signal has listeners.
 */
class CancellationController {
  #state;
  #unlink = [];
  #timer = null;
  #disposed = false;

  /**
   * @param {object} [options]
   * @param {object | object[]} [options.signal] sources to follow
   * @param {object[]} [options.signals] more of them
   * @param {number} [options.timeoutMs]
   * @param {{ remainingMs(): number } | number} [options.deadline]
   * @throws {TypeError | InvalidDeadlineError}
   */
  constructor(options = undefined) {
    const bag = takeOptions('CancellationController', options, KNOWN);
    const sources = readSignals(bag);
    const expiresAt = readExpiry(bag);
    this.#state = new CancelState((listening) => {
      if (listening) this.#timer?.ref();
      else this.#timer?.unref();
    });
    this.signal = new CancellationSignal(this.#state);
    Object.freeze(this);
    this.#link(sources);
    this.#watch(expiresAt);
  }

  /** A controller that follows the given signals. */
  static linked(...signals) {
    return new CancellationController({ signals });
  }

  /**
   * A controller that cancels itself with a TimeoutError after `ms`.
   *
   * @throws {InvalidDeadlineError}
   */
  static timeout(ms, options = undefined) {
    const timeoutMs = checkDelay('CancellationController.timeout', ms);
    const bag = takeOptions('CancellationController.timeout', options, KNOWN);
    return new CancellationController({ ...bag, timeoutMs });
  }

  /**
   * @param {unknown} [reason] default `"cancelled"`
   * @returns {boolean} true for the first call, false after
   * @throws {TimerDisposedError} after `dispose()`
   * @throws {AggregateError} errors that listeners threw, after all were called
   */
  cancel(reason = 'cancelled') {
    if (this.#disposed) {
      throw new TimerDisposedError('Cancellation controller is disposed.');
    }
    const thrown = bareList();
    const isFirst = this.#cancelWith(reason, (listener) => {
      try {
        listener(reason);
      } catch (error) {
        append(thrown, error);
      }
    });
    if (thrown.length > 0) {
      throw aggregateError(thrown, 'Cancellation listeners failed.');
    }
    return isFirst;
  }

  /** Releases sources and timer. The signal keeps its state. */
  dispose() {
    this.#disposed = true;
    this.#release();
  }

  [Symbol.dispose]() {
    this.dispose();
  }

  #link(sources) {
    for (const source of sources) {
      if (this.#state.cancelled) return;
      const unlink = onSignalCancel(source, () =>
        this.#cancel(readReason(source)),
      );
      if (!this.#state.cancelled) this.#unlink.push(unlink);
    }
  }

  #watch(expiresAt) {
    if (this.#state.cancelled || expiresAt === Infinity) return;
    // Listeners run in the async context in which the controller was made.
    const expire = AsyncResource.bind(() => this.#cancel(new TimeoutError()));
    if (expiresAt <= fakeableNow()) expire();
    else this.#timer = scheduleFakeable(expiresAt, expire, { ref: false });
  }

  // A source or the time cancels: no call of the program's waits for the
  // listeners, so what they throw is a warning.
  #cancel(reason) {
    this.#cancelWith(reason, (listener) => callListener(listener, reason));
  }

  #cancelWith(reason, call) {
    if (this.#state.cancelled) return false;
    this.#release();
    return this.#state.cancelWith(reason, call);
  }

  #release() {
    this.#timer?.cancel();
    this.#timer = null;
    for (const unlink of this.#unlink.splice(0)) unlink();
  }
}

module.exports = { CancellationController, cancelledError };
