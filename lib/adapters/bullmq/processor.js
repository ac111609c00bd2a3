'use strict';

const { performance } = require('node:perf_hooks');
const { setTimeout } = require('node:timers/promises');

const { WorkerPool } = require('../../pool/worker-pool.js');
const { waitAtMost } = require('../../timers/wait-at-most.js');
const {
  Code,
  GIVEN_BACK,
  errorOfJob,
  named,
} = require('../engines/outcome.js');
const { checkNumber, readOptions } = require('../engines/read-options.js');
const { Attachment } = require('./attachment.js');
const { JobWrites } = require('./job-writes.js');
const { SANDBOX, readProcessorOptions } = require('./options.js');
const {
  CALLABLE,
  Ended,
  LAST_WRITES_MS,
  RunningJobs,
} = require('./running-jobs.js');

/**
 * Bound of queued jobs, because a worker fetches a few too many while it stops.
 */
const MAX_QUEUED = 1024;
const STOP_TIMEOUT_MS = 5000;
/** Delay of a job that comes after `stop()`. */
const REFUSED_MS = 200;
/** Delay of a job for which the caller's pool has no place. */
const NO_PLACE_MS = 1000;

/** Errors by which a job tells BullMQ that it was moved. */
const CONTROL = new Set([
  'DelayedError',
  'RateLimitError',
  'UnrecoverableError',
  'WaitingChildrenError',
  'WaitingError',
]);

function createPool({ name, file, poolOptions, hasTask, logs }, running) {
  return WorkerPool.create(name, {
    overflow: 'backpressure',
    maxQueued: MAX_QUEUED,
    ...poolOptions,
    module: SANDBOX,
    init: {
      module: SANDBOX,
      data: { file, task: hasTask, logs, methods: CALLABLE },
    },
    host: {
      bullmqJob: (key, method, words) => running.call(key, method, words),
    },
  });
}

/** Sends jobs to a pool, and translates their results. */
class Runner {
  #options;
  #isStopping = false;
  #isPoolGone = false;
  #attachments = [];
  #pool;
  running = new RunningJobs();

  constructor(options) {
    this.#options = options;
    this.#pool = options.pool ?? createPool(options, this.running);
  }

  get #ownsPool() {
    return this.#options.pool === undefined;
  }

  get pool() {
    return this.#pool;
  }

  // The last attached Worker took the pool with it, and there is another.
  #reopen() {
    if (!this.#isPoolGone || this.#isStopping) return;
    this.#isPoolGone = false;
    this.#pool = createPool(this.#options, this.running);
  }

  async process(job, token, signal) {
    const running = this.running.add(job, signal);
    const writes = new JobWrites(job);
    try {
      this.#reopen();
      if (this.#isStopping) await this.#refuse(running);
      const result = await this.#call(running, token, writes);
      await running.written(writes.settle());
      writes.check();
      return result;
    } catch (error) {
      running.limitWrites();
      await running.written(writes.settle());
      throw await this.#failure(error, running, token);
    } finally {
      this.running.remove(running);
    }
  }

  async #refuse(running) {
    // Slows down a Worker that is not attached, because it goes on fetching.
    await setTimeout(REFUSED_MS);
    running.end(Ended.Closing);
  }

  async #call({ key, job, signal }, token, writes) {
    const timeoutMs = checkNumber(
      'processor',
      'timeoutMs',
      this.#options.timeoutMs(job) ?? undefined,
    );
    const task = this.#options.task(job) ?? job.name;
    if (!this.#ownsPool) {
      return this.pool.invoke(task, job.data, {
        signal,
        timeoutMs,
        onMessage: (value) => writes.progress(value),
      });
    }
    const text = JSON.stringify(job.asJSONSandbox());
    const result = await this.pool.invoke(
      'process',
      { key, job: text, token: token ?? null, task },
      {
        signal,
        timeoutMs,
        onMessage: ([kind, words]) => {
          if (kind === 'log') writes.log(words);
          else writes.progress(JSON.parse(words));
        },
      },
    );
    return JSON.parse(result);
  }

  /** @returns {Promise<Error>} the error for BullMQ */
  async #failure(error, running, token) {
    const { ended } = running;
    // Nothing can be written without the lock. The stalled check of some worker
    // takes the job back, without counting an attempt.
    if (ended === Ended.LockLost) {
      return named('WaitingError', 'the lock of the job was lost', error);
    }
    if (ended === Ended.Closing || GIVEN_BACK.has(error?.code)) {
      return giveBack(error, running, token);
    }
    if (error?.code === Code.QueueFull) return putOff(error, running, token);
    const thrown = errorOfJob(error);
    if (CONTROL.has(thrown.name) || this.#options.retry(thrown)) return thrown;
    return unrecoverable(thrown);
  }

  attach(worker) {
    this.#reopen();
    const { poolOptions } = this.#options;
    this.#attachments.push(
      new Attachment(worker, {
        running: this.running,
        jobsAtOnce:
          this.pool.state.workers * (poolOptions?.concurrentJobsPerWorker ?? 1),
        closeTimeoutMs: this.#options.closeTimeoutMs,
        onClosed: () => this.#workerClosed(worker),
      }),
    );
    return worker;
  }

  #workerClosed(worker) {
    this.#attachments = this.#attachments.filter(
      (attachment) => attachment.worker !== worker,
    );
    // A processor may serve several Workers.
    if (this.#attachments.length > 0) return;
    this.#isPoolGone = this.#ownsPool;
    this.#stopPool();
  }

  #stopPool() {
    return this.#ownsPool ? this.#pool.stop() : undefined;
  }

  async stop(given) {
    const { timeoutMs = STOP_TIMEOUT_MS } = readOptions('stop', given, [
      'timeoutMs',
    ]);
    checkNumber('stop', 'timeoutMs', timeoutMs);
    this.#isStopping = true;
    const end = performance.now() + timeoutMs;
    const closing = Promise.all(
      this.#attachments.map((attachment) => attachment.close()),
    );
    const { timedOut } = await waitAtMost(this.running.empty(), timeoutMs);
    if (timedOut) {
      this.running.endAll(Ended.Closing);
      await this.running.empty();
    }
    // A Worker whose server is away does not close; it is left to its owner.
    const left = Math.max(0, end - performance.now());
    await waitAtMost(closing, left + LAST_WRITES_MS);
    await this.#stopPool();
  }
}

/** Puts the job back in the queue at once, without counting an attempt. */
async function giveBack(error, running, token) {
  try {
    await running.written(running.job.moveToWait(token));
  } catch {
    // The server is away or the lock is lost: the stalled check returns the
    // job.
  }
  return named('WaitingError', 'the job was given back', error);
}

async function putOff(error, running, token) {
  try {
    const until = Date.now() + NO_PLACE_MS;
    await running.written(running.job.moveToDelayed(until, token));
  } catch {
    // The stalled check returns it for the same reasons.
  }
  return named('DelayedError', 'the pool has no place for the job', error);
}

function unrecoverable(error) {
  const refused = named('UnrecoverableError', error.message, error);
  refused.stack = error.stack;
  if (error.code !== undefined) refused.code = error.code;
  return refused;
}

/**
 * A Processor of BullMQ that runs its jobs in a WorkerPool.
 *
 * @param {string | URL | WorkerPool} target a sandbox file of BullMQ, or a
 *   pool whose exports are called by the jobs' names
 * @param {object} [options] see docs/bullmq.md
 * @returns {Function} with `pool`, `attach(worker)` and `stop()`
 * @throws {TypeError}
 * @throws {Error} there is no such file
 */
function processor(target, options = undefined) {
  const runner = new Runner(readProcessorOptions(target, options));
  // BullMQ makes a signal for functions of three parameters only.
  async function run(job, token, signal) {
    return runner.process(job, token, signal);
  }
  Object.defineProperty(run, 'pool', {
    get: () => runner.pool,
    enumerable: true,
  });
  return Object.assign(run, {
    attach: (worker) => runner.attach(worker),
    stop: (given) => runner.stop(given),
  });
}

module.exports = { processor };
