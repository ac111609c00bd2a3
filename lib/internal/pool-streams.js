'use strict';

const { Mode } = require('./channels.js');

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
  const stream = core.submit(entryOf(), input, options, Mode.Stream);
  const { channels, promise } = stream;
  endWith(promise, channels);
  try {
    while (await channels.ready()) yield channels.take();
    return await promise;
  } finally {
    channels.cancel();
    await settled(promise);
  }
}

module.exports = { streamJob };
