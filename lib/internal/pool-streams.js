'use strict';

const { WorkerCancellationController } = require('../cancellation.js');
const { Mode } = require('./channels.js');
const { Fifo } = require('./fifo.js');
const { onSignalCancel } = require('./signals.js');
const { isPlainObject, positiveInteger } = require('./validate.js');
const { apply, min } = require('./primordials.js');

const ignore = () => {};

async function settled(promise) {
  try {
    await promise;
  } catch {}
}

async function endWith(promise, channels) {
  await settled(promise);
  channels.end();
}

/**
 * The values that a generator in a worker yields, as they come.
 *
 * 1. The job starts with the first `next()`.
 * 2. The worker is at most 16 values ahead of the consumer.
 * 3. Leaving the loop early runs the generator's `finally` in the worker.
 *
 * @param {PoolCore} core
 * @param {() => object} entryOf may throw
 * @param {object} [options] of the operation
 */
async function* streamJob(core, entryOf, options) {
  const input = options?.input ?? null;
  const job = core.submit(entryOf(), input, options, Mode.Stream);
  const { channels, promise } = job;
  endWith(promise, channels);
  try {
    while (await channels.ready()) yield channels.take();
    return await promise;
  } finally {
    channels.cancel();
    await settled(promise);
  }
}

function readMapOptions(core, options) {
  if (options !== undefined && !isPlainObject(options)) {
    throw new TypeError('worker operation options must be a plain object.');
  }
  const { maxQueued, concurrentJobsPerWorker } = core.policy;
  const running = core.policy.workers * concurrentJobsPerWorker;
  const concurrency = positiveInteger(
    'WorkerPool.map concurrency',
    options?.concurrency,
    running * 2,
  );
  return {
    ...options,
    concurrency: min(concurrency, running + maxQueued),
  };
}

/** Reads one of the two kinds of iterable. */
function iteratorOf(iterable) {
  const open = iterable?.[Symbol.asyncIterator] ?? iterable?.[Symbol.iterator];
  if (typeof open !== 'function') {
    throw new TypeError('WorkerPool.map requires an iterable.');
  }
  return apply(open, iterable, []);
}

/**
 * Runs a function over an iterable, results in the order of the source.
 *
 * 1. No more than `concurrency` values are taken from the source beyond those
 *    whose results were consumed.
 * 2. An error, or leaving the loop, cancels what is under way and closes the
 *    source.
 */
async function* mapJobs(core, iterable, start, options) {
  const settings = readMapOptions(core, options);
  const source = iteratorOf(iterable);
  const controller = new WorkerCancellationController();
  const { signal } = settings;
  const unlink =
    signal === undefined
      ? ignore
      : onSignalCancel(signal, () => controller.cancel(signal.reason));
  const pending = new Fifo();
  let exhausted = false;
  try {
    for (;;) {
      while (!exhausted && pending.length < settings.concurrency) {
        const { done, value } = await source.next();
        if (done) {
          exhausted = true;
          break;
        }
        const promise = start(value, {
          ...settings,
          signal: controller.signal,
        });
        settled(promise);
        pending.push(promise);
      }
      if (pending.length === 0) return;
      yield await pending.shift();
    }
  } finally {
    unlink();
    controller.cancel();
    while (pending.length > 0) await settled(pending.shift());
    if (!exhausted) await source.return?.();
  }
}

module.exports = { mapJobs, streamJob };
