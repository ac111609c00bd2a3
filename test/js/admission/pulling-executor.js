'use strict';

/** Workers that pull from one queue when told to, unseen by the admission. */
class PullingExecutor {
  queue = [];
  running = new Set();
  interrupted = [];
  forced = 0;

  submit(job) {
    this.queue.push(job);
  }

  pull() {
    const job = this.queue.shift();
    this.running.add(job);
    return job;
  }

  remove(job) {
    const index = this.queue.indexOf(job);
    if (index === -1) return false;
    this.queue.splice(index, 1);
    return true;
  }

  interrupt(job, reason) {
    this.interrupted.push([job.id, reason]);
  }

  jobs() {
    return [...this.running, ...this.queue];
  }

  requestStop(reason) {
    this.interrupted.push(['all', reason]);
  }

  forceStop() {
    this.forced += 1;
  }
}

module.exports = { PullingExecutor };
