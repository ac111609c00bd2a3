'use strict';

const { Heap } = require('../../base/heap.js');
const { byPriority, startOrder } = require('../start-order.js');

/**
 * The states of a job: its slot, while a OwnedPool holds it. A pinned one waits
 * for one given worker.
 */
const [GONE, QUEUED, RUNNING, PINNED] = [-1, 0, 1, 2];

// The order in which they came here is not that of their ids: those in lanes
// come when it is their turn.
const byArrival = (a, b) => a.priority - b.priority || a.arrival - b.arrival;

/** The jobs that wait for a worker. One that is removed is let go at once. */
class JobQueue {
  #heap;
  #order;
  #arrivals = 0;

  /** @param {object} settings of a pool or worker */
  constructor(settings) {
    const given = startOrder(settings);
    const order = given === byPriority ? byArrival : given;
    this.#order = order;
    this.#heap = new Heap((a, b) => order(a, b) < 0);
  }

  /** Number of queued jobs. */
  get size() {
    return this.#heap.size;
  }

  push(job) {
    job.slot = QUEUED;
    this.#arrivals += 1;
    job.arrival = this.#arrivals;
    this.#heap.push(job);
  }

  /** @returns {boolean} false: the job is not here */
  remove(job) {
    if (job.slot !== QUEUED) return false;
    job.slot = GONE;
    this.#heap.remove(job);
    return true;
  }

  /** @returns {PoolJob | undefined} the next one, which stays */
  get first() {
    return this.#heap.first;
  }

  /** @returns {PoolJob[]} that many in their order, which stay, or all */
  firsts(count) {
    const heap = this.#heap;
    const jobs = [];
    while (jobs.length < count && heap.size > 0) jobs.push(heap.shift());
    for (let i = 0; i < jobs.length; i++) heap.push(jobs[i]);
    return jobs;
  }

  /** @returns {boolean} whether `a` starts before `b` */
  isBefore(a, b) {
    return this.#order(a, b) < 0;
  }

  /** @returns {PoolJob} the next one. REQUIRES: `size > 0` */
  take() {
    const job = this.#heap.shift();
    job.slot = RUNNING;
    return job;
  }
}

module.exports = { GONE, JobQueue, PINNED, QUEUED, RUNNING };
