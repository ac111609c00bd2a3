'use strict';

const { growEnvironments } = require('../options/isolate-settings.js');
const { positiveInteger } = require('../base/validate.js');
const { mixInto } = require('./mix-into.js');

/**
 * Gives the class of a pool's handle what steers a running pool and submits
 * nothing: pauses, size, new workers, whether the process waits. The class checks
 * the handle: see guardMethods.
 *
 * @param {Function} Class
 * @param {(handle: object) => PoolCore} coreOf
 */
function steerable(Class, coreOf) {
  class Steerable {
    /** No worker takes another job until `resume`. Running ones go on. */
    pause() {
      coreOf(this).pause(true);
      return this;
    }

    resume() {
      coreOf(this).pause(false);
      return this;
    }

    /**
     * Its jobs keep the process alive, as they do by default.
     *
     * @returns {this}
     */
    ref() {
      coreOf(this).setRef(true);
      return this;
    }

    /**
     * Its jobs, also those under way, do not keep the process alive any more:
     * it may exit before they settle. `stop` does, until it resolves.
     *
     * @returns {this}
     */
    unref() {
      coreOf(this).setRef(false);
      return this;
    }

    /**
     * Changes the number of workers. Surplus ones leave when they are free.
     *
     * @param {number} workers
     * @throws {TypeError}
     * @throws {unknown} what the function `env` of the pool throws
     */
    resize(workers) {
      const count = positiveInteger('WorkerPool.workers', workers ?? null);
      const core = coreOf(this);
      const { admission, policy } = core;
      growEnvironments('WorkerPool', policy, count);
      policy.workers = count;
      core.executor?.resize(count);
      admission.resize(count * policy.concurrentJobsPerWorker);
      core.prestart();
      return this;
    }

    /**
     * Replaces the workers of now, with all that they hold: the idle ones at once,
     * the others after their jobs. Jobs that wait go to new ones.
     *
     * @returns {Promise<void>} resolves when they have gone. Never rejects.
     */
    recycle() {
      return coreOf(this).recycle();
    }

    /**
     * @returns {Promise<void>} resolves when nothing is queued, running or
     *   waiting. Does not stop admission. Never rejects.
     */
    drain() {
      return coreOf(this).admission.drain();
    }

    /** The same as drain(), by the name that other libraries use. */
    onIdle() {
      return this.drain();
    }
  }

  mixInto(Class, Steerable);
}

module.exports = { steerable };
