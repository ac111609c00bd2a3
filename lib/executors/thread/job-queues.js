'use strict';

const { Fifo } = require('../../base/fifo.js');
const { Heap } = require('../../base/heap.js');
const { byPriority, startOrder } = require('../start-order.js');

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

/** As JobQueues, for pools with an order of their own. */
class RankedQueue {
  #heap;

  constructor(order) {
    this.#heap = new Heap((a, b) => order(a, b) < 0);
  }

  get size() {
    return this.#heap.size;
  }

  push(job) {
    job.slot = QUEUED;
    this.#heap.push(job);
  }

  remove(job) {
    if (job.slot !== QUEUED) return false;
    job.slot = GONE;
    this.#heap.remove(job);
    return true;
  }

  take() {
    const job = this.#heap.shift();
    job.slot = RUNNING;
    return job;
  }
}

/**
 * @param {object} settings of a pool or worker
 * @returns {JobQueues | RankedQueue}
 */
function jobQueues(settings) {
  const order = startOrder(settings);
  return order === byPriority ? new JobQueues() : new RankedQueue(order);
}

module.exports = { GONE, PINNED, RUNNING, jobQueues };
