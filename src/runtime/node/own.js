'use strict';
// Modules of Node's library that are ours in an isolate: those that speak to
// Node's own process, and those that other bundles provide. A function each,
// of the library's `require`, that gives the exports.

/* global host, load */
const { cryptoUtil } = require('./crypto-util.js');
const { unsupported } = require('../globals/lib/unsupported.js');

// The flags that Node was started with have no meaning in here.
const OPTIONS = { __proto__: null, '--eval': '', '--stack-trace-limit': 10 };

const OF_PROCESS = [
  'GCProfiler',
  'getCppHeapStatistics',
  'getHeapSnapshot',
  'queryObjects',
  'setFlagsFromString',
  'setHeapProfileNearHeapLimit',
  'setHeapSnapshotNearHeapLimit',
  'startCpuProfile',
  'startHeapProfile',
  'stopCoverage',
  'takeCoverage',
  'writeHeapSnapshot',
];

// Most streams are neither transferred nor cloned, so these are loaded late.
function MessageChannel() {
  return new (load('messaging').MessageChannel)();
}
const structuredClone = (value) => load('clone').structuredClone(value);

// The parts that the console's text asks for (scripts/lib/node-changes.mjs).
function consoleParts() {
  const { isOutput, loaded } = load('library');
  // A channel whose module nobody has loaded has no subscribers.
  class LateChannel {
    #name;
    #channel;

    constructor(name) {
      this.#name = name;
    }

    get hasSubscribers() {
      this.#channel ??= loaded('diagnostics_channel')?.channel(this.#name);
      return this.#channel?.hasSubscribers === true;
    }

    publish(message) {
      this.#channel.publish(message);
    }
  }
  return { channel: (name) => new LateChannel(name), isOutput };
}

// Keys as comparisons look at them: whose handles are equal, is equal.
function keysToCompare() {
  const keys = () => load('keys');
  const handleOf = (key) => ({
    key,
    equals: (other) => key.equals(other.key),
  });
  return {
    isCryptoKey: (value) => load.loaded('keys')?.isKey(value) === true,
    isKeyObject: (value) => load.loaded('keys')?.isKeyObject(value) === true,
    getKeyObjectHandle: handleOf,
    getKeyObjectType: (key) => keys().typeOf(key),
    getCryptoKeyHandle: (key) => handleOf(keys().keyObjectIn(key)),
    getCryptoKeyType: (key) => keys().slotsOf(key).type,
    getCryptoKeyExtractable: (key) => keys().slotsOf(key).extractable,
    getCryptoKeyAlgorithm: (key) => keys().slotsOf(key).algorithm,
    getCryptoKeyUsagesMask: (key) => keys().slotsOf(key).usages.join(),
    getCryptoKeySecondaryHandle() {},
    getCryptoKeySeedData() {},
  };
}

function matchingOnly(require) {
  const { validateString } = require('internal/validators');
  const { platform } = host.process;
  const nocase = platform === 'win32' || platform === 'darwin';
  return {
    matchGlobPattern(path, pattern, isWindows) {
      validateString(path, 'path');
      validateString(pattern, 'pattern');
      const { minimatch } = require('internal/deps/minimatch/index');
      return minimatch(path, pattern, {
        nocase,
        nocaseMagicOnly: true,
        nocomment: true,
        nonegate: true,
        optimizationLevel: 2,
        platform: isWindows ? 'win32' : 'posix',
        windowsPathsNoEscape: true,
      });
    },
  };
}

// Parts of v8 that concern the process (scripts/lib/v8-changes.mjs).
function v8Parts() {
  const parts = { __proto__: null };
  for (const name of OF_PROCESS) parts[name] = unsupported('v8', name);
  return parts;
}

// No realm of ours is made while a snapshot is built.
function noSnapshot(require) {
  const refuse = (name) =>
    ({
      [name](_callback, _data) {
        const { codes } = require('internal/errors');
        throw new codes.ERR_NOT_BUILDING_SNAPSHOT();
      },
    })[name];
  return {
    addDeserializeCallback: refuse('addDeserializeCallback'),
    addSerializeCallback: refuse('addSerializeCallback'),
    setDeserializeMainFunction: refuse('setDeserializeMainFunction'),
    isBuildingSnapshot: () => 0,
  };
}

const OWN = {
  __proto__: null,
  async_hooks: () => load('node:async_hooks'),
  'internal/async_context_frame': () => ({
    current: () => host.getContinuation?.(),
    exchange(frame) {
      const prior = host.getContinuation?.();
      host.setContinuation?.(frame);
      return prior;
    },
    set: (frame) => host.setContinuation?.(frame),
  }),
  'internal/async_hooks': () => ({
    enabledHooksExist: () => false,
    symbols: { owner_symbol: Symbol('owner_symbol') },
  }),
  'internal/blob': () => load('blob'),
  'internal/bootstrap/realm': () => ({
    BuiltinModule: {
      exists: (id) => load('library').exists(id),
      canBeRequiredByUsers: (id) => load('library').isPublic(id),
    },
  }),
  'internal/crypto/keys': keysToCompare,
  'internal/crypto/random': () => ({
    randomUUID: () => load('crypto').crypto.randomUUID(),
  }),
  'internal/crypto/util': cryptoUtil,
  'internal/crypto/webcrypto': () => ({ CryptoKey: load('keys').CryptoKey }),
  'internal/file': () => load('blob'),
  // Walking folders needs fs; matching a path, which path does from Node 24 on
  // with this, does not.
  'internal/fs/glob': matchingOnly,
  // Properties that no program can tell from plain ones.
  'internal/late': () => ({ defineLazy: host.defineLazy }),
  'internal/assert/call': () => load('assertions'),
  'internal/deps/acorn/acorn/dist/acorn': () => load('assertions'),
  // Positions are those of the text that V8 has.
  'internal/source_map/source_map_cache': () => ({
    findSourceMap() {},
    getSourceLine() {},
    getSourceMapsSupport: () => ({ enabled: false }),
  }),
  'internal/console/own': consoleParts,
  'internal/options': () => ({
    getAllowUnauthorized: () => false,
    getEmbedderOptions: () => ({}),
    getOptionValue: (name) => OPTIONS[name],
    refreshOptions() {},
  }),
  // Histograms are of the event loop, and C++.
  'internal/histogram': () => ({
    createHistogram: unsupported('perf_hooks', 'createHistogram'),
    createSlidingWindowHistogram: unsupported(
      'perf_hooks',
      'createSlidingWindowHistogram',
    ),
    importHistogram: unsupported('perf_hooks', 'importHistogram'),
    isHistogram: () => false,
  }),
  // Callbacks of imports are called with a flag of Node's only.
  'internal/modules/esm/utils': () => ({ registerModule() {} }),
  'internal/vm/module': () => ({
    importModuleDynamicallyWrap: (callback) => callback,
  }),
  'internal/perf/event_loop_delay': () =>
    unsupported('perf_hooks', 'monitorEventLoopDelay'),
  // Node's clock counts from the start of its process, this one from the
  // isolate's; in whole nanoseconds, as Node's.
  'internal/perf/utils': (require) => ({
    now: () => Math.round(host.nowMs() * 1e6) / 1e6,
    getMilestoneTimestamp(index) {
      const {
        NODE_PERFORMANCE_MILESTONE_LOOP_EXIT: end,
      } = require('internal/perf_constants');
      return index === end ? -1 : 0;
    },
    getTimeOriginTimestamp: () => host.timeOriginMs,
  }),
  'internal/process/per_thread': () => ({ platform: host.process.platform }),
  'internal/process/task_queues': () => ({
    queueMicrotask: load('timers').queueMicrotask,
  }),
  // The realm is made of no snapshot.
  'internal/v8/startup_snapshot': (require) => ({
    addAfterUserSerializeDeserializeSnapshot() {},
    addDeserializeCallback() {},
    addSerializeCallback() {},
    isBuildingSnapshot: () => false,
    namespace: noSnapshot(require),
  }),
  'internal/v8/own': v8Parts,
  'internal/timers': () => ({ TIMEOUT_MAX: 2 ** 31 - 1 }),
  'internal/util/trace_sigint': () => ({
    setTraceSigInt: unsupported('util', 'setTraceSigInt'),
  }),
  // Our clone says which objects may travel (globals/lib/clone-platform.js).
  'internal/worker/io': () => ({ MessageChannel }),
  'internal/worker/js_transferable': () => ({
    kClone: Symbol('kClone'),
    kDeserialize: Symbol('kDeserialize'),
    kTransfer: Symbol('kTransfer'),
    kTransferList: Symbol('kTransferList'),
    makeTransferable: (object) => object,
    markTransferMode() {},
    structuredClone,
  }),
  os: () => load('node:os'),
  timers: () => load('node:timers'),
};

module.exports = { OWN };
