'use strict';

const { Code } = require('../protocol/diagnostics.gen.js');
const { areWorkersEnabled, planContributions } = require('./features.js');
const { checkSignalNames, onProcessSignals } = require('./process-signals.js');
const { DEFAULT_STEP_TIMEOUT_MS, Scope } = require('./scope.js');
const { checkTimeoutMs } = require('../base/validate.js');
const { takeOptions } = require('../options/take-options.js');
const { waitAtMost } = require('../timers/wait-at-most.js');
const {
  SloppyWorkerError,
  workerError,
} = require('../protocol/sloppy-worker-error.js');
const { optionalSignal } = require('../signals/time-arguments.js');

const SHUTDOWN_REASON = 'app shutdown';

/** A resource terminates its jobs after its limit; that takes a moment. */
const FORCE_GRACE_MS = 1000;

const NO_REPORT = Object.freeze({
  steps: Object.freeze([]),
  forced: Object.freeze([]),
  forcedRequests: 0,
});

function isWorkerResource(value) {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof value.__sloppyPlanMetadata === 'function' &&
    typeof value.__sloppyWorkerResource === 'string'
  );
}

function shutdownError() {
  return workerError(
    Code.ShutdownCancelled,
    'app shutdown cancelled worker operation',
  );
}

/** One row of the shutdown report. */
function toStep({ label, outcome, error }) {
  return Object.freeze({ ...label, outcome, error });
}

/**
 * The app host. Sealed.
 *
 * States: `created`, `starting` (first resource), `running`, then at shutdown
 * `draining` (open request scopes), `stopping` (resources), and `stopped`, or
 * `failed` when a step of the shutdown threw.
 *
 * One app scope holds the stop of every resource and every `onShutdown`
 * function, so that they end in reverse order of registration.
 */
class SloppyApp {
  #state = 'created';
  #frozen = false;
  #workersEnabled;
  #resources = new Map();
  #scope = new Scope('app', { maxCleanups: Infinity });
  #requests = new Set();
  #onRequestsEnded = null;
  #forcedRequests = 0;
  #shuttingDown = false;
  #shutdown = null;
  #ignoreSignals;

  constructor({ features, plan, signals }) {
    this.#workersEnabled = areWorkersEnabled({ features, plan });
    this.#ignoreSignals = onProcessSignals(signals, () => this.shutdown());
    Object.seal(this);
  }

  get state() {
    return this.#state;
  }

  /** @returns {{ state: string, shuttingDown: boolean }} frozen */
  get lifecycle() {
    return Object.freeze({
      state: this.#state,
      shuttingDown: this.#shuttingDown,
      activeRequests: this.#requests.size,
      forcedRequests: this.#forcedRequests,
    });
  }

  /**
   * Registers a service, queue, pool or worker: starts it if it can be
   * started, and stops it at shutdown. Registering it again does nothing.
   *
   * @template T
   * @param {T} resource
   * @returns {T} the resource
   * @throws {Error} the app is frozen
   * @throws {TypeError} not a resource
   * @throws {SLOPPY_E_WORKERS_FEATURE_UNAVAILABLE} the app's options or plan
   *   turn workers off
   * @throws {SLOPPY_E_WORKER_SHUTDOWN_CANCELLED} after shutdown began
   * @throws {SLOPPY_E_BACKGROUND_SERVICE_START_FAILED} its start threw a
   *   foreign error; a SloppyWorkerError comes through as it is
   */
  use(resource) {
    if (this.#frozen) {
      throw new Error('Sloppy app is frozen and cannot be modified.');
    }
    if (!isWorkerResource(resource)) {
      throw new TypeError(
        'Sloppy app.use expects a Sloppy provider descriptor.',
      );
    }
    if (this.#resources.has(resource)) return resource;
    if (!this.#workersEnabled) throw workerError(Code.FeatureUnavailable);
    if (this.#shuttingDown) throw shutdownError();
    const metadata = Object.freeze({ ...resource.__sloppyPlanMetadata() });
    if (metadata.start !== 'manual') this.#start(resource);
    this.#register(resource, metadata);
    return resource;
  }

  /** Refuses further `use()`. @returns {this} */
  freeze() {
    this.#frozen = true;
    return this;
  }

  /**
   * Adds a function to the shutdown, in order with the resources.
   *
   * @param {(reason: unknown, limits: { timeoutMs: number }) => unknown} cleanup
   * @param {{ name?: string }} [options] its name in the report
   * @returns {() => void} takes it out again
   * @throws {TypeError}
   * @throws {SLOPPY_E_WORKER_SHUTDOWN_CANCELLED} after shutdown began
   */
  onShutdown(cleanup, options = undefined) {
    const { name } = takeOptions('Sloppy app.onShutdown', options, ['name']);
    if (this.#shuttingDown) throw shutdownError();
    return this.#scope.add(cleanup, { label: { kind: 'cleanup', name } });
  }

  /**
   * Opens a request scope. Shutdown waits for it, then closes it by force.
   *
   * @param {{ signal?: object, maxCleanups?: number }} [options]
   * @returns {Scope}
   * @throws {TypeError} for bad options
   * @throws {SLOPPY_E_WORKER_SHUTDOWN_CANCELLED} after shutdown began
   */
  openScope(options = undefined) {
    const { signal, maxCleanups } = takeOptions(
      'Sloppy app.openScope',
      options,
      ['signal', 'maxCleanups'],
    );
    optionalSignal('Sloppy app.openScope', signal);
    if (this.#shuttingDown) throw shutdownError();
    const onClosed = () => this.#requestEnded(scope);
    const scope = new Scope('request', { maxCleanups, onClosed });
    this.#requests.add(scope);
    if (signal !== undefined) scope.closeOn(signal);
    return scope;
  }

  /**
   * Ends the app: waits for open request scopes, then stops resources and
   * runs `onShutdown` functions in reverse order of registration. Every step
   * has its own limit and none can hold up the rest. Runs once; later calls
   * get the same promise.
   *
   * @param {{ timeoutMs?: number }} [options] limit per step, default 10 000
   * @returns {Promise<object>} frozen `{ steps, forced, forcedRequests }`;
   *   rejects for a bad `timeoutMs` only
   */
  async shutdown(options = undefined) {
    const { timeoutMs } = takeOptions('Sloppy app.shutdown', options, [
      'timeoutMs',
    ]);
    const limitMs =
      timeoutMs === undefined
        ? DEFAULT_STEP_TIMEOUT_MS
        : checkTimeoutMs(timeoutMs);
    // A cleanup that waited for the shutdown would wait for itself.
    if (this.#scope.inCleanup) return NO_REPORT;
    if (!this.#shuttingDown) {
      this.#shuttingDown = true;
      this.#shutdown = this.#end(limitMs);
    }
    return this.#shutdown;
  }

  [Symbol.asyncDispose]() {
    return this.shutdown();
  }

  __beginShutdown(options = undefined) {
    return this.shutdown(options);
  }

  __getPlanContributions() {
    const workers = Object.freeze([...this.#resources.values()]);
    return planContributions(this.#workersEnabled, workers);
  }

  __debug() {
    return Object.freeze({
      frozen: this.#frozen,
      lifecycle: this.lifecycle,
      ...this.__getPlanContributions(),
    });
  }

  #start(resource) {
    if (typeof resource.__sloppyStartForApp !== 'function') return;
    const before = this.#state;
    if (before === 'created') this.#state = 'starting';
    try {
      resource.__sloppyStartForApp(this);
    } catch (error) {
      this.#state = before;
      if (error instanceof SloppyWorkerError) throw error;
      throw workerError(Code.ServiceStartFailed, undefined, { cause: error });
    }
  }

  #register(resource, metadata) {
    const { kind, name = metadata.path } = metadata;
    this.#state = 'running';
    this.#resources.set(resource, metadata);
    this.#scope.add(
      (reason, limits) => resource.__sloppyStopForApp?.(reason, limits),
      { label: { kind, name }, graceMs: FORCE_GRACE_MS },
    );
  }

  #requestEnded(scope) {
    this.#requests.delete(scope);
    if (this.#requests.size === 0) this.#onRequestsEnded?.();
  }

  async #end(limitMs) {
    if (this.#requests.size > 0) await this.#drainRequests(limitMs);
    this.#state = 'stopping';
    const outcomes = await this.#scope.close(SHUTDOWN_REASON, {
      timeoutMs: limitMs,
    });
    this.#ignoreSignals();
    const steps = outcomes.map(toStep);
    const failed = steps.some(({ outcome }) => outcome === 'failed');
    this.#state = failed ? 'failed' : 'stopped';
    return Object.freeze({
      steps: Object.freeze(steps),
      forced: Object.freeze(
        steps.filter(({ outcome }) => outcome === 'forced'),
      ),
      forcedRequests: this.#forcedRequests,
    });
  }

  async #drainRequests(limitMs) {
    this.#state = 'draining';
    const ended = new Promise((resolve) => {
      this.#onRequestsEnded = resolve;
    });
    await waitAtMost(ended, limitMs);
    const left = [...this.#requests];
    this.#forcedRequests = left.length;
    const closing = left.map((scope) =>
      scope.close(SHUTDOWN_REASON, { timeoutMs: limitMs }),
    );
    await waitAtMost(Promise.all(closing), limitMs);
    this.#requests.clear();
  }
}

const Sloppy = Object.freeze({
  /**
   * @param {object} [options]
   * @param {string[]} [options.signals] shut down at the first of these, for
   *   example `['SIGTERM']`, then let the signal end the process; default none
   * @param {{ workers?: boolean }} [options.features] `workers: false` turns
   *   worker resources off
   * @param {object} [options.plan] a plan whose `features` or
   *   `requiredFeatures` decide the same
   * @returns {SloppyApp}
   * @throws {TypeError}
   */
  create(options = undefined) {
    const bag = takeOptions('Sloppy.create', options, [
      'signals',
      'features',
      'plan',
    ]);
    return new SloppyApp({
      features: bag.features,
      plan: bag.plan,
      signals: checkSignalNames(bag.signals ?? []),
    });
  },
});

module.exports = { Sloppy };
