'use strict';

const { AsyncResource } = require('node:async_hooks');
const { EventEmitter } = require('node:events');
const { callListeners } = require('../base/call-listener.js');
const { WebListeners } = require('./web-listeners.js');

/**
 * The default runtime. The environment variable lets one test file run against
 * both.
 */
const DEFAULT_RUNTIME = process.env.SLOPPY_WORKERS_RUNTIME || 'isolate';

// Loaded at first use, because only the isolate runtime needs the addon.
const RUNTIMES = {
  isolate: () => require('./isolate-driver.js').openIsolate,
  thread: () => require('./thread-driver.js').openThread,
};

/**
 * @typedef {object} MessageWorkerSettings
 * @property {'isolate' | 'thread'} [runtime]
 * @property {string | URL} [module] a path (relative ones against the working
 *   directory), a file: URL or a data: URL; either this or `source`
 * @property {string} [source] CommonJS text to run instead of a module
 * @property {unknown} [workerData] copied; `workerData` in the worker
 * @property {number} [memoryLimitMb] heap limit; default: the runtime's
 * @property {boolean} [inBatches] several messages may be delivered in one turn
 *   of the loop; default false: one per turn, as from a thread of Node's
 */

/**
 * A runtime's handle of one worker. The runtime calls the hooks on the owner's
 * thread: `online()` once, after the module was evaluated; `message(value)`;
 * `error(err)` at most once; `exit(code, cause)` once and last. No hook may be
 * called before `open` returned.
 *
 * @typedef {object} MessageWorkerDriver
 * @property {(value: unknown, transferList?: object[]) => void} postMessage
 *   throws a SloppyWorkerError for a value that cannot travel
 * @property {() => void} terminate interrupts running code; exit code 1
 * @property {() => void} ref
 * @property {() => void} unref
 */

/**
 * One worker that communicates by messages, on either runtime.
 *
 * Events: `online`, `message` (value), `error` (err), `exit` (code, cause). What
 * a listener throws is a warning. An `error` without a listener does not end the
 * process: its error is the cause of the `exit` that follows. No thread or isolate number is exposed.
 */
class MessageWorker extends EventEmitter {
  #driver;
  #web = new WebListeners(this);
  #exited;
  #settleExit;
  #exitCode;
  #exiting = false;

  constructor(open, settings, onMessage) {
    super();
    this.#exited = new Promise((resolve) => {
      this.#settleExit = resolve;
    });
    // Events run in the async context in which the worker was made, as with
    // worker_threads.
    const inContext = (fn) => AsyncResource.bind(fn);
    this.#driver = open(settings, {
      online: inContext(() => this.#tell('online')),
      message: onMessage ?? inContext((value) => this.#tell('message', value)),
      error: inContext((err) => this.#tell('error', err)),
      exit: inContext((code, cause) => this.#onExit(code, cause)),
    });
  }

  /** The exit code once the worker ended, else undefined. */
  get exitCode() {
    return this.#exitCode;
  }

  /** True from the call of `terminate()`, or from the worker's own end. */
  get exiting() {
    return this.#exiting;
  }

  /**
   * Copies a value to the worker. After the worker's end it does nothing.
   *
   * @param {unknown} value
   * @param {object[] | { transfer?: object[] }} [transfer] objects to move
   *   instead of copy
   * @throws {SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD} a value that cannot travel
   */
  postMessage(value, transfer) {
    if (this.#exitCode !== undefined) return;
    const isList = typeof transfer?.[Symbol.iterator] === 'function';
    this.#driver.postMessage(value, isList ? transfer : transfer?.transfer);
  }

  /**
   * Ends the worker, running code included.
   *
   * @returns {Promise<number>} the exit code
   */
  terminate() {
    if (this.#exitCode === undefined) {
      this.#exiting = true;
      this.#driver.terminate();
    }
    return this.#exited;
  }

  /** Lets this worker hold the process (the state at the start). */
  ref() {
    if (this.#exitCode === undefined) this.#driver.ref();
    return this;
  }

  /**
   * Lets the process end while this worker lives, but not while it terminates,
   * because the exit may be awaited.
   */
  unref() {
    if (!this.#exiting) this.#driver.unref();
    return this;
  }

  /**
   * The web's way to listen: `message` gives `event.data`, `error` gives
   * `event.error` and `event.message`.
   */
  addEventListener(type, listener, options) {
    this.#web.add(type, listener, options);
  }

  removeEventListener(type, listener) {
    this.#web.remove(type, listener);
  }

  /**
   * Calls the listeners of an event that were added by `addEventListener` or an
   * `on` property.
   *
   * @returns {boolean} false if one of them called preventDefault()
   */
  dispatchEvent(event) {
    return this.#web.dispatch(event);
  }

  get onmessage() {
    return this.#web.handler('message');
  }

  set onmessage(listener) {
    this.#web.setHandler('message', listener);
  }

  get onerror() {
    return this.#web.handler('error');
  }

  set onerror(listener) {
    this.#web.setHandler('error', listener);
  }

  /** Never called, because a message that cannot be read ends the worker. */
  get onmessageerror() {
    return this.#web.handler('messageerror');
  }

  set onmessageerror(listener) {
    this.#web.setHandler('messageerror', listener);
  }

  #onExit(code, cause) {
    this.#exiting = true;
    this.#exitCode = code;
    this.#settleExit(code);
    this.#tell('exit', code, cause);
  }

  // A value that a listener throws is a warning.
  #tell(event, ...values) {
    callListeners(this, event, values, this);
  }
}

/**
 * Starts a worker.
 *
 * @param {MessageWorkerSettings} settings
 * @param {(value: unknown) => void} [onMessage] receives every message instead
 *   of listeners, outside the caller's async context; for callers that keep a
 *   context for each answer
 * @returns {MessageWorker}
 * @throws {TypeError} unknown runtime, or neither module nor source
 */
function createMessageWorker(settings, onMessage) {
  // Takes no properties of a polluted prototype.
  const own = { __proto__: null, ...settings };
  return new MessageWorker(runtimeOf(own.runtime)(), own, onMessage);
}

/**
 * @param {string} [name] default: DEFAULT_RUNTIME
 * @returns {() => Function} loader of the runtime's `open`
 * @throws {TypeError} unknown runtime
 */
function runtimeOf(name = DEFAULT_RUNTIME) {
  if (!Object.hasOwn(RUNTIMES, name)) {
    throw new TypeError('runtime must be "isolate" or "thread".');
  }
  return RUNTIMES[name];
}

/**
 * Loads the runtime before the first worker needs it.
 *
 * @param {string} [name] default: DEFAULT_RUNTIME
 * @throws {TypeError} unknown runtime
 */
function prepareRuntime(name) {
  try {
    runtimeOf(name)().prepare?.();
  } catch (err) {
    // A missing addon is reported when a worker is started.
    if (err instanceof TypeError) throw err;
  }
}

module.exports = {
  DEFAULT_RUNTIME,
  MessageWorker,
  createMessageWorker,
  prepareRuntime,
};
