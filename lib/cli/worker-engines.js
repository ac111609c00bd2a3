'use strict';

const { resolve } = require('node:path');
const { pathToFileURL } = require('node:url');

const { processor } = require('../adapters/bullmq.js');
const { handler } = require('../adapters/pg-boss.js');
const { WorkerPool } = require('../pool/worker-pool.js');
const { openBullmq } = require('./bullmq-store.js');
const { codeCacheOf } = require('./code-cache.js');
const { usageError } = require('./exit.js');
const { tableOptions } = require('./table-flags.js');
const { findPackage } = require('./user-packages.js');

/** Rollouts must not fail jobs for good. */
const MAX_STALLED_COUNT = 5;

/** @returns {{ pool: object, call: object }} */
function limitsOf(options) {
  const { pool, call } = tableOptions('worker', options);
  return { pool: { ...pool, codeCache: codeCacheOf(options) }, call };
}

function processorOf(file, options) {
  const { pool, call } = limitsOf(options);
  return processor(file, {
    ...pool,
    ...call,
    closeTimeoutMs: options.grace,
    name: 'worker',
  });
}

/**
 * The command's view of a queue's worker: `pool`, `isReady()`, `on(event,
 * listener)` for `completed`, `failed` and `error`, and `stop(graceMs)`, which
 * gives back jobs that still run.
 */
function attached(run, worker) {
  run.attach(worker);
  return {
    pool: run.pool,
    isReady: () => worker.isRunning() && !worker.closing,
    on: (event, listener) => worker.on(event, listener),
    stop: (timeoutMs) => run.stop({ timeoutMs }),
  };
}

const ENGINES = {
  async bullmq(file, options) {
    const { connection, name, concurrency = 1 } = options;
    const bullmq = openBullmq(connection, { maxRetriesPerRequest: null });
    const run = processorOf(file, options);
    try {
      const worker = await bullmq.makeWorker(name, run, {
        concurrency,
        maxStalledCount: MAX_STALLED_COUNT,
      });
      return attached(run, worker);
    } catch (error) {
      await run.stop({ timeoutMs: 0 });
      throw error;
    }
  },

  // A queue in a file was called so before BullMQ's own classes served it:
  // commands in service files go on.
  durable: (file, options) => ENGINES.bullmq(file, options),

  async 'pg-boss'(file, options) {
    const { PgBoss } = await import(pathToFileURL(findPackage('pg-boss')).href);
    const { connection, name, concurrency = 1 } = options;
    const limits = limitsOf(options);
    const pool = WorkerPool.create('worker', {
      ...limits.pool,
      module: resolve(file),
      overflow: 'backpressure',
    });
    const boss = new PgBoss({ connectionString: connection });
    const errors = [];
    boss.on('error', (error) => {
      for (const listener of errors) listener(error);
    });
    await boss.start();
    await boss.work(
      name,
      { batchSize: 1, localConcurrency: concurrency, perJobResults: true },
      handler(pool, limits.call),
    );
    let isStopping = false;
    return {
      pool,
      isReady: () => !isStopping,
      on(event, listener) {
        if (event === 'error') errors.push(listener);
      },
      async stop(timeout) {
        isStopping = true;
        await boss.stop({ graceful: true, timeout });
        await pool.stop({ timeoutMs: 0 });
      },
    };
  },
};

/** @throws {CliError} */
async function startEngine(file, options) {
  if (!Object.hasOwn(ENGINES, options.queue)) {
    throw usageError(
      `there is no queue ${options.queue}`,
      `--queue is one of ${Object.keys(ENGINES).join(', ')}`,
    );
  }
  return ENGINES[options.queue](file, options);
}

module.exports = { startEngine };
