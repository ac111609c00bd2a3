'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. Defines the lazy
// globals of src/runtime/globals over the natives, and gives the timers'
// hook. `host` never reaches user code; it is completed with the natives that
// only bundles need when the first bundle is asked for.
const install = require('./globals/install.js');

const {
  H,
  options,
  checkpoint,
  clearTimer,
  defineLazy,
  done,
  now,
  refTimer,
  runBundle,
  setTimer,
  write,
} = native;
const { report } = runtime;
const { status: STATUS, detail: DETAIL } = options;
const uncurry = Function.prototype.call.bind.bind(Function.prototype.call);
const mapDelete = uncurry(Map.prototype.delete);
const mapGet = uncurry(Map.prototype.get);
const mapSet = uncurry(Map.prototype.set);
const replace = uncurry(String.prototype.replace);
const then = uncurry(Promise.prototype.then);
const assign = Object.assign;
const { parse } = JSON;
const resolved = Promise.resolve();

const H_SEQ = 3;
const MAX_UV_DELAY = 2 ** 52;

const timers = new Map();
let lastTimer = 0;

function guarded(callback) {
  try {
    callback();
  } catch (error) {
    report(error);
  }
}

// --- immediates: one timer of the loop for all of a turn --------------------

const TURN = 0;
let immediates = { __proto__: null };
let lastImmediate = 0;
let turnRequested = false;

function runImmediates() {
  const due = immediates;
  immediates = { __proto__: null };
  turnRequested = false;
  for (const id in due) {
    const callback = due[id];
    if (callback === null) continue;
    dueNow = due;
    guarded(callback);
    checkpoint();
  }
  dueNow = null;
}

// The turn that is running: its later immediates can still be cleared.
let dueNow = null;

function clearImmediate(id) {
  if (immediates[id] !== undefined) delete immediates[id];
  else if (dueNow !== null && dueNow[id] !== undefined) dueNow[id] = null;
}

runtime.onTimer = (id) => {
  if (id === TURN) {
    runImmediates();
    return;
  }
  const timer = mapGet(timers, id);
  if (timer === undefined) return;
  if (!timer.repeat) mapDelete(timers, id);
  guarded(timer.callback);
};

// --- the host of the bundles ------------------------------------------------

const start = now();
const timeOriginMs = Date.now();
const fileOf = (bundle) => replace(bundle, /[^A-Za-z0-9]+/g, '-');
let natives = null;

const host = {
  __proto__: null,
  compile(name) {
    if (natives === null) complete();
    return (self, load) => runBundle(fileOf(name), self, load);
  },
  defineLazy,
  write,
  setTimer(ms, repeat, callback) {
    const id = ++lastTimer;
    mapSet(timers, id, { callback, repeat });
    setTimer(id, ms > 1 ? (ms < MAX_UV_DELAY ? ms : MAX_UV_DELAY) : 1, repeat);
    return id;
  },
  clearTimer(id) {
    if (mapDelete(timers, id)) clearTimer(id);
  },
  refTimer,
  setImmediate(callback) {
    const id = ++lastImmediate;
    immediates[id] = callback;
    if (!turnRequested) {
      turnRequested = true;
      setTimer(TURN, 0, false);
    }
    return id;
  },
  clearImmediate,
  queueMicrotask(callback) {
    then(resolved, () => guarded(callback));
  },
  nowMs: () => now() - start,
  timeOriginMs,
  terminateProcess(exitCode) {
    if (options.port === true) runtime.exit(exitCode);
    const o = runtime.encodeThrown(
      new RealmError(`process.exit(${exitCode}) was called in a worker`),
    );
    done(
      H[H_SEQ],
      STATUS.Crashed,
      DETAIL.none,
      o.kind,
      o.number,
      o.slots,
      o.slotCount,
      o.text,
      o.more,
    );
    natives.terminate();
    // Nothing runs after this: the loop's first check ends it.
    for (;;) {}
  },
  reportError: report,
  get port() {
    return runtime.port;
  },
  get process() {
    return processFacts();
  },
  get workerThreads() {
    return runtime.workerThreads?.();
  },
  createRequire: (from) => runtime.createRequire(from),
};
const RealmError = Error;

let facts = null;
function processFacts() {
  facts ??= parse(native.processFacts() ?? '{}');
  return facts;
}

function complete() {
  natives = native.hostNatives();
  assign(host, natives);
  host.hardwareConcurrency = natives.hardwareConcurrency();
}

// Without them: a question of the bench (start-globals).
if (options.globals !== false) runtime.globals = install(host, globalThis);
runtime.setImmediate = host.setImmediate;
