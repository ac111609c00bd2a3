'use strict';

const { createRequire } = require('node:module');
const { join, resolve } = require('node:path');
const { pathToFileURL } = require('node:url');

const { processor } = require('../adapters/bullmq.js');
const { Worker } = require('../adapters/durable.js');
const { handler } = require('../adapters/pg-boss.js');
const { WorkerPool } = require('../pool/worker-pool.js');
const { codeCacheOf } = require('./code-cache.js');
const { CliError, Exit, usageError } = require('./exit.js');

/** Rollouts must not fail jobs for good. */
const MAX_STALLED_COUNT = 5;
const IS_POSTGRES = /^postgres(ql)?:/;

// The engine is resolved from the working directory, because the user installs
// it.
const userRequire = createRequire(join(process.cwd(), 'sloppy-workers.js'));

function find(name) {
  try {
    return userRequire.resolve(name);
  } catch {
    throw new CliError(
      'SLOPPY_CLI_MODULE',
      `there is no package ${name} here`,
      {
        exit: Exit.Environment,
        hint: `npm install ${name}, in the folder where this is run`,
      },
    );
  }
}

const poolOptions = (options) => ({
  workers: options.concurrency,
  memoryLimitMb: options.memory,
  runtime: options.runtime,
  codeCache: codeCacheOf(options),
});

function processorOf(file, options) {
  return processor(file, {
    ...poolOptions(options),
    timeoutMs: options.timeout,
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
  async durable(file, options) {
    const run = processorOf(file, options);
    const worker = new Worker(options.name, run, {
      connection: { file: options.connection },
      concurrency: options.concurrency,
      maxStalledCount: MAX_STALLED_COUNT,
    });
    return attached(run, worker);
  },

  async bullmq(file, options) {
    const bullmq = userRequire(find('bullmq'));
    const { connection: url, name, concurrency } = options;
    const run = processorOf(file, options);
    const settings = { concurrency, maxStalledCount: MAX_STALLED_COUNT };
    const worker = IS_POSTGRES.test(url)
      ? new bullmq.Worker(
          name,
          run,
          { ...settings, connection: { connectionString: url } },
          bullmq.createPostgresBackend,
        )
      : new bullmq.Worker(name, run, {
          ...settings,
          connection: { url, maxRetriesPerRequest: null },
        });
    return attached(run, worker);
  },

  async 'pg-boss'(file, options) {
    const { PgBoss } = await import(pathToFileURL(find('pg-boss')).href);
    const { connection, name, concurrency } = options;
    const pool = WorkerPool.create('worker', {
      ...poolOptions(options),
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
      handler(pool, { timeoutMs: options.timeout }),
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

module.exports = { startEngine, userRequire };
