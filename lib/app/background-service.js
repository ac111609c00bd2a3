'use strict';

const {
  WorkerCancellationController,
  cancelNow,
} = require('../signals/cancellation.js');
const { Code } = require('../protocol/diagnostics.gen.js');
const { guardMethods } = require('../base/guard-methods.js');
const { now } = require('../base/primordials.js');
const { schedule } = require('../timers/timer-heap.js');
const { checkName, checkTimeoutMs } = require('../base/validate.js');
const { takeOptions } = require('../options/take-options.js');
const { workerError } = require('../protocol/sloppy-worker-error.js');

const START_POLICIES = ['app', 'manual'];

function readPolicies({ start = 'app', shutdown = 'cancel-and-drain' }) {
  if (!START_POLICIES.includes(start)) {
    throw new TypeError('BackgroundService start must be "app" or "manual".');
  }
  if (typeof shutdown !== 'string') {
    throw new TypeError('BackgroundService shutdown must be a string.');
  }
  return { start, shutdown };
}

/**
 * One execution of a service's handler. The service drops a run that was forced
 * to stop, so its late result is ignored.
 */
class Run {
  #controller = new WorkerCancellationController();
  #entered = false;
  #stopReason;
  #timers = [];
  #resolveEnded;
  stopRequested = false;
  forced = false;

  constructor() {
    /** Resolves when the handler settled or was given up on. */
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
  }

  get signal() {
    return this.#controller.signal;
  }

  /**
   * Calls the handler. An error that it throws synchronously has a code of its
   * own.
   *
   * @returns {Promise<SloppyWorkerError | undefined>} the failure
   */
  async execute(name, handler) {
    let work;
    try {
      work = handler(Object.freeze({ name, signal: this.signal }));
    } catch (error) {
      return workerError(Code.ServiceStartFailed, undefined, { cause: error });
    } finally {
      this.#entered = true;
      if (this.stopRequested) cancelNow(this.#controller, this.#stopReason);
    }
    try {
      await work;
      return undefined;
    } catch (error) {
      return workerError(Code.ServiceFailed, undefined, { cause: error });
    }
  }

  /**
   * The first reason wins. A handler that has not been entered yet is
   * cancelled right after its synchronous part, so that the listeners it adds
   * there are called.
   */
  requestStop(reason) {
    if (this.stopRequested) return;
    this.stopRequested = true;
    this.#stopReason = reason;
    if (this.#entered) cancelNow(this.#controller, reason);
  }

  /** Calls `force` unless the run ends within `timeoutMs`. */
  limitStop(timeoutMs, force) {
    this.#timers.push(schedule(now() + timeoutMs, force));
  }

  end() {
    for (const timer of this.#timers) timer.cancel();
    this.#resolveEnded();
  }
}

let isService;

/** The handle that `BackgroundService.create` returns. Sealed. */
class BackgroundServiceHandle {
  #name;
  #handler;
  #policies;
  #state = 'created';
  #failure = undefined;
  #run = null;

  constructor(name, handler, policies) {
    this.#name = name;
    this.#handler = handler;
    this.#policies = policies;
    Object.seal(this);
  }

  get name() {
    return this.#name;
  }

  /** `created`, `running`, `completed`, `failed` or `stopped`. */
  get state() {
    return this.#state;
  }

  /**
   * The error of the last run that failed; its `cause` is the value that the
   * handler threw.
   */
  get failure() {
    return this.#failure;
  }

  /**
   * Runs the handler in a later microtask, unless it runs already. A
   * completed or failed service runs again.
   *
   * @returns {this}
   * @throws {SLOPPY_E_WORKER_STALE_HANDLE} after `stop()`
   */
  start() {
    if (this.#state === 'stopped') {
      throw workerError(
        Code.StaleHandle,
        'background service has been stopped',
      );
    }
    if (this.#state !== 'running') {
      this.#state = 'running';
      this.#failure = undefined;
      this.#run = new Run();
      this.#execute(this.#run);
    }
    return this;
  }

  /**
   * Cancels the handler's signal and waits for the handler to settle. A
   * rejection after that counts as its response to the cancellation.
   *
   * @param {unknown} [reason] default `"app shutdown"`; the first one wins
   * @param {{ timeoutMs?: number }} [options] give up waiting after this many
   *   milliseconds; the handler's late result is dropped. Default: no limit
   * @returns {Promise<void>} rejects for a bad `timeoutMs` only
   */
  async stop(reason = 'app shutdown', options = undefined) {
    await this.#stop(reason, options);
  }

  /** Waits for `stop()`. */
  async [Symbol.asyncDispose]() {
    await this.stop();
  }

  get __sloppyWorkerResource() {
    return 'backgroundService';
  }

  __sloppyPlanMetadata() {
    return { kind: 'backgroundService', name: this.#name, ...this.#policies };
  }

  __sloppyStartForApp() {
    return this.start();
  }

  /** @returns {Promise<{ forced: boolean }>} */
  async __sloppyStopForApp(reason, options) {
    return { forced: await this.#stop(reason, options) };
  }

  async #execute(run) {
    await null;
    const failure = await run.execute(this.#name, this.#handler);
    if (this.#run === run) this.#settle(failure);
  }

  #settle(failure) {
    const run = this.#run;
    this.#run = null;
    if (run.stopRequested) {
      this.#state = 'stopped';
    } else if (failure === undefined) {
      this.#state = 'completed';
    } else {
      this.#state = 'failed';
      this.#failure = failure;
    }
    run.end();
  }

  /** @returns {Promise<boolean>} whether the handler was given up on */
  async #stop(reason, options) {
    const { timeoutMs } = takeOptions('BackgroundService.stop', options, [
      'timeoutMs',
    ]);
    const limitMs =
      timeoutMs === undefined ? Infinity : checkTimeoutMs(timeoutMs);
    const run = this.#run;
    if (run === null) {
      this.#state = 'stopped';
      return false;
    }
    run.requestStop(reason);
    if (limitMs !== Infinity) {
      run.limitStop(limitMs, () => {
        run.forced = true;
        this.#settle(undefined);
      });
    }
    await run.ended;
    return run.forced;
  }

  static {
    isService = (value) =>
      typeof value === 'object' && value !== null && #state in value;
  }
}

guardMethods(BackgroundServiceHandle, {
  name: 'BackgroundService',
  isHandle: isService,
  promised: [],
});

/**
 * A handler whose life is bound to the app's: started by `app.use()`, stopped
 * by the app's shutdown.
 */
const BackgroundService = Object.freeze({
  /**
   * @param {string} name 1 to 128 characters
   * @param {(context: { name: string, signal: object }) => unknown} handler
   * @param {object} [options]
   * @param {'app' | 'manual'} [options.start] `manual`: `app.use()` does not
   *   start it; default `app`
   * @param {string} [options.shutdown] for the plan's metadata; default
   *   `cancel-and-drain`
   * @returns {BackgroundServiceHandle}
   * @throws {TypeError}
   */
  create(name, handler, options = undefined) {
    const bag = takeOptions('BackgroundService.create', options, [
      'start',
      'shutdown',
    ]);
    checkName('BackgroundService', name);
    if (typeof handler !== 'function') {
      throw new TypeError('BackgroundService.create requires a function.');
    }
    return new BackgroundServiceHandle(name, handler, readPolicies(bag));
  },
});

module.exports = { BackgroundService };
