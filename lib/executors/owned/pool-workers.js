'use strict';

const { MessageChannel } = require('node:worker_threads');

const { needMuchRoom } = require('../../base/stack-room.js');
const { PoolWorker } = require('./pool-worker.js');

/** @returns {MessagePort | null} keeps the process alive until it is closed */
function openPort() {
  try {
    needMuchRoom();
    const { port1 } = new MessageChannel();
    port1.ref();
    return port1;
  } catch {
    // No room is left. The job's submission must not fail halfway.
    return null;
  }
}

// The settings with the environment that the pool's function gave for the place.
function settingsAt(place, settings) {
  const { environments, nodeOptions } = settings;
  if (environments === undefined) return settings;
  const env = environments[place - 1];
  return { ...settings, nodeOptions: { ...nodeOptions, env } };
}

/**
 * The workers of one OwnedPool: which of them are free, which are too many,
 * and whether the process waits for them. Also those that leave or run nothing.
 */
class PoolWorkers {
  /** The most workers that there may be. */
  max;
  #all = new Set();
  #recycled = new WeakSet();
  #lastNumber = 0;
  // The number of the worker that had the last of these jobs, by Job#home.
  #lastOf = new Map();
  #isListening = false;
  #isHearing = false;
  #isHolding = false;
  #isPaused = false;
  // Holds the process in place of workers, while none is there to do it.
  #port = null;

  #Line;

  /**
   * @param {number} max
   * @param {Function} Line see PoolWorker
   */
  constructor(max, Line) {
    this.max = max;
    this.#Line = Line;
  }

  get size() {
    return this.#all.size;
  }

  [Symbol.iterator]() {
    return this.#all.values();
  }

  /**
   * Starts a worker. Follow with `add`.
   *
   * @param {OwnedPool} pool
   * @param {object} options of its realm
   * @returns {PoolWorker}
   * @throws {unknown} why there is none
   */
  create(pool, options) {
    needMuchRoom();
    this.#lastNumber += 1;
    const number = this.#lastNumber;
    const place = this.#freePlace();
    return new PoolWorker(
      pool,
      number,
      { ...options, worker: { number, place } },
      settingsAt(place, pool.settings),
      this.#Line,
    );
  }

  // The lowest that no living worker has: see identityOf.
  #freePlace() {
    const taken = new Set();
    for (const worker of this.#all) taken.add(worker.place);
    let place = 1;
    while (taken.has(place)) place += 1;
    return place;
  }

  add(worker) {
    this.#all.add(worker);
    if (this.#isListening) worker.listen(true);
    if (this.#isHearing) worker.hear(true);
    if (this.#isHolding) worker.hold(true);
  }

  /** It has exited. */
  delete(worker) {
    this.#all.delete(worker);
    this.#holdWithout();
  }

  /** It is given up, although it may go on for ever. */
  lose(worker) {
    worker.isLost = true;
    this.#all.delete(worker);
    worker.hold(false);
    this.#holdWithout();
  }

  /** It runs the job now, as each that `free` has given does, or none. */
  taken() {}

  /** Kept so on purpose. */
  get spares() {
    return 0;
  }

  /** @returns {boolean} whether it may run no other job */
  isSpent() {
    return false;
  }

  /** Whether another worker may be started. */
  get hasRoom() {
    return this.size < this.max;
  }

  /** Whether one more may boot now, or has to wait for those that do. */
  get mayBoot() {
    const { mostBooting } = this.#Line;
    if (mostBooting === Infinity) return true;
    let count = 0;
    for (const worker of this.#all) if (!worker.isOnline) count += 1;
    return count < mostBooting;
  }

  /** @returns {boolean} whether those that start are too few for these jobs */
  wantsMore(queued) {
    return queued > this.starting;
  }

  /**
   * @param {PoolJob | undefined} _job the next one
   * @param {boolean} isBusyToo
   * @returns {PoolWorker | undefined} the one with the fewest jobs that may take
   *   another; without `isBusyToo` one that has none
   */
  free(_job, isBusyToo) {
    if (this.staying > this.max) return undefined;
    let best;
    for (const worker of this.#all) {
      if (worker.isIdle) return worker;
      const isLess = best === undefined || worker.load < best.load;
      if (isBusyToo && worker.isFree && isLess) best = worker;
    }
    return best;
  }

  /** @returns {number} how many will take jobs once they have started */
  get starting() {
    let count = 0;
    for (const worker of this.#all) if (worker.isStarting) count += 1;
    return count;
  }

  /** @returns {number} how many do not leave */
  get staying() {
    let count = 0;
    for (const worker of this.#all) if (!worker.leaving) count += 1;
    return count;
  }

  /**
   * @param {number} home of a job, see Homes; 0 for none
   * @param {PoolWorker} worker one that is free
   * @returns {PoolWorker} the one that had the home's last job if that is free,
   *   else `worker`; it has the last one from now on
   */
  forHome(home, worker) {
    if (home === 0) return worker;
    const last = this.#lastOf.get(home);
    let chosen = worker;
    for (const each of this.#all) {
      if (each.number === last && each.isFree) chosen = each;
    }
    this.hasHome(chosen, home);
    return chosen;
  }

  /** @returns {number | undefined} the worker that had the home's last job */
  lastOf(home) {
    return this.#lastOf.get(home);
  }

  /** The worker has the last job of that home from now on. */
  hasHome({ number }, home) {
    if (home !== 0) this.#lastOf.set(home, number);
  }

  /** @returns {number[]} of the workers that may take another job */
  numbers() {
    const numbers = [];
    for (const worker of this.#all) {
      const stays = !worker.leaving && !worker.isDue;
      if (stays) numbers.push(worker.number);
    }
    return numbers;
  }

  /** @returns {PoolWorker | undefined} that one, or any if it has gone */
  numbered(number) {
    const workers = [...this.#all];
    return workers.find((worker) => worker.number === number) ?? workers[0];
  }

  /**
   * Ends all, those that run jobs after these. One that starts has loaded files
   * already.
   *
   * @returns {number[]}
   */
  recycle() {
    const numbers = [];
    for (const worker of this.#all) {
      numbers.push(worker.number);
      this.#recycled.add(worker);
      worker.leave();
    }
    return numbers;
  }

  /** Whether another is to start in place of one that has gone. */
  isToReplace(worker) {
    // One that cannot start would be started for ever.
    return worker.isReady || this.#recycled.has(worker);
  }

  /** Ends idle workers until `keep` are left. */
  endSurplus(keep) {
    let left = this.staying;
    for (const worker of this.#all) {
      if (left <= keep) return;
      if (!worker.isIdle) continue;
      worker.leave();
      left -= 1;
    }
  }

  /** Whether there are too many, besides those that leave. */
  get hasSurplus() {
    return this.staying > this.max;
  }

  /** @returns {boolean} whether another worker cannot run a job now */
  othersRenew(worker) {
    for (const other of this.#all) {
      if (other !== worker && other.isRenewing()) return true;
    }
    return false;
  }

  hear(wanted) {
    this.#isHearing = wanted;
    for (const worker of this.#all) worker.hear(wanted);
  }

  listen(wanted) {
    this.#isListening = wanted;
    for (const worker of this.#all) worker.listen(wanted);
  }

  get isHolding() {
    return this.#isHolding;
  }

  /** Sets whether the process waits for them. */
  hold(yes) {
    this.#isHolding = yes;
    for (const worker of this.#all) worker.hold(yes);
    this.#holdWithout();
  }

  /** No worker is started for the jobs that wait while the pool is paused. */
  pause(yes) {
    this.#isPaused = yes;
    this.#holdWithout();
  }

  #holdWithout() {
    const wanted = this.#isPaused && this.#isHolding && this.#all.size === 0;
    if (wanted) {
      this.#port ??= openPort();
    } else if (this.#port !== null) {
      this.#port.close();
      this.#port = null;
    }
  }

  /** The pool ends. */
  leave() {
    for (const worker of this.#all) worker.leave(true);
  }

  kill() {
    for (const worker of this.#all) worker.kill();
  }
}

module.exports = { PoolWorkers };
