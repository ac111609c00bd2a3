'use strict';

const path = require('node:path');
const { Worker, isMainThread } = require('node:worker_threads');

const { binaryFile, debugCalls } = require('../addon/load.js');
const { setEndpoint } = require('../base/debugger.js');
const { holdLimitsFor } = require('../base/limits-clock.js');
const { warnOf } = require('../base/warn-of.js');
const { plainOptions } = require('../base/validate.js');
const { refuseMistaken } = require('../options/mistaken-options.js');
const { INSPECTOR } = require('../options/option-sets.js');
const { workerError } = require('../protocol/sloppy-worker-error.js');
const { Code } = require('../protocol/diagnostics.gen.js');

const THREAD = path.join(__dirname, 'endpoint-thread.js');
// How long the end of the process waits for the endpoint's thread, at most; it
// takes a millisecond.
const LEAVE_MS = 10_000;
const LOOK_MS = 10;

let endpoint = null;

function readOptions(options) {
  const bag = plainOptions('openInspector', options);
  refuseMistaken('openInspector', bag, INSPECTOR.names);
  const { host = INSPECTOR.rows.host.fallback } = bag;
  if (typeof host !== 'string' || host === '') {
    throw new TypeError('openInspector.host must be a host name or address.');
  }
  const port = INSPECTOR.read('openInspector', bag, 'port');
  return { host, port, wait: INSPECTOR.read('openInspector', bag, 'wait') };
}

const unavailable = (text) => workerError(Code.FeatureUnavailable, text);

/**
 * @returns {{ debug: object, addon: string, ws: string }} the addon's calls,
 *   and the files that the thread needs
 */
function readNeeds() {
  const debug = debugCalls();
  if (!process.features.inspector || !debug.supported) {
    throw unavailable(
      'debugging of isolates needs Node 20, 22, 24 or 26 with its inspector',
    );
  }
  try {
    return { debug, addon: binaryFile(), ws: require.resolve('ws') };
  } catch {
    throw unavailable(
      'openInspector needs the package ws: npm install --save-dev ws',
    );
  }
}

class Inspector {
  #thread;
  #program;
  #closed;
  // Node would say that it waits for the debugger to disconnect, and not wait.
  #leave = () => {
    const end = performance.now() + LEAVE_MS;
    this.#thread.postMessage('leave');
    while (Atomics.load(this.#program, 0) === 1 && performance.now() < end) {
      Atomics.wait(this.#program, 0, 1, LOOK_MS);
    }
  };

  constructor(thread, program, { url, port }) {
    this.#thread = thread;
    this.#program = program;
    if (program !== undefined) process.on('exit', this.#leave);
    // Its own mistakes must not end the program.
    thread.on('error', (error) => {
      warnOf('SLOPPY_W_INSPECTOR', 'the endpoint has failed', error);
    });
    this.url = url;
    this.port = port;
    this.#closed = new Promise((resolve) => {
      thread.once('exit', () => {
        if (endpoint === this) endpoint = null;
        process.off('exit', this.#leave);
        setEndpoint(false);
        resolve();
      });
    });
  }

  /** @returns {Promise<void>} resolves when all sessions and pauses have ended */
  async close() {
    // It holds nothing, and who waits here does.
    this.#thread.ref();
    this.#thread.postMessage('close');
    await this.#closed;
  }

  async [Symbol.asyncDispose]() {
    await this.close();
  }
}

function started(thread) {
  return new Promise((resolve, reject) => {
    thread.once('message', ({ failed, ...facts }) => {
      if (failed === undefined) resolve(facts);
      else reject(Object.assign(new Error(failed.message), failed));
    });
    thread.once('error', reject);
    thread.once('exit', () => reject(unavailable('the endpoint has ended')));
  });
}

/**
 * Opens the endpoint. Isolates that start after this call are debuggable.
 *
 * @param {object} settings
 * @param {string} settings.host
 * @param {number} settings.port
 * @param {boolean} [settings.wait] as of openInspector
 * @param {boolean} [settings.pausesAtCall] the command line's functions are
 *   paused when they are called, once in each worker
 * @param {boolean} [settings.mayMove] to another port if that one is taken
 * @returns {Promise<Inspector>}
 * @throws as openInspector
 */
async function openEndpoint(settings) {
  const { wait = false, pausesAtCall = false } = settings;
  const { debug, ...files } = readNeeds();
  if (endpoint !== null) throw unavailable('an inspector is open already');
  // V8's side comes before the thread, because workers may start meanwhile.
  const flaw = debug.prepare(wait, pausesAtCall);
  if (flaw !== '') {
    throw unavailable(`V8's inspector in this Node does not fit: ${flaw}`);
  }
  endpoint = 'opening';
  holdLimitsFor(debug);
  setEndpoint(true);
  try {
    // A debugger may have the program itself as well, of which the main thread
    // speaks for all.
    const program = isMainThread
      ? new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
      : undefined;
    const thread = new Worker(THREAD, {
      __proto__: null,
      workerData: { ...settings, ...files, program, wait },
      execArgv: [],
      env: {},
      name: 'sloppy-workers inspector',
    });
    const facts = await started(thread);
    thread.unref();
    endpoint = new Inspector(thread, program, facts);
    return endpoint;
  } catch (error) {
    endpoint = null;
    setEndpoint(false);
    debug.close();
    throw error;
  }
}

/**
 * Opens an endpoint for debuggers that speak the Chrome DevTools Protocol, on
 * a thread of its own: breakpoints in what runs in isolates, and in the program
 * itself if its main thread calls this. Experimental. Who reaches it controls
 * the process: see SECURITY.md.
 *
 * @param {object} [options]
 * @param {number} [options.port] default 9230, 0 for any that is free
 * @param {string} [options.host] default '127.0.0.1'
 * @param {boolean} [options.wait] workers that start wait for a debugger that
 *   lets them go on; default false
 * @returns {Promise<{ url: string, port: number, close(): Promise<void> }>}
 *   rejects with SLOPPY_E_WORKERS_FEATURE_UNAVAILABLE without `ws`, without
 *   Node's inspector, when V8's does not pass the addon's self-test, or when
 *   one is open in this process, with
 *   SLOPPY_E_WORKER_BRIDGE_UNAVAILABLE without the addon, and with Node's error
 *   (`code: 'EADDRINUSE'`) for a port that is taken
 */
async function openInspector(options = undefined) {
  return openEndpoint(readOptions(options));
}

module.exports = { openEndpoint, openInspector };
