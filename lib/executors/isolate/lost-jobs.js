'use strict';

const { workerError } = require('../../protocol/sloppy-worker-error.js');
const { Outcome } = require('../../errors/outcome.js');
const { DETAIL_TEXTS } = require('../../protocol/details.js');
const { Code } = require('../../protocol/diagnostics.gen.js');
const { now } = require('../../base/primordials.js');
const { schedule } = require('../../timers/timer-heap.js');
const { AbandonResult, Detail } = require('../../protocol/wire.gen.js');

// Termination takes milliseconds; some of V8's own loops need longer.
const UNRESPONSIVE_MS = 2000;

/**
 * The jobs of a pool whose code never looks for a termination: their thread is
 * result up, so that they cost a thread and not the pool.
 */
class LostJobs {
  #pool;
  #id;

  /**
   * @param {NativePool} pool
   * @param {number} id of the pool in the addon
   */
  constructor(pool, id) {
    this.#pool = pool;
    this.#id = id;
  }

  /** The job was told to end, and has so long to do it. */
  watch(job, graceMs) {
    if (job.lostTimer === null) this.#look(job, graceMs + UNRESPONSIVE_MS);
  }

  #look(job, ms) {
    job.lostTimer = schedule(now() + ms, () => this.#abandon(job));
  }

  #abandon(job) {
    if (job.slot < 0) return;
    const pool = this.#pool;
    const result = pool.host.native.abandon(this.#id, job.slot);
    if (result === AbandonResult.Later) {
      // Its worker is busy with another job, and will see to it.
      this.#look(job, UNRESPONSIVE_MS);
    } else if (result === AbandonResult.Abandoned) {
      pool.lose(job);
      pool.admission.release(job);
      this.#loseOthers();
    }
  }

  // What awaited on the same thread.
  #loseOthers() {
    const pool = this.#pool;
    const jobs = pool.jobs();
    for (let i = 0; i < jobs.length; i++) {
      const job = jobs[i];
      if (!pool.host.native.isLost(this.#id, job.slot)) continue;
      pool.lose(job);
      const error = workerError(Code.Crashed, DETAIL_TEXTS[Detail.WorkerLost]);
      pool.admission.finish(job, Outcome.Failed, error);
    }
  }
}

module.exports = { LostJobs };
