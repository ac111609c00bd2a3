'use strict';

const { Admission } = require('./internal/admission.js');
const { JobState } = require('./internal/job.js');
const { NativePool, PoolJob } = require('./internal/native-pool.js');
const { readOperation } = require('./internal/operation.js');
const { readIsolateSettings } = require('./internal/pool-settings.js');
const {
  checkName,
  checkTimeoutMs,
  isPlainObject,
  plainOptions,
  positiveInteger,
} = require('./internal/validate.js');
const { disposable } = require('./internal/disposable.js');
const { readOverflow } = require('./internal/overflow.js');

const DEFAULT_MAX_QUEUED = 64;
const DEFAULT_MAX_QUEUED_BYTES = 256 * 1024 * 1024;
const DEFAULT_STOP_MS = 5000;
// The bound in the addon, on top of the policy's: never reached, because
// admission refuses first.
const NATIVE_SLACK = 1;

/** Pools that nobody can reach any more let their threads go. */
const abandoned = new FinalizationRegistry((native) => native.close());

function readPolicy(name, bag) {
  const workers = positiveInteger('WorkerPool.workers', bag.workers, 1);
  const maxQueued = positiveInteger(
    'WorkerPool.maxQueued',
    bag.maxQueued,
    DEFAULT_MAX_QUEUED,
  );
  return {
    name,
    workers,
    maxQueued,
    overflow: readOverflow(bag.overflow),
    maxBackpressureWaiters: positiveInteger(
      'WorkerPool.maxBackpressureWaiters',
      bag.maxBackpressureWaiters,
      maxQueued,
    ),
    maxQueuedBytes: positiveInteger(
      'WorkerPool.maxQueuedBytes',
      bag.maxQueuedBytes,
      DEFAULT_MAX_QUEUED_BYTES,
    ),
    ...readIsolateSettings('WorkerPool', bag),
  };
}

/** The handle that `WorkerPool.create` returns. Sealed. */
class WorkerPoolHandle {
  #policy;
  #admission;
  #native = null;

  constructor(policy) {
    this.#policy = policy;
    this.#admission = new Admission({
      name: `${policy.name}:pool`,
      maxQueued: policy.maxQueued,
      concurrency: policy.workers,
      overflow: policy.overflow,
      maxBackpressureWaiters: policy.maxBackpressureWaiters,
      maxQueuedBytes: policy.maxQueuedBytes,
      // Threads take jobs by themselves; the executor exists with the first.
      executor: {
        submit: (job) => this.#native.submit(job),
        remove: (job) => this.#native.remove(job),
        interrupt: (job) => this.#native.interrupt(job),
        jobs: () => this.#native?.jobs() ?? [],
        forceStop: () => this.#native?.forceStop(),
      },
    });
    Object.seal(this);
  }

  get name() {
    return this.#policy.name;
  }

  /** A new frozen snapshot for each read. */
  get state() {
    const { name, workers, maxQueued } = this.#policy;
    return Object.freeze({
      name,
      workers,
      maxQueued,
      queue: this.#admission.snapshot(),
    });
  }

  /**
   * Runs a function in one of the pool's isolates. It is sent as source text:
   * nothing around it exists there, and it sees its input and context only.
   *
   * @param {(context: { input: unknown, signal: object,
   *   deadline: object | undefined, emit: Function }) => unknown} fn
   * @param {object} [options]
   * @param {unknown} [options.input] copied; default null
   * @param {ArrayBuffer[]} [options.transfer] buffers in `input` to move
   * @param {object} [options.signal] any cancellation signal
   * @param {object | number} [options.deadline] a Deadline, or milliseconds
   * @param {number} [options.timeoutMs] counted from now
   * @param {(value: unknown) => void} [options.onMessage] what the job emits
   * @param {number} [options.priority] 0 (first) to 7, default 4
   * @returns {Promise<unknown>} a copy of what the function returns
   * @throws {TypeError} `fn` is not a function; bad options
   * @throws {SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD}
   * @throws {SLOPPY_E_WORKER_MESSAGE_SERIALIZATION_FAILED}
   * @throws {SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED}
   * @throws {SLOPPY_E_WORKER_BRIDGE_UNAVAILABLE}
   * @throws {SLOPPY_E_WORKER_POOL_UNAVAILABLE}
   * @throws {SLOPPY_E_WORK_QUEUE_STOPPED}
   * @throws {SLOPPY_E_WORK_QUEUE_FULL}
   * @throws {SLOPPY_E_WORK_JOB_CANCELLED}
   * @throws {SLOPPY_E_WORK_JOB_TIMEOUT}
   * @throws {SLOPPY_E_WORK_JOB_FAILED} the function threw; see `cause`
   * @throws {SLOPPY_E_WORKER_CRASHED}
   * @throws {SLOPPY_E_WORKER_SHUTDOWN_CANCELLED}
   */
  run(fn, options = undefined) {
    try {
      if (typeof fn !== 'function') {
        throw new TypeError('WorkerPool.run requires a function.');
      }
      const native = this.#native ?? this.#open();
      const entry = native.functionEntry(fn);
      return this.#submit(native, entry, options?.input ?? null, options);
    } catch (refusal) {
      return Promise.reject(refusal);
    }
  }

  #submit(native, entry, input, options) {
    const encoded = native.encode(input, options?.transfer);
    this.#admission.checkStopped();
    const job = new PoolJob(
      readOperation(options),
      encoded,
      native,
      entry,
      input,
      options,
    );
    const promise = this.#admission.admit(job);
    if (job.state === JobState.Waiting) native.keep(job);
    return promise;
  }

  #open() {
    const native = new NativePool({
      ...this.#policy,
      capacity: this.#policy.workers + this.#policy.maxQueued + NATIVE_SLACK,
    });
    native.attach(this.#admission);
    this.#native = native;
    return native;
  }

  /**
   * @returns {Promise<void>} resolves when nothing is queued, running or
   *   waiting. Does not stop admission. Never rejects.
   */
  drain() {
    return this.#admission.drain();
  }

  /**
   * Refuses new jobs from now on, lets admitted ones finish, and ends the
   * threads. May be called again with `drain: false`.
   *
   * @param {object} [options]
   * @param {boolean} [options.drain] only `false` rejects queued jobs
   * @param {number} [options.timeoutMs] after that, execution is terminated
   *   and what is left is rejected; default 5000
   * @returns {Promise<Readonly<{ cancelled: number, forced: number }>>} jobs
   *   rejected before they ran, and when time was up
   */
  async stop(options = undefined) {
    const bag = options ?? {};
    if (!isPlainObject(bag)) {
      throw new TypeError('worker operation options must be a plain object.');
    }
    const counts = await this.#admission.stop({
      drain: bag.drain !== false,
      timeoutMs:
        bag.timeoutMs === undefined
          ? DEFAULT_STOP_MS
          : checkTimeoutMs(bag.timeoutMs),
    });
    await this.#native?.close();
    return counts;
  }

  get __sloppyWorkerResource() {
    return 'workerPool';
  }

  __sloppyPlanMetadata() {
    const { name, workers, maxQueued } = this.#policy;
    return { kind: 'workerPool', name, workers, maxQueued };
  }

  /** Nothing to start: `run` does. */
  __sloppyStartForApp() {
    return this;
  }

  /** @returns {Promise<{ forced: boolean }>} whether work was given up on */
  async __sloppyStopForApp(_reason, options = undefined) {
    const { forced } = await this.stop({ timeoutMs: options?.timeoutMs });
    return { forced: forced > 0 };
  }
}

disposable(WorkerPoolHandle);

/** A bounded queue in front of isolates on threads of their own. */
const WorkerPool = Object.freeze({
  /**
   * @param {string} name 1 to 128 characters
   * @param {object} [options]
   * @returns {WorkerPoolHandle}
   * @throws {TypeError}
   * @throws {SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED} a limit out of range
   */
  create(name, options = undefined) {
    const bag = plainOptions('WorkerPool.create', options);
    checkName('WorkerPool', name);
    const handle = new WorkerPoolHandle(readPolicy(name, bag));
    return handle;
  },
});

module.exports = { WorkerPool };
