'use strict';

const { Fifo } = require('../../base/fifo.js');

const PRIORITIES = 8;

/**
 * The states of a job: its slot, while a ThreadPool holds it. A pinned one waits
 * for one given thread.
 */
const [GONE, QUEUED, RUNNING, PINNED] = [-1, 0, 1, 2];

/** The jobs that wait for a thread, a queue for each priority. */
class JobQueues {
  /** Number of queued jobs. */
  size = 0;
  #queues = Array.from({ length: PRIORITIES }, () => new Fifo());

  push(job) {
    job.slot = QUEUED;
    this.#queues[job.priority].push(job);
    this.size += 1;
  }

  /** @returns {boolean} false: the job is not here */
  remove(job) {
    if (job.slot !== QUEUED) return false;
    // `take` skips it.
    job.slot = GONE;
    this.size -= 1;
    return true;
  }

  /** @returns {PoolJob} the next one. REQUIRES: `size > 0` */
  take() {
    for (const queue of this.#queues) {
      while (queue.length > 0) {
        const job = queue.shift();
        if (job.slot !== QUEUED) continue;
        this.size -= 1;
        job.slot = RUNNING;
        return job;
      }
    }
    return undefined;
  }
}

module.exports = { GONE, JobQueues, PINNED, RUNNING };
