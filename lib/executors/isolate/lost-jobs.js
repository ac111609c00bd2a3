'use strict';

const { workerError } = require('../../protocol/sloppy-worker-error.js');
const { Outcome } = require('../../errors/outcome.js');
const { DETAIL_TEXTS, WORKER_LOST } = require('../../protocol/details.js');
const { Code } = require('../../protocol/diagnostics.gen.js');
const { freeze, now } = require('../../base/primordials.js');
const { schedule } = require('../../timers/timer-heap.js');

// pool/job_queue.h
const Given = freeze({ Over: 0, Given: 1, Later: 2 });
// Termination takes milliseconds; some of V8's own loops need longer.
const UNRESPONSIVE_MS = 2000;

/**
 * The jobs of a pool whose code never looks for a termination: their thread is
 * given up, so that they cost a thread and not the pool.
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
    const given = pool.host.native.abandon(this.#id, job.slot);
    if (given === Given.Later) {
      // Its worker is busy with another job, and will see to it.
      this.#look(job, UNRESPONSIVE_MS);
    } else if (given === Given.Given) {
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
      const error = workerError(Code.Crashed, DETAIL_TEXTS[WORKER_LOST]);
      pool.admission.finish(job, Outcome.Failed, error);
    }
  }
}

module.exports = { LostJobs };
