'use strict';

const {
  WorkerCancellationController,
  cancelNow,
} = require('../signals/cancellation.js');
const { Fifo } = require('../base/fifo.js');
const { readOperation } = require('../admission/read-operation.js');
const { onSignalCancel, readReason } = require('../signals/any-signal.js');
const { NO_OPTIONS, positiveInteger } = require('../base/validate.js');
const { OwnPromise, apply, min, rejected } = require('../base/primordials.js');

const nothing = () => {};

const isThenable = (value) =>
  typeof value === 'object' &&
  value !== null &&
  typeof value.then === 'function';

async function settled(promise) {
  try {
    await promise;
  } catch {}
}

/**
 * The state of one `map`: at most one read of the source, and the jobs of the
 * values read, in their order.
 */
class Mapping {
  pending = new Fifo();
  isReading = false;
  #iterator;
  #next;
  #isAsync;
  #concurrency;
  #start;
  // Nothing more is read.
  #isOver = false;
  // False once the source has ended by itself.
  #isOpen = true;
  #wake = null;

  constructor(iterable, concurrency, start) {
    const openAsync = iterable?.[Symbol.asyncIterator] ?? undefined;
    const open = openAsync ?? iterable?.[Symbol.iterator];
    if (typeof open !== 'function') {
      throw new TypeError('WorkerPool.map requires an iterable.');
    }
    this.#iterator = apply(open, iterable, []);
    this.#next = this.#iterator.next;
    this.#isAsync = openAsync !== undefined;
    this.#concurrency = concurrency;
    this.#start = start;
  }

  /** Reads more values, as far as there is room. */
  fill() {
    while (
      !this.#isOver &&
      !this.isReading &&
      this.pending.length < this.#concurrency
    ) {
      this.#read();
    }
  }

  /** @returns {boolean} whether the next result or failure is there */
  get isReady() {
    return this.pending.length > 0 && this.pending.peek().isSettled;
  }

  /** Resolves when a job has settled or a read is over. */
  changed() {
    return new OwnPromise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Reads no more, and ends with this error. */
  giveUp(error) {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#push(rejected(error));
    this.#notify();
  }

  /** Closes a source that has not ended. */
  async close() {
    this.#isOver = true;
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const closing = this.#iterator.return?.();
    // Nobody awaits it after a pending read, which may take for ever.
    if (this.isReading) settled(closing);
    else await closing;
  }

  #read() {
    try {
      const result = apply(this.#next, this.#iterator, []);
      if (this.#isAsync) {
        this.#readLater(result);
        return;
      }
      const { done, value } = checkResult(result);
      if (!done && isThenable(value)) this.#readLater(result, value);
      else this.#take(done, value);
    } catch (error) {
      this.#isOpen = false;
      this.giveUp(error);
    }
  }

  async #readLater(result, valueLater = undefined) {
    this.isReading = true;
    try {
      const { done, value } = checkResult(await result);
      this.#take(done, valueLater === undefined ? value : await valueLater);
    } catch (error) {
      this.#isOpen = valueLater !== undefined && this.#isOpen;
      this.giveUp(error);
    }
    this.isReading = false;
    this.#notify();
  }

  #take(done, value) {
    if (done) this.#isOpen = false;
    if (this.#isOver) return;
    if (done) this.#isOver = true;
    else this.#push(this.#start(value));
  }

  async #push(promise) {
    const entry = { promise, isSettled: false };
    this.pending.push(entry);
    try {
      await promise;
    } catch {
      // Earlier results are awaited, but no more is read.
      this.#isOver = true;
    }
    entry.isSettled = true;
    this.#notify();
  }

  #notify() {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }
}

function checkResult(result) {
  if (typeof result === 'object' && result !== null) return result;
  throw new TypeError('WorkerPool.map: the iterator gave no result object.');
}

function readConcurrency({ policy }, concurrency) {
  const running = policy.workers * policy.concurrentJobsPerWorker;
  const wanted = positiveInteger(
    'WorkerPool.map concurrency',
    concurrency,
    running * 2,
  );
  return min(wanted, running + policy.maxQueued);
}

/**
 * Runs a function over an iterable, results in the order of the source.
 *
 * 1. No more than `concurrency` values are taken from the source beyond those
 *    whose results were consumed.
 * 2. A source that takes its time holds up neither results nor failures.
 * 3. An error, or leaving the loop, cancels jobs under way and closes the
 *    source.
 *
 * @param {PoolCore} core
 * @param {Iterable<unknown> | AsyncIterable<unknown>} iterable
 * @param {(value: unknown, options: object) => Promise<unknown>} run
 * @param {object} [options] of the operation, and `concurrency`
 */
async function* mapJobs(core, iterable, run, options) {
  const operation = readOperation(options);
  const concurrency = readConcurrency(core, options?.concurrency);
  const refusal = operation.refusal();
  if (refusal !== undefined) throw refusal;
  const { signal } = operation;
  const controller = new WorkerCancellationController();
  const { concurrency: _own, ...ofJobs } = options ?? NO_OPTIONS;
  const bag = { ...ofJobs, signal: controller.signal };
  const mapping = new Mapping(iterable, concurrency, (value) =>
    run(value, bag),
  );
  const { pending } = mapping;
  let unlink = nothing;
  let hasFailed = false;
  try {
    if (signal !== undefined) {
      unlink = onSignalCancel(signal, () => {
        cancelNow(controller, readReason(signal));
        mapping.giveUp(operation.cancelError());
      });
    }
    for (;;) {
      mapping.fill();
      if (mapping.isReading && !mapping.isReady) {
        await mapping.changed();
      } else if (pending.length > 0) {
        yield await pending.shift().promise;
      } else {
        return;
      }
    }
  } catch (error) {
    hasFailed = true;
    throw error;
  } finally {
    unlink();
    cancelNow(controller);
    while (pending.length > 0) await settled(pending.shift().promise);
    const closing = mapping.close();
    // The first error is the one that is told, as by `for await`.
    await (hasFailed ? settled(closing) : closing);
  }
}

module.exports = { mapJobs };
