'use strict';

const { isNativeError } = require('node:util').types;

const { Outcome, outcomeOf } = require('../errors/outcome.js');
const { callListener } = require('../base/call-listener.js');
const { codeById } = require('../protocol/diagnostics.gen.js');
const { HostCalls, MAX_CONTROL_BYTES } = require('./channels.js');
const { JobState } = require('../admission/job.js');
const { errorOf } = require('../errors/job-error.js');
const { rebuildError } = require('../errors/rebuild-error.js');
const { substring, textIndexOf } = require('../protocol/codec/captured.js');
const {
  OwnWeakMap,
  captureStackTrace,
  runInAsyncScope,
} = require('../base/primordials.js');
const { Channel, Detail } = require('../protocol/wire.gen.js');

/**
 * What the executors of pools have in common, whatever their workers run on:
 * what becomes of what a worker says.
 */
class PoolExecutor {
  admission = null;
  /** Each message to the port gets a turn of the loop of its own. */
  oneByOne = false;
  #onMessage = null;
  #onPort = null;
  #onWorkerStart = null;
  #onWorkerExit = null;
  #onUncaught = null;
  // What nobody caught while a job was running, by job.
  #uncaught = new OwnWeakMap();
  #hostCalls;

  constructor(settings) {
    /** Jobs may call functions of the owner. */
    this.hasHost = settings.host !== undefined;
    this.#hostCalls = new HostCalls(settings.host ?? {});
  }

  /** Pool and admission know each other; this closes the circle, once. */
  attach(admission) {
    this.admission = admission;
  }

  /** There is a function that reaches more than `Reach.Nothing`. */
  needRuntime() {}

  /** Receives what no job has a listener of its own for. */
  set onMessage(callback) {
    this.#onMessage = callback;
  }

  /** Called when a thread has started. */
  set onWorkerStart(callback) {
    this.#onWorkerStart = callback;
  }

  /** Called when one of the threads has ended. */
  set onWorkerExit(callback) {
    this.#onWorkerExit = callback;
  }

  /**
   * Receives what nobody in a worker caught, as (error, origin), instead of
   * stderr; null for nobody.
   */
  set onUncaught(callback) {
    this.#onUncaught = callback;
    this.listen(callback !== null);
  }

  /** Receives what the port of a message worker sends: { receive }. */
  set onPort(receiver) {
    this.#onPort = receiver;
  }

  /**
   * Calls `fn` while no worker takes a job: what is queued when it begins is
   * queued throughout. Ends a pause of the caller's as well.
   */
  whilePaused(fn) {
    this.pause(true);
    try {
      return fn();
    } finally {
      this.pause(false);
    }
  }

  workerStarted() {
    this.#onWorkerStart?.();
  }

  workerExited(why) {
    this.#onWorkerExit?.(why);
  }

  /**
   * Tells a running job with what it is about to be cancelled. A reason that
   * cannot be copied, or is too large, is "cancelled" there.
   */
  sendReason(job, reason) {
    if (reason === undefined || reason === 'cancelled') return;
    try {
      this.mail(job, Channel.Reason, reason);
    } catch {
      // Of whatever its getters threw, nothing may be shown.
    }
  }

  /**
   * Sends what the library itself has to say, whatever `maxPayloadBytes` is.
   * Never throws: nobody could be told.
   */
  control(job, channel, value, worker = undefined) {
    try {
      this.mail(job, channel, value, undefined, worker, MAX_CONTROL_BYTES);
    } catch {
      // There is no memory for it.
    }
  }

  /** The job is no longer held. */
  over(job) {
    job.slot = -1;
    job.entry.pending -= 1;
  }

  /**
   * Takes a plain job (see JobSlots) with what was encoded last.
   *
   * @param {object} entry
   * @returns {Promise<unknown> | null} null: it has to be a job like others
   */
  submitPlain() {
    return null;
  }

  /** The same with a value that is small: see small-values.js. */
  submitSmall() {
    return null;
  }

  /** And for one that is watched. @param {object} asked see read-call.js */
  submitWatched() {
    return null;
  }

  /** A plain job has completed. */
  complete(entry, resolve, value, bytes) {
    entry.pending -= 1;
    this.admission.complete(resolve, value, bytes);
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
   * Rejects with the job's error. It is made inside an async function that
   * the job's promise waits for: V8 then continues its stack with the callers
   * that await the job, which costs nothing while jobs succeed.
   */
  async #fail(job, status, detail, value) {
    // Two turns: until the job's promise has begun to wait for this one.
    await null;
    await null;
    // Why it never settles is often something that nobody caught.
    const thrown =
      detail === Detail.NeverSettles ? this.#uncaught.get(job) : value;
    try {
      const error = errorOf(status, detail, thrown);
      continueStack(error.cause, this.#fail);
      throw error;
    } finally {
      // Callers learn of the failure before those who wait for the place.
      this.#releaseLater(job);
    }
  }

  async #releaseLater(job) {
    await null;
    await null;
    this.admission.release(job);
  }

  message(job, channel, value, worker) {
    if (channel >= Channel.Uncaught) {
      this.#hearUncaught(job, channel, value);
      return;
    }
    if (job !== null && job.state !== JobState.Admitted) return;
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

  #hearUncaught(job, channel, described) {
    if (job !== null) this.#uncaught.set(job, described);
    if (this.#onUncaught === null) return;
    const rejection = channel === Channel.Rejection;
    const origin = rejection ? 'unhandledRejection' : 'uncaughtException';
    callListener(this.#onUncaught, rebuildError(described), origin);
  }
}

/** The worker's stack goes on with the callers that awaited the job. */
function continueStack(cause, below) {
  if (!isNativeError(cause) || typeof cause.stack !== 'string') return;
  const callers = {};
  try {
    captureStackTrace(callers, below);
    // What formats stacks here may make something else of them.
    if (typeof callers.stack !== 'string') return;
    const firstFrame = textIndexOf(callers.stack, '\n');
    if (firstFrame >= 0) cause.stack += substring(callers.stack, firstFrame);
  } catch {
    // Or throw.
  }
}

module.exports = { PoolExecutor };
