'use strict';

const { fileURLToPath } = require('node:url');

const { workerError } = require('../protocol/sloppy-worker-error.js');
const { Admission } = require('../admission/admission.js');
const { startImmediate } = require('../base/own-time.js');
const { Code, DIAGNOSTICS } = require('../protocol/diagnostics.gen.js');
const { workerUrl } = require('../entries/module-url.js');
const { getHost } = require('../executors/isolate/host.js');
const { NativePool } = require('../executors/isolate/isolate-pool.js');
const { PoolJob } = require('../executors/pool-job.js');
const { NO_OPERATION } = require('../admission/operation.js');
const { Carry } = require('../protocol/codec/grammar.js');
const { readIsolateSettings } = require('../options/isolate-settings.js');
const { NO_OPTIONS } = require('../base/validate.js');
const { memoryLimitError } = require('../errors/job-error.js');
const { rebuildError } = require('../errors/rebuild-error.js');
const { Channel, PortMessage } = require('../protocol/wire.gen.js');

const TERMINATED = 1;
const OUT_OF_MEMORY = DIAGNOSTICS[Code.ResourceLimit].id;
// The text is one line, so that positions in stacks stay the source's.
const COMMONJS =
  "import { createRequire } from 'node:module'; import process from " +
  "'node:process'; const require = createRequire(process.cwd() + '/'); " +
  'const module = { exports: {} }; const { exports } = module; ';

function openNative(settings) {
  const limits = { __proto__: null, memoryLimitMb: settings.memoryLimitMb };
  const native = new NativePool({
    __proto__: null,
    ...readIsolateSettings('Worker', {
      __proto__: null,
      ...NO_OPTIONS,
      ...limits,
    }),
    name: 'message-worker',
    module: moduleOf(settings),
    port: true,
    carry: Carry.EXACTLY,
    announceIdle: true,
    workers: 1,
    capacity: 1,
  });
  return { native, admission: Admission.forOne('message-worker', native) };
}

function moduleOf({ module, source }) {
  if (source !== undefined) {
    // CommonJS text in an ES module: with `require`, but in strict mode.
    const text = `${COMMONJS}${source}`;
    return `data:text/javascript,${encodeURIComponent(text)}`;
  }
  const url = workerUrl(module);
  return url.startsWith('file:') ? fileURLToPath(url) : url;
}

// Evaluates the module; its input is the worker's data (src/runtime/port.js).
function firstJob(native, data) {
  const input = [data];
  const encoded = native.encode(input);
  const entry = native.entries.ready();
  return new PoolJob(NO_OPERATION, encoded, entry, input);
}

/**
 * The isolate runtime: one bare isolate on a thread of its own behind the
 * driver interface of message-worker.js.
 *
 * @param {import('./message-worker.js').MessageWorkerSettings} settings
 * @param {object} hooks
 * @returns {import('./message-worker.js').MessageWorkerDriver}
 */
function openIsolate(settings, hooks) {
  const { native, admission } = openNative(settings);
  let over = false;
  // True once the end is decided; earlier messages are still delivered.
  let ending = false;
  let holds = false;
  // Messages sent before the module's evaluation was reported; null after that.
  let early = [];

  const hold = (wanted) => {
    if (wanted === holds) return;
    holds = wanted;
    if (wanted) native.host.ref();
    else native.host.unref();
  };

  const finish = async (code, cause) => {
    if (over) return;
    flush();
    over = true;
    // Holds the process until the exit is reported, even for an unref'd worker.
    hold(true);
    await admission.stop({ drain: false, timeoutMs: 0 });
    const closed = native.close();
    // It may run without a job: the handler of a message, or a timer.
    native.forceStop();
    await closed;
    hold(false);
    hooks.exit(code, cause);
  };

  const flush = () => {
    const values = early ?? [];
    early = null;
    for (const value of values) hooks.message(value);
  };

  // Delivers each message in a turn of its own, then calls `done`.
  const flushSlowly = (done) => {
    if (early !== null && early.length > 0 && !over) {
      startImmediate(flushNext, done);
      return;
    }
    early = null;
    done();
  };

  const flushNext = (done) => {
    // Scheduled first, because a listener may throw.
    startImmediate(flushSlowly, done);
    if (early?.length > 0 && !over) hooks.message(early.shift());
  };

  const deliver = (value) => {
    if (early === null) hooks.message(value);
    else early.push(value);
  };

  // Only the first reason counts, because an exiting worker is reported lost
  // too.
  const endAs = (report) => {
    if (over || ending) return;
    ending = true;
    // Waits for `started`, because the end can overtake its report.
    started.then(() =>
      flushSlowly(() => {
        if (!over) report();
      }),
    );
  };

  const fail = (error) =>
    endAs(() => {
      hooks.error(error);
      finish(1, error);
    });

  native.oneByOne = settings.inBatches !== true;
  native.onPort = {
    receive(_channel, message) {
      if (over) return;
      // No destructuring, because it would iterate for every message.
      const kind = message[0];
      const value = message[1];
      if (kind === PortMessage.Message) {
        deliver(value);
      } else if (kind === PortMessage.Exit) {
        const cause = value === 0 ? undefined : workerError(Code.Crashed);
        endAs(() => finish(value, cause));
      } else fail(rebuildError(value));
    },
  };
  native.onWorkerExit = (why) =>
    fail(
      why === OUT_OF_MEMORY ? memoryLimitError() : workerError(Code.Crashed),
    );

  const start = async () => {
    // Waits until `open` has returned, because no hook may be called before.
    await undefined;
    const job = firstJob(native, settings.workerData ?? null);
    try {
      await admission.admit(job);
    } catch (error) {
      // Reports the module's own error, as a thread of Node's does.
      if (!over) fail(error.cause ?? error);
      return;
    }
    if (over) return;
    hooks.online();
    if (!ending) flushSlowly(() => {});
  };

  native.prestart(1);
  hold(true);
  const started = start().catch(fail);
  return {
    postMessage: (value, transferList) => {
      if (!over) native.mail(null, Channel.Port, value, transferList);
    },
    terminate: () => {
      finish(TERMINATED);
    },
    ref: () => hold(!over),
    unref: () => hold(false),
  };
}

// Loads the addon and this thread's tables before the first worker.
openIsolate.prepare = getHost;

module.exports = { openIsolate };
