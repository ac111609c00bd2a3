'use strict';

const { CancelState } = require('./cancel-state.js');
const { Code } = require('../protocol/diagnostics.gen.js');
const { workerError } = require('../protocol/sloppy-worker-error.js');
const { asksForRoom } = require('../base/stack-room.js');
const { freeze, seal } = require('../base/primordials.js');

const needRoom = asksForRoom();
let fire;

/**
 * The signal of a WorkerCancellationController. Terminal: once cancelled it
 * stays cancelled, with its first reason.
 *
 * It is no AbortSignal, but has the members of one that the workers API and
 * most libraries read. Listeners receive the reason, not an Event.
 */
class WorkerCancellationSignal {
  #state = new CancelState();

  constructor() {
    seal(this);
  }

  get cancelled() {
    return this.#state.cancelled;
  }

  /** Mirrors `cancelled`, for code written against AbortSignal. */
  get aborted() {
    return this.#state.cancelled;
  }

  get reason() {
    return this.#state.reason;
  }

  /**
   * @throws {SLOPPY_E_WORK_JOB_CANCELLED} for any reason, and without it,
   *   because it may be private
   */
  throwIfCancelled() {
    if (this.#state.cancelled) throw workerError(Code.JobCancelled);
  }

  /**
   * Calls `listener(reason)` synchronously inside `cancel()`, at most once.
   * Does nothing for other types, non-functions, or after cancellation.
   */
  addEventListener(type, listener) {
    this.#state.add(type, listener);
  }

  removeEventListener(type, listener) {
    this.#state.remove(type, listener);
  }

  static {
    // A throwing listener neither stops the others nor reaches cancel().
    fire = (signal, reason) => signal.#state.cancel(reason);
  }
}

/** Owns one WorkerCancellationSignal. Frozen: `{ signal }`. */
class WorkerCancellationController {
  signal;

  constructor() {
    this.signal = new WorkerCancellationSignal();
    freeze(this);
  }

  /**
   * @param {unknown} [reason] default `"cancelled"`
   * @returns {boolean} true for the first call, false after
   * @throws {RangeError} too near the end of the stack to call every listener
   */
  cancel(reason = 'cancelled') {
    needRoom();
    return fire(this.signal, reason);
  }
}

/** Cancels for callers that have checked the stack's room themselves. */
const cancelNow = ({ signal }, reason = 'cancelled') => fire(signal, reason);

module.exports = {
  WorkerCancellationController,
  WorkerCancellationSignal,
  cancelNow,
};
