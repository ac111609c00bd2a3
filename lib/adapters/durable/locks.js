'use strict';

/** The jobs that a Worker runs, and the renewal of their locks. */
class Locks {
  #worker;
  #held = new Map();
  #timer = null;

  constructor(worker) {
    this.#worker = worker;
  }

  get size() {
    return this.#held.size;
  }

  /** @returns {AbortController} */
  take(job, token) {
    const controller = new AbortController();
    this.#held.set(job.id, { token, controller, isSettling: false });
    this.#timer ??= this.#start();
    return controller;
  }

  release(job, token) {
    if (this.#held.get(job.id)?.token === token) this.#held.delete(job.id);
  }

  /** The job's end is being written, which releases its lock. */
  settling(job, token) {
    const held = this.#held.get(job.id);
    if (held?.token === token) held.isSettling = true;
  }

  cancel(id, reason) {
    const held = this.#held.get(String(id));
    held?.controller.abort(reason);
    return held !== undefined;
  }

  cancelAll(reason) {
    for (const { controller } of this.#held.values()) controller.abort(reason);
  }

  #start() {
    const { lockRenewTime, skipLockRenewal } = this.#worker.opts;
    if (skipLockRenewal) return null;
    return setInterval(() => this.#renew(), lockRenewTime / 2);
  }

  stop() {
    clearInterval(this.#timer);
    this.#timer = null;
  }

  async #renew() {
    const ids = [...this.#held.keys()];
    if (ids.length === 0) return;
    const tokens = ids.map((id) => this.#held.get(id).token);
    const worker = this.#worker;
    try {
      const { lockDuration } = worker.opts;
      const lost = await worker.extendJobLocks(ids, tokens, lockDuration);
      // A job that has settled meanwhile holds no lock.
      const isHeld = (id) => {
        const held = this.#held.get(id);
        return held?.token === tokens[ids.indexOf(id)] && !held.isSettling;
      };
      const missing = lost.filter(isHeld);
      if (missing.length > 0) worker.emit('lockRenewalFailed', missing);
      for (const id of missing) {
        const text = `could not renew lock for job ${id}`;
        worker.emit('error', new Error(text));
      }
      const jobIds = ids.filter((id) => !lost.includes(id));
      if (jobIds.length === 0) return;
      worker.emit('locksRenewed', { count: jobIds.length, jobIds });
    } catch (error) {
      worker.emit('error', error);
    }
  }
}

module.exports = { Locks };
