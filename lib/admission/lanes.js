'use strict';

const { bareClass } = require('../base/bare.js');
const { failureOf } = require('./refusals.js');
const { Homes } = require('./homes.js');
const { JobState } = require('./job-state.js');
const { LinkedList } = require('../base/linked-list.js');
const { OwnMap, max, min } = require('../base/primordials.js');
const { withHint } = require('../errors/hint.js');
const { workerError } = require('../protocol/sloppy-worker-error.js');

// The states of a job with a key: its `laneState`.
const [JOINED, HELD, SENT] = [0, 1, 2];
// Jobs that the executor has: for each one that it may run the next one as well,
// and some more, so that no worker waits for this thread after short jobs.
const AHEAD = 2;
const MORE = 14;
const KEY_IS_FULL =
  'other keys may have room: wait for earlier jobs of this key, or raise ' +
  'maxQueuedPerKey';

/** The jobs of one key. It exists while there are some. */
class Lane {
  prev = null;
  next = null;
  /** Jobs between `join` and `leave`. */
  count = 0;
  /** Those that the executor has. */
  sent = 0;
  /** Those that are admitted and wait here, the oldest first. */
  held = new LinkedList();
  /** Whether it waits for its turn. */
  isReady = false;
  /** The least urgent priority of those that the executor has. */
  priority = 0;
  /** Jobs of a turn: what the latest call said. */
  weight = 1;
  /** Those that it may still send in this turn. */
  credit = 0;

  constructor(key) {
    this.key = key;
  }
}

bareClass(Lane);

/**
 * The queue in front of an executor for jobs with a key. The executor gets the
 * jobs of each key in order, and few in all, so that few jobs of other keys are
 * ahead of a key's first one.
 *
 * Keys take turns: a lane waits behind those that were ready before, sends
 * `weight` jobs and goes to the end again. The order of turns is decided when a
 * job is sent. A lane whose jobs are all with the executor is in no order, so
 * weights need an executor with no more jobs than run (deficit round robin):
 * while any lane has another weight than 1, it gets no job ahead.
 *
 * 1. A job is in its lane from `join` to `leave`. It holds a place from its
 *    admission on, wherever it is, so it is settled as any other job.
 * 2. A lane is ready exactly while it holds a job and fewer than `maxPerKey`
 *    of its jobs are with the executor.
 * 3. The executor has a job from before `submit` until the job's place is free,
 *    because code whose caller has given up still runs.
 * 4. Each step is O(1), whatever the number of keys and jobs.
 */
class Lanes {
  #admission;
  #limits;
  #lanes = new OwnMap();
  // The lanes that may send a job, the next one first.
  #ready = new LinkedList();
  // Number of jobs that the executor has.
  #sent = 0;
  // null unless an executor is to remember the workers of keys.
  #homes;
  // Number of lanes whose weight is not 1.
  #weighted = 0;
  #isSending = false;

  /**
   * @param {Admission} admission
   * @param {object} limits
   * @param {number} limits.maxPerKey
   * @param {number} limits.maxQueuedPerKey may be Infinity
   * @param {boolean} [limits.affinity] jobs get a `home`; default false
   * @param {string} limits.fullCode
   */
  constructor(admission, limits) {
    this.#admission = admission;
    this.#limits = limits;
    this.#homes = limits.affinity ? new Homes() : null;
  }

  /** @returns {object} see PoolMetrics.keys */
  snapshot() {
    const { heldBack } = this.#admission.places;
    return { active: this.#lanes.size, held: heldBack };
  }

  /**
   * Counts a job in, before it has a place.
   *
   * @param {Job} job with a key
   * @throws {SLOPPY_E_WORK_QUEUE_FULL}
   */
  join(job) {
    const { key } = job;
    const { maxPerKey, maxQueuedPerKey, fullCode } = this.#limits;
    let lane = this.#lanes.get(key);
    if (lane === undefined) {
      lane = new Lane(key);
      this.#lanes.set(key, lane);
    } else if (lane.count >= maxPerKey + maxQueuedPerKey) {
      const error = workerError(fullCode, 'work queue is full for this key');
      throw withHint(error, KEY_IS_FULL);
    }
    if (lane.weight !== job.weight) this.#weigh(lane, job.weight);
    lane.count += 1;
    job.lane = lane;
    job.laneState = JOINED;
  }

  /** The job was refused, or its place is about to be free. */
  leave(job) {
    const { lane } = job;
    if (job.laneState === HELD) this.#takeOut(job);
    job.lane = null;
    lane.count -= 1;
    if (job.laneState === SENT) {
      lane.sent -= 1;
      this.#sent -= 1;
      this.#lookReady(lane);
    }
    if (lane.count > 0) return;
    this.#weigh(lane, 1);
    this.#lanes.delete(lane.key);
  }

  /**
   * The executor's part: takes an admitted job, which starts now or later.
   *
   * @throws only before it holds the job
   */
  submit(job) {
    const { lane } = job;
    const isFirst = lane.held.size === 0 && this.#ready.size === 0;
    if (isFirst && this.#hasRoom && lane.sent < this.#limits.maxPerKey) {
      this.#send(job);
      return;
    }
    // A job that has waited for its place has its own copy of the input.
    if (job.stash === null) this.#admission.executor.keep?.(job);
    // A getter of its input may have ended it.
    if (job.state !== JobState.Admitted) return;
    job.laneState = HELD;
    lane.held.push(job);
    this.#admission.places.heldBack += 1;
    this.#lookReady(lane);
    // A job that has waited for its place was counted before.
    if (!(job.waitedMs < 0)) job.metrics?.waiting(job);
    this.sendNext();
    if (job.laneState === HELD) this.#admission.executor.heldBack?.();
  }

  /**
   * The executor's part.
   *
   * @returns {boolean} false if the executor has the job
   */
  remove(job) {
    if (job.laneState === HELD && this.#claim(job)) {
      this.#takeOut(job);
      this.#admission.executor.heldBack?.();
    }
    return job.laneState !== SENT;
  }

  /**
   * @param {Job} job one that runs
   * @returns {Job | undefined} the one that is next when that has ended, and waits
   *   for nothing else
   */
  nextAfter({ lane }) {
    if (lane === null || this.#ready.size > 0) return undefined;
    return lane.held.head ?? undefined;
  }

  /** The executor has begun the job of `nextAfter`, because the other has ended. */
  began(job) {
    this.#takeOut(job);
    this.#count(job);
  }

  // false: the executor has begun it meanwhile
  #claim(job) {
    return this.#admission.executor.claimHeld?.(job) ?? true;
  }

  /** Calls `see` with each job that is held here. */
  forEachHeld(see) {
    this.#lanes.forEach(({ held }) => {
      for (let job = held.head; job !== null; job = job.next) see(job);
    });
  }

  /** Sends the executor what it may have. */
  sendNext() {
    // The outer call goes on.
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      for (;;) {
        const lane = this.#ready.head;
        if (lane === null || !this.#hasRoom) return;
        const job = lane.held.head;
        if (!this.#claim(job)) continue;
        // May run foreign code, which may end this job and others.
        const mayStart = this.#admission.recheck(job);
        if (job.laneState !== HELD) continue;
        this.#takeOut(job);
        // The lane goes to the end of the ring, if there is more to send.
        this.#unready(lane);
        if (mayStart) this.#sendLater(job);
      }
    } finally {
      this.#isSending = false;
    }
  }

  get #hasRoom() {
    const { concurrency } = this.#admission.places;
    return this.#weighted > 0
      ? this.#sent < concurrency
      : this.#sent < AHEAD * concurrency + MORE;
  }

  #weigh(lane, weight) {
    if (lane.weight !== 1) this.#weighted -= 1;
    if (weight !== 1) this.#weighted += 1;
    lane.weight = weight;
    lane.credit = min(lane.credit, weight);
  }

  // Its caller has the promise.
  #sendLater(job) {
    try {
      this.#send(job);
    } catch (error) {
      // A getter of its input may have settled it: its place is given back then.
      this.#admission.fail(job, failureOf(error));
    }
  }

  #send(job) {
    this.#count(job);
    this.#admission.executor.submit(job);
  }

  // The executor has it from now on.
  #count(job) {
    const { lane } = job;
    job.laneState = SENT;
    // The executor must not start it before an older one of its lane.
    if (lane.sent > 0) job.priority = max(job.priority, lane.priority);
    lane.priority = job.priority;
    if (this.#homes !== null) job.home = this.#homes.of(lane.key);
    // A new turn begins with the first job that the last one did not cover.
    lane.credit = (lane.credit === 0 ? lane.weight : lane.credit) - 1;
    lane.sent += 1;
    this.#sent += 1;
    this.#lookReady(lane);
  }

  #takeOut(job) {
    const { lane } = job;
    job.laneState = JOINED;
    lane.held.remove(job);
    this.#admission.places.heldBack -= 1;
    if (lane.held.size === 0) this.#unready(lane);
  }

  #lookReady(lane) {
    const isFull = lane.sent >= this.#limits.maxPerKey;
    if (lane.isReady || lane.held.size === 0 || isFull) return;
    lane.isReady = true;
    // Its turn goes on, or it waits for the next one.
    if (lane.credit > 0) this.#ready.unshift(lane);
    else this.#ready.push(lane);
  }

  #unready(lane) {
    if (!lane.isReady) return;
    lane.isReady = false;
    this.#ready.remove(lane);
  }
}

bareClass(Lanes);

module.exports = { Lanes };
