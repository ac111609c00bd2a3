'use strict';

const { workerError } = require('../protocol/sloppy-worker-error.js');
const { Code } = require('../protocol/diagnostics.gen.js');
const {
  isSignal,
  onSignalCancel,
  readReason,
} = require('../signals/any-signal.js');
const { checkTimeoutMs, positiveInteger } = require('../base/validate.js');
const { takeOptions } = require('../options/take-options.js');
const { waitAtMost } = require('../timers/wait-at-most.js');

const DEFAULT_MAX_CLEANUPS = 1024;
const DEFAULT_STEP_TIMEOUT_MS = 10_000;

/** @throws {TypeError} */
function readLimit(options) {
  const { timeoutMs } = takeOptions('Scope.close', options, ['timeoutMs']);
  if (timeoutMs === undefined) return DEFAULT_STEP_TIMEOUT_MS;
  return timeoutMs === Infinity ? timeoutMs : checkTimeoutMs(timeoutMs);
}

/**
 * Calls one cleanup and waits for it, but never longer than its limit.
 *
 * @returns {Promise<object>} frozen `{ label, outcome, error }`, outcome
 *   `done`, `forced` or `failed`
 */
async function runCleanup({ cleanup, label, graceMs }, reason, timeoutMs) {
  try {
    const work = cleanup(reason, Object.freeze({ timeoutMs }));
    const { timedOut, value } = await waitAtMost(work, timeoutMs + graceMs);
    const outcome = timedOut || value?.forced === true ? 'forced' : 'done';
    return Object.freeze({ label, outcome, error: undefined });
  } catch (error) {
    return Object.freeze({ label, outcome: 'failed', error });
  }
}

/**
 * The lifetime of a request or an app, with the cleanups to run at its end.
 *
 * 1. Cleanups run one after the other, last registered first, each exactly
 *    once, at `close()` or the signal's cancellation, whichever is first.
 * 2. A closed or closing scope takes no cleanup. A cleanup may call `close()`
 *    itself: nothing runs twice and it does not wait for itself.
 * 3. A cleanup that throws or hangs does not keep the others from running.
 */
class Scope {
  #kind;
  #maxCleanups;
  #cleanups = new Set();
  #closing = null;
  #inCleanup = false;
  #unsubscribe = [];
  #onClosed;

  /**
   * @param {'app' | 'request' | 'worker'} kind
   * @param {object} [options]
   * @param {number} [options.maxCleanups] default 1024
   * @param {() => void} [options.onClosed] called once, after the last cleanup
   */
  constructor(kind, options = {}) {
    this.#kind = kind;
    this.#maxCleanups =
      options.maxCleanups === Infinity
        ? Infinity
        : positiveInteger(
            'Scope.maxCleanups',
            options.maxCleanups,
            DEFAULT_MAX_CLEANUPS,
          );
    this.#onClosed = options.onClosed;
    Object.freeze(this);
  }

  get kind() {
    return this.#kind;
  }

  /** True from the start of `close()`. */
  get closed() {
    return this.#closing !== null;
  }

  /** True inside the synchronous part of a cleanup. */
  get inCleanup() {
    return this.#inCleanup;
  }

  /**
   * @param {(reason: unknown, limits: { timeoutMs: number }) => unknown} cleanup
   *   may return a promise; the scope waits for it, `timeoutMs` at most. It
   *   may resolve to `{ forced: true }` to report that it had to use force
   * @param {object} [details]
   * @param {unknown} [details.label] stands for the cleanup in the report
   * @param {number} [details.graceMs] additional time for a cleanup that uses
   *   force itself
   * @returns {() => void} removes the cleanup
   * @throws {TypeError} not a function
   * @throws {SLOPPY_E_WORKER_STALE_HANDLE} the scope is closed
   * @throws {SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED} too many cleanups
   */
  add(cleanup, { label, graceMs = 0 } = {}) {
    if (typeof cleanup !== 'function') {
      throw new TypeError('Scope.add requires a cleanup function.');
    }
    if (this.closed) throw workerError(Code.StaleHandle, 'scope is closed');
    if (this.#cleanups.size >= this.#maxCleanups) {
      throw workerError(Code.ResourceLimit, 'scope holds too many cleanups');
    }
    const entry = { cleanup, label, graceMs };
    this.#cleanups.add(entry);
    return () => {
      this.#cleanups.delete(entry);
    };
  }

  /**
   * Runs the cleanups. Later calls run nothing and wait for the first one,
   * except from inside a cleanup, where they return at once.
   *
   * @param {unknown} [reason] passed to the cleanups; default `"scope end"`
   * @param {{ timeoutMs?: number }} [options] limit for each cleanup, or
   *   Infinity; default 10 000
   * @returns {Promise<readonly object[]>} one `{ label, outcome, error }` per
   *   cleanup, in the order they ran; rejects for bad options only, and runs
   *   nothing then
   */
  close(reason = 'scope end', options = undefined) {
    let limitMs;
    try {
      limitMs = readLimit(options);
    } catch (error) {
      return Promise.reject(error);
    }
    if (this.#inCleanup) return Promise.resolve(Object.freeze([]));
    if (this.#closing === null) {
      let resolveClosed;
      this.#closing = new Promise((resolve) => {
        resolveClosed = resolve;
      });
      resolveClosed(this.#runAll(reason, limitMs));
    }
    return this.#closing;
  }

  /**
   * Closes the scope when the signal is cancelled; at once if it is.
   *
   * @throws {TypeError}
   */
  closeOn(signal) {
    if (!isSignal(signal)) {
      throw new TypeError(
        'Scope.closeOn signal must be a Sloppy cancellation signal or ' +
          'AbortSignal-like object.',
      );
    }
    const unsubscribe = onSignalCancel(signal, () =>
      this.close(readReason(signal)),
    );
    if (!this.closed) this.#unsubscribe.push(unsubscribe);
  }

  [Symbol.asyncDispose]() {
    return this.close();
  }

  async #runAll(reason, timeoutMs) {
    for (const unsubscribe of this.#unsubscribe.splice(0)) unsubscribe();
    const report = [];
    const entries = [...this.#cleanups].reverse();
    for (const entry of entries) {
      // A cleanup that ran before may have removed this one.
      if (!this.#cleanups.delete(entry)) continue;
      this.#inCleanup = true;
      const step = runCleanup(entry, reason, timeoutMs);
      this.#inCleanup = false;
      report.push(await step);
    }
    this.#onClosed?.();
    return Object.freeze(report);
  }
}

module.exports = { DEFAULT_STEP_TIMEOUT_MS, Scope };
