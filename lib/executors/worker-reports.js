'use strict';

const { isNativeError } = require('node:util').types;

const { Outcome, outcomeOf } = require('../errors/outcome.js');
const { callListener } = require('../base/call-listener.js');
const { codeById } = require('../protocol/diagnostics.gen.js');
const { HostCalls } = require('./channels.js');
const { JobState } = require('../admission/job.js');
const { errorOf } = require('../errors/job-error.js');
const { rebuildError } = require('../errors/rebuild-error.js');
const { substring, textIndexOf } = require('../protocol/codec/captured.js');
const {
  OwnWeakMap,
  captureStackTrace,
  freeze,
  runInAsyncScope,
} = require('../base/primordials.js');
const { Channel, Detail } = require('../protocol/wire.gen.js');

/**
 * Handles the reports of workers: a job's end, its messages, its calls of host
 * functions, and uncaught errors.
 *
 * Subclasses implement `mail` (see NativePool), `control`, `listen` and `hear`.
 */
class WorkerReports {
  admission = null;
  /** Functions that every worker must run once, see pool/broadcast.js. */
  rounds = null;
  /** The values of `context.shared`; null until there is one. */
  shares = null;
  /** Makes the caller's own errors of those that jobs throw. */
  rebuildError = undefined;
  /** Each message to the port gets a turn of the loop of its own. */
  oneByOne = false;
  #onMessage = null;
  #onPort = null;
  #onWorkerStart = null;
  #onWorkerExit = null;
  #onUncaught = null;
  #onOutput = null;
  // Uncaught errors while a job was running, by job.
  #uncaught = new OwnWeakMap();
  #hostCalls;

  /** @param {object} [functions] of the owner, which jobs may call */
  constructor(functions) {
    /** Whether jobs may call host functions. */
    this.hasHost = functions !== undefined;
    this.#hostCalls = new HostCalls(functions ?? {});
  }

  /** Connects the admission, once, because both refer to each other. */
  attach(admission) {
    this.admission = admission;
    admission.executor = this;
  }

  /** The globals of a worker are new, and it waits to be let in. */
  fresh(worker) {
    this.rounds?.fresh(worker);
  }

  /** Receives messages of jobs without a listener of their own. */
  set onMessage(callback) {
    this.#onMessage = callback;
  }

  /** Called when a thread has started, with its identity. */
  set onWorkerStart(callback) {
    this.#onWorkerStart = callback;
  }

  /** Called when one has ended, as (why, identity). */
  set onWorkerExit(callback) {
    this.#onWorkerExit = callback;
  }

  /**
   * Receives uncaught errors of workers, as (error, origin), instead of stderr;
   * null for stderr.
   */
  set onUncaught(callback) {
    this.#onUncaught = callback;
    this.listen(callback !== null);
  }

  /**
   * Receives what workers print, as `{ worker, stream, text }`, instead of the
   * process's streams; null for those.
   */
  set onOutput(callback) {
    if (callback === this.#onOutput) return;
    this.#onOutput = callback;
    this.hear(callback !== null);
  }

  /** Receives messages of a message worker's port: { receive }. */
  set onPort(receiver) {
    this.#onPort = receiver;
  }

  /** @param {object} worker its identity, see `identityOf` */
  workerStarted(worker) {
    this.#onWorkerStart?.(worker);
  }

  workerExited(why, worker) {
    this.#onWorkerExit?.(why, worker);
  }

  /** The job is no longer held. */
  over(job) {
    job.slot = -1;
    job.entry.pending -= 1;
    if (this.shares !== null) this.shares.leave(job);
  }

  settle(job, status, detail, value) {
    if (job.abandoned) return;
    job.lostTimer?.cancel();
    this.over(job);
    if (job.state !== JobState.Admitted) {
      this.admission.release(job);
    } else if (status === 0) {
      this.admission.finish(job, Outcome.Completed, value);
    } else {
      const failing = this.#fail(job, status, detail, value);
      const code = codeById(status);
      this.admission.failLater(job, outcomeOf(code), failing, code);
    }
  }

  /**
   * Rejects with the job's error. It is made inside an async function for which
   * the job's promise waits, because V8 then continues its stack with the
   * callers that await the job. This costs nothing while jobs succeed.
   */
  async #fail(job, status, detail, value) {
    // Two microtask turns, until the job's promise waits for this one.
    await null;
    await null;
    // The reason why a job never settles is often an uncaught error.
    const thrown =
      detail === Detail.NeverSettles ? this.#uncaught.get(job) : value;
    try {
      const error = errorOf(status, detail, thrown, this.rebuildError);
      continueStack(error.cause, this.#fail);
      throw error;
    } finally {
      // The job's caller is notified before callers that wait for a place.
      this.#releaseLater(job);
    }
  }

  async #releaseLater(job) {
    await null;
    await null;
    this.admission.release(job);
  }

  message(job, channel, value, worker) {
    if (channel === Channel.Output) {
      this.#hearOutput(value, worker);
      return;
    }
    if (channel >= Channel.Uncaught) {
      this.#hearUncaught(job, channel, value);
      return;
    }
    if (job !== null && job.state !== JobState.Admitted) {
      // A job may still put things right through the owner in its grace; its
      // caller hears nothing more.
      const isGranted = this.graceOf(job) > 0;
      if (channel !== Channel.Host || !isGranted) return;
    }
    if (channel === Channel.Host) {
      this.#hostCalls.answer(this, job, value, worker);
    } else if (channel === Channel.Emit) {
      if (job === null || job.onMessage === null) {
        callListener(this.#onMessage, value);
      } else {
        const { context, onMessage } = job;
        runInAsyncScope(context, callListener, undefined, onMessage, value);
      }
    } else {
      (job === null ? this.#onPort : job.channels)?.receive(channel, value);
    }
  }

  #hearOutput(output, worker) {
    // Indexes serve, because the caller may change Array.prototype. Jobs may send
    // here what they like.
    const text = output?.[1];
    if (typeof text !== 'string') return;
    const stream = output[0] === 2 ? 'stderr' : 'stdout';
    // The last listener may have been removed since.
    if (this.#onOutput === null) process[stream].write(text);
    else callListener(this.#onOutput, freeze({ worker, stream, text }));
  }

  #hearUncaught(job, channel, described) {
    if (job !== null) this.#uncaught.set(job, described);
    if (this.#onUncaught === null) return;
    const rejection = channel === Channel.Rejection;
    const origin = rejection ? 'unhandledRejection' : 'uncaughtException';
    const error = rebuildError(described, this.rebuildError);
    callListener(this.#onUncaught, error, origin);
  }
}

/** Continues the worker's stack with the callers that awaited the job. */
function continueStack(cause, below) {
  if (!isNativeError(cause) || typeof cause.stack !== 'string') return;
  const callers = {};
  try {
    captureStackTrace(callers, below);
    // Error.prepareStackTrace may return something else,
    if (typeof callers.stack !== 'string') return;
    const firstFrame = textIndexOf(callers.stack, '\n');
    if (firstFrame >= 0) cause.stack += substring(callers.stack, firstFrame);
  } catch {
    // or throw.
  }
}

module.exports = { WorkerReports };
