'use strict';

const { queueMicrotask } = require('../../base/primordials.js');
const { ownedOptions } = require('../realm-options.js');
const { Figures } = require('./figures.js');
const { SharingExecutor } = require('./sharing-executor.js');

/**
 * The part of OwnedPool that knows no jobs: how many workers there are, how each
 * is started, and how they go. It stands apart because a fault in a start or an
 * exit is looked for without the rules of which worker takes which job.
 */
class StaffedExecutor extends SharingExecutor {
  /** @type {PoolWorkers} */
  staff;
  #options;
  #figures = null;
  // Workers of `prestart` that wait until others have booted.
  #delayed = 0;

  /**
   * @param {object} settings checked by the caller
   * @param {Function} Line the class of its workers' lines, see PoolWorker
   * @param {Function} Workers that of which worker takes which job
   */
  constructor(settings, Line, Workers) {
    super(settings, Line);
    this.staff = new Workers(settings.workers, Line, settings);
    this.#options = ownedOptions(settings);
  }

  get workers() {
    return this.staff.size;
  }

  /** Workers that are ready and have run nothing, where some are kept so. */
  get spares() {
    return this.staff.spares;
  }

  /** @returns {PoolWorker[]} those that have not been given up */
  living() {
    return [...this.staff];
  }

  workerNumbers() {
    return this.living().map(({ number }) => number);
  }

  identities() {
    return this.living().map(({ identity }) => identity);
  }

  listen(wanted) {
    this.staff.listen(wanted);
  }

  hear(wanted) {
    this.staff.hear(wanted);
  }

  // --- starts ---------------------------------------------------------------

  prestart(count) {
    const wanted = Math.min(count, this.staff.max);
    while (this.staff.size < wanted && this.start() !== null);
    this.#delayed = this.staff.mayBoot ? 0 : wanted - this.staff.size;
  }

  // One has booted, or has ended.
  #bootNext() {
    while (this.#delayed > 0 && this.staff.mayBoot) {
      this.#delayed = this.start() === null ? 0 : this.#delayed - 1;
    }
  }

  workerStarted(worker) {
    super.workerStarted(worker);
    if (this.isClosing) return;
    this.#bootNext();
    this.replaceWorker();
  }

  /** The next job tries another in place of a worker that could not start. */
  keepMinimum() {
    queueMicrotask(() => {
      if (this.isClosing || this.admission.stopped) return;
      this.prestart(this.settings.minWorkers);
    });
  }

  /** @returns {Error | undefined} why no worker may be started now */
  refusesStart() {
    return undefined;
  }

  /** A worker could not start. The arguments are those of its jobs' ends. */
  startFailed() {}

  startSucceeded() {}

  /** @returns {PoolWorker | null} null if no further worker is allowed now */
  start() {
    if (!this.staff.hasRoom || !this.staff.mayBoot) return null;
    let worker;
    try {
      const refusal = this.refusesStart();
      if (refusal !== undefined) throw refusal;
      worker = this.staff.create(this, this.#options);
    } catch (cause) {
      if (this.staff.size === 0) this.failQueued(cause);
      return null;
    }
    this.staff.add(worker);
    this.fresh(worker.number);
    return worker;
  }

  // --- ends -----------------------------------------------------------------

  recycleWorkers() {
    return this.staff.recycle();
  }

  /** Ends idle workers until `keep` are left. */
  trim(keep) {
    this.staff.endSurplus(keep);
  }

  exited(worker) {
    this.staff.delete(worker);
    this.#figures?.gone(worker);
    this.workerExited(undefined, worker.isOnline ? worker.identity : undefined);
    if (this.staff.isToReplace(worker)) this.keepMinimum();
    if (!this.isClosing) this.#bootNext();
  }

  /** It may go on for ever. */
  giveUp(worker) {
    this.staff.lose(worker);
    this.#figures?.gone(worker);
  }

  giveUpWorkers() {
    for (const worker of this.living()) this.giveUp(worker);
  }

  endWorkers() {
    this.staff.leave();
  }

  forceStop() {
    this.staff.kill();
  }

  // --- figures --------------------------------------------------------------

  /** Only isolates have profiles and snapshots. */
  get inspector() {
    this.#figures ??= new Figures(this);
    return this.#figures;
  }

  figured(worker, id, figures) {
    this.#figures?.answered(worker, id, figures);
  }
}

module.exports = { StaffedExecutor };
