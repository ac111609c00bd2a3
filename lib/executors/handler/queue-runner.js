'use strict';

const {
  WorkerCancellationController,
  cancelNow,
} = require('../../signals/cancellation.js');
const {
  SloppyWorkerError,
  workerError,
} = require('../../protocol/sloppy-worker-error.js');
const { Outcome } = require('../../errors/outcome.js');
const { Contexts } = require('../../base/async-contexts.js');
const { Code } = require('../../protocol/diagnostics.gen.js');
const { append, bareClass } = require('../../base/bare.js');
const { LinkedList } = require('../../base/linked-list.js');
const { Job, JobState, failing } = require('../../admission/job.js');
const { asksForRoom } = require('../../base/stack-room.js');
const { backoffDelay } = require('./retry.js');
const { schedule } = require('../../timers/timer-heap.js');
const {
  OwnPromise,
  freeze,
  now,
  queueMicrotask,
  runInAsyncScope,
} = require('../../base/primordials.js');
const { Times } = require('../../protocol/wire.gen.js');

const needRoom = asksForRoom();

/** Times for `ended`: a handler's CPU time and result size are not measured. */
const times = new Float64Array([0, 0, -1, -1, -1, -1]);

/**
 * Fields that few jobs need, in an object of its own, so that the others stay
 * small.
 */
class RareParts {
  backoffTimer = null;
  waitedMs = 0;
  // Instants of performance.now(), for a job with metrics.
  queuedAt = 0;
  startedAt = 0;
}

bareClass(RareParts);

/** A job of a WorkQueue: the handler's view of it, and its attempts. */
class QueueJob extends Job {
  constructor(operation, bytes, data) {
    super(operation, bytes);
    this.prev = null;
    this.next = null;
    this.data = data;
    this.attempt = 0;
    /** The controller of the current attempt. */
    this.controller = null;
    /**
     * The async context in which a handler that starts later sees its caller's
     * stores.
     */
    this.context = null;
    this.rare = null;
  }

  get hasStarted() {
    return this.attempt > 0;
  }

  get waitedMs() {
    return this.rare === null ? 0 : this.rare.waitedMs;
  }

  set waitedMs(ms) {
    own(this).waitedMs = ms;
  }
}

// A function, because a private method would cost each job a field.
function own(job) {
  job.rare ??= new RareParts();
  return job.rare;
}

/**
 * The executor of a WorkQueue: runs handlers in the caller's isolate.
 *
 * 1. From `submit` to its release a job is in one of the two lists.
 * 2. A handler starts inside `submit` when a slot is free.
 * 3. A handler cannot be killed. When its caller gives up, its slot is free at
 *    once. Later results are ignored, by the job's state.
 * 4. A slot is held during backoff.
 */
class QueueRunner {
  #concurrency;
  #retry;
  #handler = null;
  #admission = null;
  #queued = new LinkedList();
  #contexts = new Contexts('SloppyWorkQueueJob');
  #running = new LinkedList();
  #stopReason = undefined;
  #isStopping = false;
  // A call below takes the next jobs, once what it calls now has returned.
  #isStarting = false;

  constructor(concurrency, retry) {
    this.#concurrency = concurrency;
    this.#retry = retry;
  }

  /** Connects the admission, once, because both refer to each other. */
  attach(admission) {
    this.#admission = admission;
  }

  get hasHandler() {
    return this.#handler !== null;
  }

  /** REQUIRES: `!hasHandler`. */
  handle(handler) {
    this.#handler = handler;
  }

  submit(job) {
    this.#queued.push(job);
    if (job.metrics !== null) {
      own(job).queuedAt = now();
      job.metrics.queued(job);
    }
    this.#startNext();
    // One may wait that a signal's or payload's getter has submitted meanwhile.
    this.#admission.promoteWaiters();
  }

  /**
   * Keeps the async context of a job that will start, or start again, later.
   *
   * @param {QueueJob} job
   * @param {Promise<unknown>} promise made in its context
   */
  keepContext(job, promise) {
    job.context ??= this.#contexts.keep(promise);
  }

  remove(job) {
    if (job.hasStarted) return false;
    this.#queued.remove(job);
    return true;
  }

  interrupt(job, reason) {
    job.rare?.backoffTimer?.cancel();
    if (job.controller !== null) cancelNow(job.controller, reason);
    this.#running.remove(job);
    releaseMemory(job);
    this.#admission.release(job);
    this.#advance();
  }

  jobs() {
    const all = this.#running.toArray();
    const queued = this.#queued.toArray();
    for (let i = 0; i < queued.length; i++) append(all, queued[i]);
    return all;
  }

  requestStop(reason) {
    if (this.#isStopping) return;
    this.#isStopping = true;
    this.#stopReason = reason;
    const running = this.#running.toArray();
    for (let i = 0; i < running.length; i++) {
      const { controller } = running[i];
      if (controller !== null) cancelNow(controller, reason);
    }
  }

  #startNext() {
    const outer = this.#isStarting;
    this.#isStarting = true;
    try {
      this.#startAll();
    } finally {
      this.#isStarting = outer;
    }
    if (this.#queued.size === 0) this.#contexts.forget();
  }

  #startAll() {
    while (this.#running.size < this.#concurrency && this.#queued.size > 0) {
      const job = this.#queued.head;
      if (!this.#admission.recheck(job) || this.#queued.head !== job) continue;
      this.#queued.remove(job);
      this.#running.push(job);
      this.#admission.started(job);
      if (job.metrics !== null) {
        const { rare } = job;
        rare.startedAt = now();
        job.metrics.started(job, rare.startedAt - rare.queuedAt);
      }
      this.#run(job);
    }
  }

  // Starting a job frees queued bytes, which may make room for a waiter. A job
  // that ends while it is started begins no other one, because handlers that
  // throw would stack up.
  #advance() {
    if (!this.#isStarting) this.#startNext();
    this.#admission.promoteWaiters();
  }

  #run(job) {
    if (job.context === null) this.#attempt(job);
    else runInAsyncScope(job.context, this.#attempt, this, job);
  }

  async #attempt(job) {
    job.attempt += 1;
    let returned;
    let result;
    try {
      returned = this.#call(job);
    } catch (error) {
      // Near the end of the stack, the job's end needs another one.
      if (isShort()) await null;
      if (job.state === JobState.Admitted) this.#onFailure(job, error);
      return;
    }
    try {
      result = await returned;
    } catch (error) {
      if (job.state === JobState.Admitted) this.#onFailure(job, error);
      return;
    }
    if (job.state === JobState.Admitted) {
      this.#finish(job, Outcome.Completed, result);
    }
  }

  #call(job) {
    const { attempt, id, data } = job;
    const { operation } = job;
    const isTimed = operation.runMs !== Infinity;
    if (isTimed) operation.beginRun();
    const deadline = isTimed ? operation.runDeadline : operation.deadline;
    const controller = new WorkerCancellationController();
    const { signal } = controller;
    job.controller = controller;
    if (this.#isStopping) cancelNow(controller, this.#stopReason);
    // The handler's `this` must not be this object, so it is no method's call.
    const handler = this.#handler;
    return handler(
      freeze({ id, data, attempt }),
      freeze({ signal, deadline, attempt }),
    );
  }

  #onFailure(job, error) {
    const code = codeOf(error);
    const { maxAttempts } = this.#retry;
    if (code === Code.JobCancelled) {
      this.#finish(job, Outcome.Cancelled, error);
    } else if (code === Code.JobTimeout) {
      this.#finish(job, Outcome.TimedOut, error);
    } else if (job.attempt < maxAttempts) {
      this.#backOff(job, error);
    } else if (maxAttempts > 1) {
      this.#fail(job, Outcome.Exhausted, Code.RetryExhausted, error);
    } else if (code === undefined) {
      this.#fail(job, Outcome.Failed, Code.JobFailed, error);
    } else {
      this.#finish(job, Outcome.Failed, error);
    }
  }

  #backOff(job, error) {
    // The attempt is over, so a later cancellation must not reach its signal.
    job.controller = null;
    job.operation.endRun();
    let delayMs;
    try {
      delayMs = backoffDelay(this.#retry, job.attempt, error);
    } catch (backoffError) {
      if (job.state !== JobState.Admitted) return;
      this.#fail(job, Outcome.Failed, Code.JobFailed, backoffError);
      return;
    }
    // The backoff function may have cancelled its own job.
    if (job.state !== JobState.Admitted) return;
    this.keepContext(job, new OwnPromise(() => {}));
    const retry = () => this.#retryNow(job);
    if (delayMs === 0) queueMicrotask(retry);
    else own(job).backoffTimer = schedule(now() + delayMs, retry);
  }

  #retryNow(job) {
    if (job.rare !== null) job.rare.backoffTimer = null;
    if (job.state !== JobState.Admitted) return;
    if (!this.#admission.recheck(job)) return;
    job.metrics?.retried(job);
    this.#run(job);
  }

  #finish(job, outcome, value) {
    this.#ended(job);
    this.#admission.finish(job, outcome, value);
    this.#advance();
  }

  #fail(job, outcome, code, cause) {
    this.#ended(job);
    const admission = this.#admission;
    const error = failing(admission, () =>
      workerError(code, undefined, { cause }),
    );
    admission.failLater(job, outcome, error, code);
    admission.release(job);
    this.#advance();
  }

  #ended(job) {
    this.#running.remove(job);
    if (job.metrics !== null) {
      const { queuedAt, startedAt } = job.rare;
      times[Times.Queued] = startedAt - queuedAt;
      times[Times.Run] = now() - startedAt;
      job.metrics.ended(job, times, 0);
    }
    releaseMemory(job);
  }
}

/**
 * Most jobs are in the old generation when they start. Objects they refer to
 * would live, and be moved as well, until a full collection.
 */
function releaseMemory(job) {
  job.data = null;
  job.controller = null;
  job.context = null;
}

/** @returns {string | undefined} the code if it is an error of ours */
function codeOf(error) {
  try {
    return error instanceof SloppyWorkerError ? error.code : undefined;
  } catch {
    // Some thrown values, such as a revoked proxy, cannot be read.
    return undefined;
  }
}

/** @returns {boolean} whether the stack has no room for the job's end */
function isShort() {
  try {
    needRoom();
    return false;
  } catch {
    return true;
  }
}

module.exports = { QueueJob, QueueRunner };
