'use strict';

const { Admission } = require('../admission/admission.js');
const { copyPayload } = require('../payload/copy-payload.js');
const { Code } = require('../protocol/diagnostics.gen.js');
const { disposable } = require('../base/disposable.js');
const { guardMethods, rejectDetached } = require('../base/guard-methods.js');
const { queueMetrics } = require('../observe/metrics.js');
const { traced, tracing } = require('../observe/tracing.js');
const { Watch } = require('../observe/watch.js');
const { readOperation } = require('../admission/read-operation.js');
const { refuseMistakenCall } = require('../options/mistaken-call-options.js');
const { readDrain, refuseMistaken } = require('../options/mistaken-options.js');
const { QUEUE, QUEUE_CALL } = require('../options/option-sets.js');
const { readOverflow } = require('../options/overflow.js');
const {
  QueueJob,
  QueueRunner,
} = require('../executors/handler/queue-runner.js');
const { readRetry } = require('../executors/handler/retry.js');
const { asksForSome, outOfRoom } = require('../base/stack-room.js');
const {
  checkName,
  checkTimeoutMs,
  isPlainObject,
  ownOptions,
  plainOptions,
} = require('../base/validate.js');
const { workerError } = require('../protocol/sloppy-worker-error.js');
const { freeze, rejected, seal } = require('../base/primordials.js');

const needRoom = asksForSome();

/** Checks the options of `WorkQueue.create` in the order of its table. */
function readPolicy(name, bag) {
  const read = (option, fallback = undefined) =>
    QUEUE.read('WorkQueue', bag, option, fallback);
  const maxQueued = read('maxQueued');
  return freeze({
    name,
    maxQueued,
    concurrency: read('concurrency'),
    overflow: readOverflow('WorkQueue', bag.overflow),
    maxBackpressureWaiters: read('maxBackpressureWaiters', maxQueued),
    retry: readRetry(bag),
    maxQueuedBytes: read('maxQueuedBytes'),
    runTimeoutMs: read('runTimeoutMs'),
  });
}

let isQueue;

/** The handle that `WorkQueue.create` returns. Sealed. */
class WorkQueueHandle {
  #policy;
  #runner;
  #admission;
  #watch;

  constructor(policy, metrics) {
    this.#policy = policy;
    this.#watch = new Watch('queue', policy.name);
    if (metrics) this.#watch.measure();
    this.#runner = new QueueRunner(policy.concurrency, policy.retry);
    this.#admission = new Admission({ ...policy, executor: this.#runner });
    this.#runner.attach(this.#admission);
    seal(this);
  }

  get name() {
    return this.#policy.name;
  }

  get maxQueued() {
    return this.#policy.maxQueued;
  }

  get maxQueuedBytes() {
    return this.#policy.maxQueuedBytes;
  }

  get concurrency() {
    return this.#policy.concurrency;
  }

  get overflow() {
    return this.#policy.overflow;
  }

  get maxBackpressureWaiters() {
    return this.#policy.maxBackpressureWaiters;
  }

  /**
   * Counters since the queue was made, gauges of now, and histograms since the
   * first call, or since it was made with the option `metrics`.
   *
   * @returns {object} frozen; see docs/observability.md
   */
  metrics() {
    return queueMetrics(this.#watch, this.#admission);
  }

  /** Frozen `{ maxAttempts, backoffMs }`. */
  get retry() {
    return this.#policy.retry;
  }

  /** Milliseconds, or Infinity. */
  get runTimeoutMs() {
    return this.#policy.runTimeoutMs;
  }

  /** A new frozen snapshot for each read. */
  get state() {
    return this.#admission.snapshot();
  }

  /**
   * Registers the one consumer.
   *
   * @param {(job: { id: number, data: unknown, attempt: number },
   *   context: { signal: object, deadline: object | undefined,
   *   attempt: number }) => unknown} handler
   * @returns {this}
   * @throws {TypeError} for anything but a function, and at a second call
   */
  process(handler) {
    if (typeof handler !== 'function') {
      throw new TypeError('WorkQueue.process requires a job handler.');
    }
    if (this.#runner.hasHandler) {
      throw new TypeError('WorkQueue.process may only be called once.');
    }
    this.#runner.handle(handler);
    return this;
  }

  /**
   * Submits a job with a private copy of `data`. When the queue is idle the
   * handler begins inside this call. Every failure is a rejection.
   *
   * @param {unknown} data see `copyPayload`
   * @param {object} [options]
   * @param {object} [options.signal] any cancellation signal
   * @param {object | number} [options.deadline] a Deadline, or milliseconds
   * @param {number} [options.timeoutMs] counted from now
   * @param {number} [options.runTimeoutMs] counted from each start of the
   *   handler; default the queue's
   * @returns {Promise<unknown>} the handler's result, not copied
   * @throws {SLOPPY_E_WORK_QUEUE_STOPPED} also without a processor
   * @throws {SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD}
   * @throws {SLOPPY_E_WORKER_MESSAGE_SERIALIZATION_FAILED}
   * @throws {TypeError} for bad options
   * @throws {SLOPPY_E_WORK_JOB_CANCELLED} before, queued, waiting or running
   * @throws {SLOPPY_E_WORK_JOB_TIMEOUT} likewise
   * @throws {SLOPPY_E_WORK_QUEUE_FULL}
   * @throws {SLOPPY_E_WORK_JOB_FAILED} the only attempt failed; see `cause`
   * @throws {SLOPPY_E_WORK_RETRY_EXHAUSTED} every attempt failed; see `cause`
   * @throws {SLOPPY_E_WORKER_SHUTDOWN_CANCELLED} by `stop({ drain: false })`
   */
  enqueue(data, options = undefined) {
    // An async function would add a promise to every job.
    try {
      needRoom();
      this.#admission.checkStopped();
      if (!this.#runner.hasHandler) {
        throw workerError(Code.QueueStopped, 'work queue has no processor');
      }
      if (tracing.tracer === null) return this.#submit(data, options, null);
      return traced(this.#watch, null, (span) =>
        this.#submit(data, options, span),
      );
    } catch (refusal) {
      try {
        if (!isQueue(this)) return rejectDetached('WorkQueue.enqueue');
        return this.#refuse(refusal);
      } catch {
        return outOfRoom;
      }
    }
  }

  #refuse(refusal) {
    this.#watch.refused(this.#admission.refused(refusal));
    return rejected(refusal);
  }

  /**
   * @returns {Promise<void>} resolves when nothing is queued, running or
   *   waiting. Does not stop admission. Never rejects.
   */
  drain() {
    return this.#admission.drain();
  }

  /**
   * Refuses new jobs from now on and resolves when the admitted ones are over.
   * Waiters are rejected at once. May be called again with `drain: false`.
   *
   * @param {object} [options]
   * @param {boolean} [options.drain] only `false` rejects queued jobs, and
   *   cancels the signals of running ones, which may still finish
   * @param {number} [options.timeoutMs] after that, remaining jobs are rejected
   *   and their handlers' late results are ignored. Default: no limit
   * @returns {Promise<void>} rejects for a bad `timeoutMs` only
   */
  async stop(options = undefined) {
    const bag = ownOptions(options);
    const drain = isPlainObject(bag) ? readDrain('WorkQueue.stop', bag) : true;
    await this.#stop(drain, bag?.timeoutMs);
  }

  get __sloppyWorkerResource() {
    return 'workQueue';
  }

  __sloppyPlanMetadata() {
    const { name, maxQueued, concurrency, overflow } = this.#policy;
    return { kind: 'workQueue', name, maxQueued, concurrency, overflow };
  }

  /** Nothing to do, because `process` and `enqueue` start the queue. */
  __sloppyStartForApp() {
    return this;
  }

  /** @returns {Promise<{ forced: boolean }>} whether work was abandoned */
  async __sloppyStopForApp(reason, options = undefined) {
    const { forced } = await this.#stop(true, options?.timeoutMs, reason);
    return { forced: forced > 0 };
  }

  #submit(data, options, span) {
    const payload = copyPayload(data);
    const bag = ownOptions(options);
    refuseMistakenCall('WorkQueue.enqueue', bag, QUEUE_CALL);
    const operation = readOperation(bag, this.#policy.runTimeoutMs);
    const job = new QueueJob(operation, payload.bytes, payload.value);
    job.metrics = this.#watch.of(null, span);
    const promise = this.#admission.admit(job);
    if (!job.hasStarted) this.#runner.keepContext(job, promise);
    return promise;
  }

  #stop(drain, timeoutMs, reason) {
    return this.#admission.stop({
      drain,
      timeoutMs:
        timeoutMs === undefined ? undefined : checkTimeoutMs(timeoutMs),
      reason,
    });
  }

  static {
    isQueue = (value) =>
      typeof value === 'object' && value !== null && #admission in value;
  }
}

guardMethods(WorkQueueHandle, {
  name: 'WorkQueue',
  isHandle: isQueue,
  promised: ['drain'],
  hot: ['enqueue'],
});
disposable(WorkQueueHandle);

/** A bounded FIFO queue whose handler runs in the caller's isolate. */
const WorkQueue = freeze({
  /**
   * @param {string} name 1 to 128 characters
   * @param {object} [options]
   * @param {number} [options.maxQueued] jobs that may wait to run, default 1024
   * @param {number} [options.maxQueuedBytes] and their payloads together,
   *   default 256 MiB
   * @param {number} [options.concurrency] handlers at once, default 1
   * @param {'reject' | 'backpressure'} [options.overflow] default `reject`
   * @param {number} [options.maxBackpressureWaiters] default `maxQueued`
   * @param {{ maxAttempts?: number, backoffMs?: number | Function }}
   *   [options.retry] default 1 attempt, 0 ms
   * @param {number} [options.runTimeoutMs] of `enqueue`; default Infinity
   * @param {boolean} [options.metrics] histograms from the first job on;
   *   default from the first call of `metrics()`
   * @returns {WorkQueueHandle}
   * @throws {TypeError}
   */
  create(name, options = undefined) {
    const bag = plainOptions('WorkQueue.create', options);
    checkName('WorkQueue', name);
    const policy = readPolicy(name, bag);
    const metrics = QUEUE.read('WorkQueue', bag, 'metrics');
    refuseMistaken('WorkQueue.create', bag, QUEUE.names);
    return new WorkQueueHandle(policy, metrics);
  },
});

module.exports = { WorkQueue };
