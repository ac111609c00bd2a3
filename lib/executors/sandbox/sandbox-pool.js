'use strict';

const { Code } = require('../../protocol/diagnostics.gen.js');
const { workerError } = require('../../protocol/sloppy-worker-error.js');
const { withHint } = require('../../errors/hint.js');
const { detach } = require('../../base/detach.js');
const { packPayload } = require('../../wire/payload-bytes.js');
const { PayloadEncoder } = require('../payload-encoder.js');
const { PausingPool } = require('../process/pausing-pool.js');
const { PoolFiles } = require('./owner-files.js');
const { createCodec } = require('./sandbox-codec.js');
const { SandboxLine } = require('./sandbox-line.js');
const { SandboxShares } = require('./sandbox-shares.js');
const { SandboxState } = require('./sandbox-state.js');
const { SandboxWorkers } = require('./sandbox-workers.js');

const BROADCAST_HINT =
  'share a value, which each process is told before its next job, or have init ' +
  'do the work at the start of each process';

function unavailable(what, hint) {
  const text = `${what} not with sandbox`;
  return withHint(workerError(Code.FeatureUnavailable, text), hint);
}

/**
 * The executor of pools and workers with `sandbox`: a process for each key, and
 * one for each job without a key, locked down and without Node.
 */
class SandboxPool extends PausingPool {
  /** @param {object} settings checked by the caller; `sandbox` is its own */
  constructor(settings) {
    const { sandbox } = settings;
    sandbox.codec = createCodec();
    sandbox.files = new PoolFiles(sandbox.roots);
    sandbox.state = new SandboxState();
    sandbox.initData = (data) => packPayload(this.host.encode(data, Infinity));
    super(settings, SandboxLine, SandboxWorkers);
  }

  /** A process says nothing about itself that would be believed. */
  get inspector() {
    throw unavailable('figures of workers are');
  }

  /**
   * Jobs for given workers: a process is for a key, not for its number, and one
   * that has run nothing is nobody's, so that a round would have no meaning for
   * keys that come later, and end the spares.
   */
  get pinned() {
    throw unavailable('broadcasts are', BROADCAST_HINT);
  }

  get sharedEncoder() {
    this.shared ??= new SandboxShares(new PayloadEncoder(createCodec()));
    return this.shared.encoder;
  }

  /** Each process is told with its next job. */
  forgetShared() {}

  submit(job) {
    const { expiresAt, runMs } = job.operation;
    if (runMs !== Infinity || expiresAt !== Infinity) {
      super.submit(job);
      return;
    }
    job.stash = null;
    job.value = null;
    if (this.endedInside(job)) return;
    const text = 'WorkerPool: a job in a sandbox needs a limit of time.';
    this.refuse(job, new TypeError(text));
  }

  parcelOf(encoding) {
    const value = packPayload(encoding);
    // Lists without a prototype.
    const buffers = encoding.more?.[1] ?? [];
    for (let i = 0; i < buffers.length; i += 1) {
      if (encoding.more[2][i]) detach(buffers[i]);
    }
    return { value, buffers: undefined };
  }

  messageOf(encoding) {
    return { packed: packPayload(encoding), credits: encoding.number };
  }

  failQueued(cause) {
    this.settings.sandbox.state.given(cause);
    const { code } = cause ?? {};
    if (code !== Code.FeatureUnavailable) {
      super.failQueued(cause);
      return;
    }
    // A layer that cannot be here will not be there later: no job waits for
    // that. The code begins the message already.
    const text = cause.message.slice(`${code}: `.length);
    const options = { cause: cause.cause };
    this.endQueued(() => workerError(code, text, options));
  }

  // The process waits for it, as for a job.
  async #firstGreeting(state) {
    const held = state.held();
    if (this.workers === 0) this.prestart(1);
    this.keepAlive(true);
    try {
      return await held;
    } finally {
      this.keepAlive(false);
    }
  }

  closed() {
    super.closed();
    this.settings.sandbox.state.given(workerError(Code.QueueStopped));
  }

  /**
   * @returns {Promise<object>} which layers hold, and how many processes there
   *   are; starts one if none has said it
   * @throws {SLOPPY_E_WORKERS_FEATURE_UNAVAILABLE} a required layer does not
   */
  async sandboxState() {
    const { sandbox } = this.settings;
    const { layers } = sandbox.state.isKnown
      ? await sandbox.state.held()
      : await this.#firstGreeting(sandbox.state);
    return {
      layers: Object.freeze({ ...layers }),
      jit: sandbox.jit,
      processes: this.workers,
      spares: this.spares,
    };
  }
}

module.exports = { SandboxPool };
