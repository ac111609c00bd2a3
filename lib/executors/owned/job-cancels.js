'use strict';

const { now } = require('../../base/own-time.js');
const { schedule } = require('../../timers/timer-heap.js');

// The time in which code of several jobs must yield after one of them is over.
const PATIENCE_MS = 1000;
// The job itself keeps the process alive, or nothing does.
const LOOSE = { __proto__: null, ref: false };

/**
 * The way from a job's cancellation to its end: the realm is told, and its worker
 * is killed if the job goes on for longer than its grace. Where several jobs share
 * the worker, the one that is late is first declared over, because killing the
 * worker would cost the others their realm.
 */
class JobCancels {
  #worker;
  #line;
  #running;

  /**
   * @param {PoolWorker} worker
   * @param {object} line of it
   * @param {RunningJobs} running
   */
  constructor(worker, line, running) {
    this.#worker = worker;
    this.#line = line;
    this.#running = running;
  }

  /** @param {object} record of a job that runs, see RunningJobs */
  cancel(record, why, graceMs) {
    const { seq, timer } = record;
    record.isEnding = true;
    timer?.cancel();
    if (this.#running.areShared) {
      this.#line.send({ cancel: seq, why });
      const end = () => this.#declareOver(record);
      record.isOver = graceMs === 0;
      record.timer = schedule(now() + graceMs, end, LOOSE);
      return;
    }
    this.#line.why = why;
    if (graceMs === 0) {
      this.#worker.kill();
      return;
    }
    this.#line.send({ cancel: seq, why });
    record.timer = this.#worker.killIn(graceMs);
  }

  // The realm answers with the job's end, unless code in it does not yield.
  #declareOver(record) {
    if (this.#running.numbered(record.seq) !== record) return;
    record.isOver = true;
    this.#line.send({ over: record.seq });
    record.timer = this.#worker.killIn(PATIENCE_MS);
  }
}

module.exports = { JobCancels, LOOSE };
