'use strict';

const { boundListener, listenOnce } = require('../base/bound-listener.js');
const { freeze } = require('../base/primordials.js');
const { mixInto } = require('./mix-into.js');

/**
 * Gives the class of a pool's handle what only looks at the pool: counters,
 * profiles, snapshots and events. The class checks the handle: see
 * guardMethods.
 *
 * @param {Function} Class
 * @param {(handle: object) => PoolCore} coreOf
 */
function observable(Class, coreOf) {
  class Observable {
    /**
     * Counters since the pool was made, gauges of now, and histograms since the
     * first call, or since it was made with the option `metrics`.
     *
     * @returns {object} frozen; see docs/observability.md
     */
    metrics() {
      return coreOf(this).metrics();
    }

    /**
     * Writes CPU profiles of the workers, also while a job loops. With several
     * workers each writes a file of its own, its number before the extension.
     *
     * @param {object} options
     * @param {string | URL} options.path `….cpuprofile` for Chrome DevTools
     * @param {number} [options.durationMs] default 1000
     * @returns {Promise<string[]>} the files
     * @throws {TypeError}
     * @throws {SLOPPY_E_WORK_QUEUE_STOPPED}
     * @throws {SLOPPY_E_WORKER_POOL_UNAVAILABLE} every worker ended or was
     *   renewed meanwhile, or is profiled already
     */
    async cpuProfile(options) {
      const { inspector } = coreOf(this);
      return inspector.cpuProfile('WorkerPool.cpuProfile', options);
    }

    /**
     * Writes snapshots of the workers' heaps, to paths as with `cpuProfile`.
     *
     * @param {object} options
     * @param {string | URL} options.path `….heapsnapshot` for Chrome DevTools
     * @returns {Promise<string[]>} the files
     */
    async heapSnapshot(options) {
      const { inspector } = coreOf(this);
      return inspector.heapSnapshot('WorkerPool.heapSnapshot', options);
    }

    /**
     * Memory and CPU time of each worker. Resolves when all of them have
     * answered.
     *
     * @returns {Promise<object[]>} frozen `{ worker, heapUsedBytes,
     *   heapTotalBytes, externalBytes, memoryLimitBytes, cpuMs, codeCache }`
     */
    async stats() {
      return coreOf(this).executor?.inspector.stats() ?? freeze([]);
    }

    /**
     * Events: `drain` (there is room again after `needsDrain`), `idle` (nothing
     * is queued or running), `workerStarted` and `workerExit` (of a thread),
     * `error` (an uncaught error of a worker, and `'uncaughtException'` or
     * `'unhandledRejection'`). Without a listener for `error` such errors are
     * printed to stderr; the job's outcome and the worker are the same either
     * way.
     */
    on(event, listener) {
      coreOf(this).events.on(event, boundListener(listener));
      coreOf(this).listeners.changed();
      return this;
    }

    /**
     * The same as `on`, for functions that take any emitter: `events.on` and
     * `events.once`.
     */
    addListener(event, listener) {
      return this.on(event, listener);
    }

    once(event, listener) {
      listenOnce(coreOf(this).events, event, listener);
      coreOf(this).listeners.changed();
      return this;
    }

    off(event, listener) {
      coreOf(this).events.off(event, listener);
      coreOf(this).listeners.changed();
      return this;
    }

    removeListener(event, listener) {
      return this.off(event, listener);
    }
  }

  mixInto(Class, Observable);
}

module.exports = { observable };
