'use strict';

const { register } = require('../base/primordials.js');
const { JobMode } = require('../protocol/wire.gen.js');

async function settled(promise) {
  try {
    await promise;
  } catch {}
}

// Ends the streams of iterators that were collected.
const dropped = new FinalizationRegistry((opened) => opened.channels?.drop());

/**
 * The values that a generator in a worker yields, as they come.
 *
 * 1. The job starts with the first `next()`.
 * 2. The worker is at most 16 values ahead of the consumer.
 * 3. Leaving the loop early runs the generator's `finally` in the worker.
 *
 * 4. An iterator that is abandoned does not keep the process alive, nor a
 *    worker busy once it was collected.
 *
 * @param {PoolCore} core
 * @param {() => object} entryOf may throw
 * @param {object} [options] of the operation
 * @returns {AsyncGenerator<unknown>}
 */
function streamJob(core, entryOf, options) {
  const opened = { channels: null };
  const values = readJob(core, entryOf, options, opened);
  register(dropped, values, opened);
  return values;
}

async function* readJob(core, entryOf, options, opened) {
  const input = core.inputOf(options?.input);
  const stream = core.submit(entryOf(), input, options, JobMode.Stream);
  const { channels, promise } = stream;
  opened.channels = channels;
  // Handled, because it may reject while the consumer is busy with a value.
  settled(promise);
  try {
    while (await channels.ready()) yield channels.take();
    return await promise;
  } finally {
    channels.cancel();
    await settled(promise);
  }
}

module.exports = { streamJob };
