'use strict';

const { disposable } = require('../base/disposable.js');
const { guardMethods, rejectDetached } = require('../base/guard-methods.js');
const { PoolCore } = require('./pool-core.js');
const { readPoolPolicy } = require('../options/pool-policy.js');
const { mapJobs } = require('./map.js');
const { observable } = require('./observable.js');
const { steerable } = require('./steerable.js');
const { streamJob } = require('./stream.js');
const { stoppedByApp } = require('./for-app.js');
const { outOfRoom } = require('../base/stack-room.js');
const { refuseMistakenCall } = require('../options/mistaken-call-options.js');
const {
  CALL,
  MAP,
  MAP_EXPORT,
  RUN,
  STREAM_EXPORT,
} = require('../options/option-sets.js');
const { ownOptions } = require('../base/validate.js');
const {
  freeze,
  register,
  seal,
  unregister,
} = require('../base/primordials.js');

/** Ends the threads of pools that were collected. */
const abandoned = new FinalizationRegistry((core) => core.abandon());

function checkFunction(operation, fn) {
  if (typeof fn === 'function') return;
  throw new TypeError(`WorkerPool.${operation} requires a function.`);
}

let isPool;
let coreOf;

/** The handle that `WorkerPool.create` returns. Sealed. */
class WorkerPoolHandle {
  #core;
  #tasks = null;

  constructor(policy) {
    this.#core = new PoolCore(policy);
    register(abandoned, this, this.#core, this.#core);
    this.#core.watch.created(this);
    seal(this);
  }

  get name() {
    return this.#core.policy.name;
  }

  /** A new frozen snapshot for each read. */
  get state() {
    const { name, workers, maxQueued } = this.#core.policy;
    const queue = this.#core.admission.snapshot();
    return freeze({ name, workers, maxQueued, queue });
  }

  /**
   * @returns {readonly object[]} which workers live now, see `identityOf`; a
   *   new frozen list for each read
   */
  get identities() {
    const { executor } = this.#core;
    return freeze(executor === null ? [] : executor.identities());
  }

  /** True while a submission would wait or be refused. */
  get needsDrain() {
    return this.#core.admission.needsDrain;
  }

  /**
   * Runs a function in one of the pool's isolates. It is sent as source text:
   * nothing around it exists there, and it sees its input and context only.
   *
   * @param {(context: { input: unknown, signal: object,
   *   deadline: object | undefined, emit: Function, host: object })
   *   => unknown} fn
   * @param {object} [options] RunOptions of types/worker-pool.d.ts
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
   * @throws {SLOPPY_E_WORKER_ISOLATE_STARTUP_FAILED} one of `modules` did not
   *   load; see `cause`
   * @throws {SLOPPY_E_WORKER_CRASHED}
   * @throws {SLOPPY_E_WORKER_SHUTDOWN_CANCELLED}
   */
  run(fn, given = undefined) {
    try {
      checkFunction('run', fn);
      const options = ownOptions(given);
      refuseMistakenCall('WorkerPool.run', options, RUN);
      const core = this.#core;
      const entry = core.openForJob().function(fn, options?.modules);
      return core.submit(entry, core.inputOf(options?.input), options);
    } catch (refusal) {
      try {
        if (!isPool(this)) return rejectDetached('WorkerPool.run');
        return this.#core.refuse(refusal);
      } catch {
        return outOfRoom;
      }
    }
  }

  /**
   * Calls an export of the pool's module with a copy of `payload`.
   *
   * @param {string} exportName
   * @param {unknown} [payload] default null
   * @param {object} [options] as for `run`, without `input`
   * @returns {Promise<unknown>} a copy of what the function returns
   * @throws {TypeError} no name, or the pool was made without `module`
   * @throws {SLOPPY_E_WORKER_CRASHED} the export is missing or no function
   * @throws {SLOPPY_E_WORKER_ISOLATE_STARTUP_FAILED} the module did not load
   */
  invoke(exportName, payload = undefined, given = undefined) {
    try {
      const options = ownOptions(given);
      refuseMistakenCall('WorkerPool.invoke', options, CALL);
      const entry = this.#exportEntry('invoke', exportName);
      const core = this.#core;
      return core.submit(entry, core.inputOf(payload), options);
    } catch (refusal) {
      try {
        if (!isPool(this)) return rejectDetached('WorkerPool.invoke');
        return this.#core.refuse(refusal);
      } catch {
        return outOfRoom;
      }
    }
  }

  /** `pool.tasks.parse(payload, options)` is `pool.invoke('parse', …)`. */
  get tasks() {
    this.#tasks ??= require('./tasks.js').tasksOf(this);
    return this.#tasks;
  }

  /**
   * Runs a function for each value of an iterable, with `concurrency` of them
   * under way. Results come in the order of the source, which is read only as
   * fast as they are consumed, and closed when the loop ends early.
   *
   * @param {Iterable<unknown> | AsyncIterable<unknown>} iterable
   * @param {Function | string} fn gets each value as `input`; a string names
   *   an export of the pool's module
   * @param {object} [options] as for `run`
   * @param {number} [options.concurrency] default twice the workers
   * @returns {AsyncGenerator<unknown>}
   */
  map(iterable, fn, given = undefined) {
    const options = ownOptions(given);
    if (typeof iterable === 'function' && typeof fn !== 'function') {
      throw new TypeError(
        'WorkerPool.map takes the values first, then the function.',
      );
    }
    const byName = typeof fn === 'string';
    if (!byName) checkFunction('map', fn);
    refuseMistakenCall('WorkerPool.map', options, byName ? MAP_EXPORT : MAP);
    const start = byName
      ? (value, bag) => this.invoke(fn, value, bag)
      : (value, bag) =>
          this.run(fn, { ...bag, modules: options?.modules, input: value });
    return mapJobs(this.#core, iterable, start, options);
  }

  /**
   * The values that a generator in a worker yields. The worker is at most 16
   * values ahead; leaving the loop early runs the generator's `finally`.
   *
   * @param {Function | string} fn a (usually async) generator function; a
   *   string names an export of the pool's module
   * @param {object} [options] as for `run`
   * @returns {AsyncGenerator<unknown>}
   */
  stream(fn, given = undefined) {
    const options = ownOptions(given);
    const byName = typeof fn === 'string';
    if (!byName) checkFunction('stream', fn);
    const known = byName ? STREAM_EXPORT : RUN;
    refuseMistakenCall('WorkerPool.stream', options, known);
    const entryOf = () =>
      byName
        ? this.#exportEntry('stream', fn)
        : this.#core.openForJob().function(fn, options?.modules);
    return streamJob(this.#core, entryOf, options);
  }

  /**
   * Runs a function, or an export of the pool's module, once in every worker
   * that lives, before any other job of it: to refresh what they keep.
   *
   * @param {Function | string} fn as of `run`, or the name of an export
   * @param {object} [options]
   * @param {unknown} [options.input] as of `run`, but not streamed; default
   *   null. The same for all workers
   * @param {boolean} [options.later] default false. Also in every worker that
   *   starts later or gets new globals, before its first job
   * @param {object} [options.modules] as of `run`
   * @param {object} [options.signal] ends `later` as well
   * @param {number} [options.timeoutMs] for each worker, from when it is asked
   * @param {number} [options.runTimeoutMs] for each worker, from its start
   * @returns {Promise<object[]>} `{ status: 'fulfilled', value }` or
   *   `{ status: 'rejected', reason }` of each worker; [] without any
   * @throws {TypeError} bad options; `isolation` is not `'worker'`
   * @throws as `run` where nothing was sent: see docs/api-worker-pool.md
   */
  async broadcast(fn, given = undefined) {
    const core = this.#core;
    try {
      const byName = typeof fn === 'string';
      if (!byName) checkFunction('broadcast', fn);
      const { readBroadcast } = require('./broadcast.js');
      const options = readBroadcast(given, core.policy, byName);
      core.admission.checkStopped();
      const { entries } = core.open();
      const entry = byName
        ? this.#exportEntry('broadcast', fn, entries)
        : entries.function(fn, options.modules);
      return await core.broadcasts.start(entry, options);
    } catch (refusal) {
      return core.refuse(refusal);
    }
  }

  /**
   * Shares a value with the jobs that are submitted from now on: they read it
   * as `context.shared[name]`. It is encoded once, here; each worker decodes it
   * when a job first reads it, and keeps it.
   *
   * @param {string} name 1 to 128 characters, not shared already
   * @param {unknown} value as an `input`, and SharedArrayBuffers. What has
   *   bytes is common to all workers until one of them writes there
   * @returns {SharedValue} with `update(value)` and `release()`
   * @throws {TypeError} bad name, no value, or the name is shared already
   * @throws {SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD}
   * @throws {SLOPPY_E_WORKER_MESSAGE_SERIALIZATION_FAILED}
   * @throws {SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED} what the pool shares
   *   would be more than `memoryLimitMb`
   * @throws {SLOPPY_E_WORKER_BRIDGE_UNAVAILABLE}
   * @throws {SLOPPY_E_WORK_QUEUE_STOPPED}
   */
  share(name, value) {
    return require('./shared-value.js').shareValue(this.#core, name, value);
  }

  /**
   * Tells how the pool's processes are locked down; starts one if none has said
   * it yet.
   *
   * @returns {Promise<{ layers: object, jit: boolean, processes: number,
   *   spares: number }>} `layers`: whether each holds
   * @throws {TypeError} the pool was made without the option `sandbox`
   * @throws {SLOPPY_E_WORKERS_FEATURE_UNAVAILABLE} a required layer does not
   *   hold, or no such process can be started; see `cause`
   * @throws {SLOPPY_E_WORK_QUEUE_STOPPED}
   */
  async sandbox() {
    const core = this.#core;
    if (core.policy.sandbox === undefined) {
      throw new TypeError(
        'WorkerPool.sandbox requires a pool made with the option sandbox.',
      );
    }
    core.admission.checkStopped();
    return core.open().sandboxState();
  }

  #exportEntry(operation, name, entries = null) {
    if (typeof name !== 'string' || name === '') {
      throw new TypeError(
        `WorkerPool.${operation} export name must be a non-empty string.`,
      );
    }
    if (this.#core.policy.module === undefined) {
      throw new TypeError(
        `WorkerPool.${operation} requires a pool made with the option module.`,
      );
    }
    return (entries ?? this.#core.openForJob()).export(name);
  }

  /**
   * Refuses new jobs from now on, lets admitted ones finish, calls `dispose`
   * of the modules, and ends the threads. May be called again with
   * `drain: false`.
   *
   * @param {object} [options]
   * @param {boolean} [options.drain] only `false` rejects queued jobs; those
   *   that `state.queue.active` counts go on, unless the pool is paused
   * @param {number} [options.timeoutMs] after that, execution is terminated and
   *   remaining jobs are rejected; default 5000
   * @returns {Promise<Readonly<{ cancelled: number, forced: number }>>} jobs
   *   rejected before they ran, and when time was up
   */
  async stop(options = undefined) {
    const counts = await this.#core.stop(
      'WorkerPool.stop',
      options,
      'WorkerPool.stop options must be a plain object.',
    );
    // Unregistered, because host functions may refer to the pool.
    unregister(abandoned, this.#core);
    return counts;
  }

  get __sloppyWorkerResource() {
    return 'workerPool';
  }

  __sloppyPlanMetadata() {
    const { name, workers, maxQueued } = this.#core.policy;
    return { kind: 'workerPool', name, workers, maxQueued };
  }

  /** Nothing to do, because `run` starts the pool. */
  __sloppyStartForApp() {
    return this;
  }

  static {
    coreOf = (pool) => pool.#core;
    isPool = (value) =>
      typeof value === 'object' && value !== null && #core in value;
  }
}

observable(WorkerPoolHandle, coreOf);
steerable(WorkerPoolHandle, coreOf);
stoppedByApp(WorkerPoolHandle);
guardMethods(WorkerPoolHandle, {
  name: 'WorkerPool',
  isHandle: isPool,
  promised: ['drain', 'onIdle', 'recycle'],
  hot: ['run', 'invoke'],
});
disposable(WorkerPoolHandle);

/** A bounded queue in front of isolates on threads of their own. */
const WorkerPool = freeze({
  /**
   * @param {string} name 1 to 128 characters
   * @param {object} [options] see docs/api-worker-pool.md
   * @returns {WorkerPoolHandle}
   * @throws {TypeError}
   * @throws {SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED} a limit out of range
   */
  create(name, options = undefined) {
    return new WorkerPoolHandle(readPoolPolicy(name, options));
  },
});

module.exports = { WorkerPool };
