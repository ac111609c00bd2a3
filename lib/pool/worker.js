'use strict';

const { boundListener } = require('../base/bound-listener.js');
const { callListener } = require('../base/call-listener.js');
const { Code } = require('../protocol/diagnostics.gen.js');
const { disposable } = require('../base/disposable.js');
const { guardMethods, rejectDetached } = require('../base/guard-methods.js');
const { checkExports } = require('../entries/module-exports.js');
const { readModulePath } = require('../entries/module-path.js');
const { requireAddon } = require('../executors/index.js');
const { readIsolateSettings } = require('../options/isolate-settings.js');
const { WORKER, WORKER_CALL } = require('../options/option-sets.js');
const { refuseMistakenCall } = require('../options/mistaken-call-options.js');
const { refuseMistaken } = require('../options/mistaken-options.js');
const { readInit } = require('../options/init.js');
const { ownOptions, plainOptions } = require('../base/validate.js');
const { stoppedByApp } = require('./for-app.js');
const { outOfRoom } = require('../base/stack-room.js');
const { checkFile, moduleReady, openWorker } = require('./worker-start.js');
const {
  SloppyWorkerError,
  workerError,
} = require('../protocol/sloppy-worker-error.js');
const { OwnSet, freeze, seal } = require('../base/primordials.js');

function callAll(listeners, call) {
  listeners.forEach(({ callback }) => {
    call(callback);
  });
}

let isWorker;

/** The handle that `Worker.start` resolves with. Sealed. */
class WorkerHandle {
  #modulePath;
  #core;
  #listeners = new OwnSet();
  #errorListeners = new OwnSet();

  constructor(modulePath, core) {
    this.#modulePath = modulePath;
    this.#core = core;
    const listeners = this.#listeners;
    core.executor.onMessage = (value) =>
      callAll(listeners, (callback) => callListener(callback, value));
    seal(this);
  }

  /** The module given to `Worker.start`. */
  get modulePath() {
    return this.#modulePath;
  }

  /**
   * Calls an exported function with a copy of `payload`. One call runs at a
   * time, in the order of submission.
   *
   * @param {string} exportName
   * @param {unknown} [payload] default null
   * @param {object} [options] `signal`, `deadline`, `timeoutMs`,
   *   `runTimeoutMs`, `transfer`, `onMessage`; see `WorkerPool.run`
   * @returns {Promise<unknown>} a copy of the function's result
   * @throws {SLOPPY_E_WORKER_STALE_HANDLE}
   * @throws {TypeError} `exportName` is not a non-empty string; bad options
   * @throws {SLOPPY_E_WORKER_POOL_SATURATED} the 65th outstanding call
   * @throws {SLOPPY_E_WORKER_CRASHED} the export is missing or no function
   * @throws {SLOPPY_E_WORK_JOB_FAILED} the function threw; see `cause`
   */
  invoke(exportName, payload = undefined, options = undefined) {
    try {
      const core = this.#core;
      core.admission.checkStopped();
      if (typeof exportName !== 'string' || exportName === '') {
        throw new TypeError(
          'Worker.invoke export name must be a non-empty string.',
        );
      }
      const bag = ownOptions(options);
      refuseMistakenCall('Worker.invoke', bag, WORKER_CALL);
      const entry = core.executor.entries.export(exportName);
      return core.submit(entry, core.inputOf(payload), bag);
    } catch (refusal) {
      try {
        if (!isWorker(this)) return rejectDetached('Worker.invoke');
        return this.#core.refuse(refusal);
      } catch {
        return outOfRoom;
      }
    }
  }

  /**
   * Counters since the start, gauges of now, and histograms since the first
   * call, or since the start with the option `metrics`.
   *
   * @returns {object} frozen; see docs/observability.md
   */
  metrics() {
    return this.#core.metrics();
  }

  /** See `WorkerPool.cpuProfile`. */
  async cpuProfile(options) {
    return this.#core.inspector.cpuProfile('Worker.cpuProfile', options);
  }

  /** See `WorkerPool.heapSnapshot`. */
  async heapSnapshot(options) {
    return this.#core.inspector.heapSnapshot('Worker.heapSnapshot', options);
  }

  /**
   * Its row of `WorkerPool.stats`.
   *
   * @returns {Promise<object>}
   * @throws {SLOPPY_E_WORKER_STALE_HANDLE}
   * @throws {SLOPPY_E_WORKER_POOL_UNAVAILABLE} its thread is being replaced
   */
  async stats() {
    const [row] = await this.#core.inspector.stats();
    if (row === undefined) throw workerError(Code.PoolUnavailable);
    return row;
  }

  /** Calls the export `onMessage`; see `invoke`. */
  post(message, options = undefined) {
    refuseMistakenCall('Worker.post', ownOptions(options), WORKER_CALL);
    return this.invoke('onMessage', message, options);
  }

  /**
   * Receives values that the module sends with `postMessage(value)`, and those
   * that calls without an `onMessage` of their own send with
   * `context.emit(value)`. An error of a callback becomes a warning.
   *
   * @param {(value: unknown) => void} callback
   * @returns {() => void} unsubscribes; harmless when called again
   * @throws {SLOPPY_E_WORKER_STALE_HANDLE}
   * @throws {TypeError}
   */
  onMessage(callback) {
    this.#core.admission.checkStopped();
    if (typeof callback !== 'function') {
      throw new TypeError('Worker.onMessage requires a callback.');
    }
    const subscription = { callback: boundListener(callback) };
    this.#listeners.add(subscription);
    return () => {
      this.#listeners.delete(subscription);
    };
  }

  /**
   * Receives uncaught errors of the isolate: errors of timers and microtasks,
   * unhandled rejections. Without a listener they are printed to stderr. The
   * isolate goes on.
   *
   * @param {(error: unknown,
   *   origin: 'uncaughtException' | 'unhandledRejection') => void} callback
   * @returns {() => void} unsubscribes; harmless when called again
   * @throws {SLOPPY_E_WORKER_STALE_HANDLE}
   * @throws {TypeError}
   */
  onError(callback) {
    this.#core.admission.checkStopped();
    if (typeof callback !== 'function') {
      throw new TypeError('Worker.onError requires a callback.');
    }
    const listeners = this.#errorListeners;
    const subscription = { callback: boundListener(callback) };
    listeners.add(subscription);
    const { executor } = this.#core;
    executor.onUncaught = (error, origin) =>
      callAll(listeners, (callback) => callListener(callback, error, origin));
    return () => {
      listeners.delete(subscription);
      if (listeners.size === 0) executor.onUncaught = null;
    };
  }

  /**
   * Its calls keep the process alive, as they do by default.
   *
   * @returns {this}
   */
  ref() {
    this.#core.setRef(true);
    return this;
  }

  /**
   * Its calls, also those under way, do not keep the process alive any more:
   * it may exit before they settle. `stop` does, until it resolves.
   *
   * @returns {this}
   */
  unref() {
    this.#core.setRef(false);
    return this;
  }

  /**
   * Lets admitted calls finish and ends the isolate. Idempotent.
   *
   * @param {object} [options]
   * @param {boolean} [options.drain] only `false` rejects queued calls
   * @param {number} [options.timeoutMs] after that, execution is terminated and
   *   remaining calls are rejected; default 5000
   * @returns {Promise<Readonly<{ cancelled: number, forced: number }>>}
   */
  async stop(options = undefined) {
    // The promise is awaited here, because its `then` may have been replaced.
    return await this.#core.stop(
      'Worker.stop',
      options,
      'worker operation options must be a plain object.',
    );
  }

  get __sloppyWorkerResource() {
    return 'jsWorker';
  }

  __sloppyPlanMetadata() {
    return {
      kind: 'jsWorker',
      path: String(this.#modulePath),
      memoryLimitMb: this.#core.policy.memoryLimitMb,
    };
  }

  __sloppyStartForApp() {
    this.#core.admission.checkStopped();
    return this;
  }

  static {
    isWorker = (value) =>
      typeof value === 'object' && value !== null && #core in value;
  }
}

stoppedByApp(WorkerHandle);
guardMethods(WorkerHandle, {
  name: 'Worker',
  isHandle: isWorker,
  promised: ['post'],
  hot: ['invoke'],
});
disposable(WorkerHandle);

// Options of the wrong type alone are reported first without the addon, because
// limits cannot be checked.
function readSettings(bag) {
  try {
    return readIsolateSettings('Worker', bag);
  } catch (error) {
    if (error instanceof SloppyWorkerError) requireAddon();
    throw error;
  }
}

/** An isolate with one module in it, on a thread of its own. */
const Worker = freeze({
  /**
   * Loads an ES module into a new isolate.
   *
   * @param {string | URL} modulePath a path, against the working directory,
   *   or a file: URL
   * @param {object} [options]
   * @param {number} [options.memoryLimitMb] 16 to 4096, default 128
   * @param {object} [options.init] `{ module, data, timeoutMs }`: see
   *   `WorkerPool.create`; its module is this one by default
   * @param {number} [options.startTimeoutMs] for the module's top level,
   *   default 30000
   * @returns {Promise<WorkerHandle>}
   * @throws {TypeError}
   * @throws {SLOPPY_E_WORKER_BRIDGE_UNAVAILABLE}
   * @throws {SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED}
   * @throws {SLOPPY_E_WORKER_ISOLATE_STARTUP_FAILED} see `cause`
   */
  async start(modulePath, options = undefined) {
    const bag = plainOptions('Worker.start', options);
    const path = readModulePath('Worker.start', modulePath);
    const settings = readSettings(bag);
    const init = readInit('Worker.start', bag.init, path, settings.carry);
    const startMs = WORKER.read('Worker', bag, 'startTimeoutMs');
    refuseMistaken('Worker.start', bag, WORKER.names);
    const core = openWorker(path, { ...settings, init, moduleMs: startMs });
    try {
      await checkFile(path, settings.maxModuleBytes);
      await checkExports(path);
    } catch (error) {
      await core.executor.close();
      throw error;
    }
    await moduleReady(core, startMs);
    core.admission.startCounting();
    if (settings.metrics) core.watch.measure();
    const handle = new WorkerHandle(modulePath, core);
    core.watch.created(handle);
    return handle;
  },
});

module.exports = { Worker };
