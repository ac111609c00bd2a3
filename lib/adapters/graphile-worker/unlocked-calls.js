'use strict';

const { performance } = require('node:perf_hooks');
const { setTimeout: pause } = require('node:timers/promises');

const { waitAtMost } = require('../../timers/wait-at-most.js');

// Milliseconds: from one look at the jobs to the next; for which a connection is
// held, and then not, because the engine may need it to unlock a job; for which
// a job is looked after.
const LOOK_MS = 20;
const HELD_MS = 1000;
const FREE_MS = 50;
const GIVE_UP_MS = 10_000;
// A job's end does not wait longer for a connection.
const START_MS = 500;

/**
 * Calls of graphile-worker's public functions for jobs that are about to end.
 * These leave locked jobs alone, and the engine unlocks a job after its task has
 * thrown: each is repeated until then. One connection is held meanwhile, so that
 * an engine that shuts down waits for it. A call that comes too late changes
 * nothing: the job is retried as after any other error.
 */
class UnlockedCalls {
  #withPgClient;
  #pending = new Set();
  #started = null;

  /** @param {Function} withPgClient of a task's helpers */
  constructor(withPgClient) {
    this.#withPgClient = withPgClient;
  }

  /**
   * @param {{ text: string, values: unknown[] }} call gives a row for each job
   *   that it has changed
   * @returns {Promise<void>} resolves when the task may end. Never rejects
   */
  async add(call) {
    const now = performance.now();
    // Nothing may have come of them for a while.
    for (const old of this.#pending) {
      if (now > old.until) this.#pending.delete(old);
    }
    this.#pending.add({ ...call, until: now + GIVE_UP_MS });
    this.#started ??= this.#start();
    await waitAtMost(this.#started, START_MS);
  }

  /** @returns {Promise<void>} resolves with a connection, or without hope */
  #start() {
    return new Promise((resolve) => {
      this.#run(resolve).then(resolve);
    });
  }

  async #run(started) {
    try {
      while (this.#pending.size > 0) {
        await this.#withPgClient((client) => {
          started();
          return this.#look(client);
        });
        if (this.#pending.size > 0) await pause(FREE_MS);
      }
    } catch {
      // The connection is lost, or the pool has ended.
      this.#pending.clear();
    } finally {
      this.#started = null;
    }
  }

  async #look(client) {
    const end = performance.now() + HELD_MS;
    for (;;) {
      for (const call of this.#pending) {
        const { rowCount } = await client.query(call.text, call.values);
        const isOver = rowCount > 0 || performance.now() > call.until;
        if (isOver) this.#pending.delete(call);
      }
      if (this.#pending.size === 0 || performance.now() > end) return;
      await pause(LOOK_MS);
    }
  }
}

module.exports = { UnlockedCalls };
