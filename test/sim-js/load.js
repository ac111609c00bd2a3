'use strict';
// Loads the library with what is below it replaced: the clock, the addon and
// Node's worker threads. A process has one copy, which all its worlds use.

const Module = require('node:module');
const { join } = require('node:path');

const { FakeAddon } = require('./fake-addon.js');
const { threads } = require('./fake-threads.js');
const { clock, ownTime } = require('./clock.js');

const LIB = join(__dirname, '..', '..', 'lib');

function put(file, exports) {
  const path = join(LIB, file);
  const made = new Module(path, module);
  Object.assign(made, { filename: path, loaded: true, exports });
  require.cache[path] = made;
}

const of = (file) => require(join(LIB, file));

put('base/own-time.js', ownTime);

const addon = new FakeAddon(clock);
put('addon/load.js', {
  loadNative: () => addon.native,
  debugCalls: () => ({ heldMs: () => 0, isHeld: () => false }),
  liveCounts: () => ({}),
  binaryFile: () => undefined,
});

const load = Module._load;
Module._load = function loadOrFake(request, parent, isMain) {
  const isFaked =
    request === 'node:worker_threads' &&
    parent?.filename?.startsWith(join(LIB, 'executors', 'thread')) === true;
  return isFaked ? threads.module : load.call(this, request, parent, isMain);
};

// Each admission is known to the world in which it was made.
const admissions = [];
const { Admission } = of('admission/admission.js');
put('admission/admission.js', {
  Admission: class extends Admission {
    constructor(options) {
      super(options);
      admissions.push(this);
    }
  },
});

module.exports = {
  addon,
  admissions,
  clock,
  threads,
  codes: of('protocol/diagnostics.gen.js'),
  wire: of('protocol/wire.gen.js'),
  createCodec: of('protocol/codec.js').createCodec,
  controllers: of('signals/cancellation.js'),
  errors: of('protocol/sloppy-worker-error.js'),
  getHost: of('executors/isolate/host.js').getHost,
  pendingTimers: of('timers/timer-heap.js').pendingTimers,
  WorkerPool: of('pool/worker-pool.js').WorkerPool,
  WorkQueue: of('pool/work-queue.js').WorkQueue,
};
