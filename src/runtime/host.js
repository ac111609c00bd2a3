'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. The bundles' access to
// the realm and its loop, made for the first bundle of src/runtime/globals that
// is used.
const {
  RealmError,
  RealmMap,
  RealmPromise,
  assign,
  charCodeAt,
  defineProperty,
  floor,
  mapDelete: mapDeleteOf,
  mapGet,
  mapSet,
  parse,
  then,
  uncurry,
} = require('./primordials.js');
const { Detail, Header, Limit } = require('../../lib/protocol/wire.gen.js');

const { H, options, checkpoint, done, now } = native;
runtime.need('errors');
const { host, rare, report, start, timeOriginMs } = runtime;
const { status: STATUS } = options;
const mapDelete = uncurry(mapDeleteOf);
const resolved = new RealmPromise((resolve) => resolve());

const MAX_UV_DELAY = 2 ** 52;

const timers = new RealmMap();
let lastTimer = 0;

// Node makes such an immediate behind each error that it has told of, so that
// what waits for the next callback has one.
const NOTHING = { callback: () => false };

/** @returns {boolean} it has thrown */
function guarded(callback) {
  try {
    callback();
    return false;
  } catch (error) {
    report(error);
    addImmediate(NOTHING);
    return true;
  }
}

const natives = rare().hostNatives();

// Only V8 11 has one call for both.
const exchange =
  natives.exchangeContinuation ??
  ((frame) => {
    const before = natives.getContinuation();
    natives.setContinuation(frame);
    return before;
  });

// Stores were used, so that a callback may leave some behind.
let usesStores = false;

function within(frame, callback) {
  if (frame !== undefined) natives.setContinuation(frame);
  const threw = guarded(callback);
  if (frame !== undefined || usesStores) natives.setContinuation(undefined);
  return threw;
}

// Binds a callback to V8's continuation data: the job's number where jobs share
// the realm, and the stores of AsyncLocalStorage.
function inFrame(callback) {
  const frame = natives.getContinuation();
  return () => within(frame, callback);
}

// --- turns: one timer of the loop for all that is not a timer ---------------

const TURN = 0;
let immediates = [];
let polled = null;
let turnRequested = false;
// The last callback was a timer's, and has thrown.
let timerThrew = false;

// `polls`: what has messages, which come before immediates, and what closes,
// which comes after them.
function requestTurn(polls = polled) {
  polled = polls;
  if (turnRequested) return;
  turnRequested = true;
  rare().setTimer(TURN, 0);
}

function addImmediate(immediate) {
  immediates[immediates.length] = immediate;
  requestTurn();
}

// As Node does it, a callback that throws leaves ticks and microtasks to the
// next callback.
function hold() {
  H[Header.Ticks] = -1;
}

function release() {
  if (H[Header.Ticks] < 0) H[Header.Ticks] = 1;
}

function runHeld() {
  if (H[Header.Ticks] >= 0) return;
  release();
  checkpoint();
}

// Without a callback that throws, the checkpoint comes after each. Behind the
// last that does, those that were made meanwhile run at once.
function runImmediates() {
  let due = immediates;
  immediates = [];
  for (let index = 0; index < due.length; index += 1) {
    const { callback } = due[index];
    if (callback === undefined) continue;
    release();
    if (!callback()) {
      checkpoint();
    } else if (index === due.length - 1) {
      due = immediates;
      immediates = [];
      index = -1;
    }
  }
}

/** @returns {boolean} it has thrown, or one of its ticks has */
function runInTurn(frame, callback) {
  release();
  const threw = within(frame, callback);
  if (!threw) checkpoint();
  return threw || H[Header.Ticks] < 0;
}

// Ticks that wait are taken up where Node's check phase begins; no more from Node
// 26 on.
function beginCheck() {
  if (H[Header.Ticks] < 0 && !(processFacts().version >= 'v26')) runHeld();
}

// Messages come before immediates, and what closes after them.
function runTurn() {
  turnRequested = false;
  if (timerThrew) runHeld();
  timerThrew = false;
  if (polled !== null) polled.poll();
  beginCheck();
  runImmediates();
  if (polled !== null) polled.close();
}

function clearImmediate(immediate) {
  immediate.callback = undefined;
}

runtime.onTimer = (id) => {
  if (id === TURN) {
    runTurn();
    return;
  }
  const timer = mapGet(timers, id);
  if (timer === undefined) return;
  if (!timer.repeat) mapDelete(timers, id);
  release();
  const began = now();
  timerThrew = timer.callback();
  if (timerThrew) hold();
  if (timer.repeat && mapGet(timers, id) === timer) restart(id, timer, began);
};

// Behind the timers that its callback has made, as in Node.
function restart(id, { ms, isRef }, began) {
  const rest = ms - floor(now() - began);
  rare().setTimer(id, rest > 1 ? rest : 1);
  if (!isRef) rare().refTimer(id, false);
}

// --- ticks: what process.nextTick() is given --------------------------------

let ticks = [];
let nextTick = 0;

runtime.onTicks = () => {
  if (ticks.length === 0) H[Header.Ticks] = 0;
  if (H[Header.Ticks] === 0) return;
  for (let count = 0; count < Limit.Ticks; count += 1) {
    const callback = ticks[nextTick];
    ticks[nextTick] = undefined;
    nextTick += 1;
    if (nextTick === ticks.length) {
      ticks = [];
      nextTick = 0;
      H[Header.Ticks] = 0;
    }
    if (callback()) hold();
    if (H[Header.Ticks] <= 0) return;
  }
};

// --- the host of the bundles ------------------------------------------------

// The name of a bundle's file has neither `:` nor `/` nor `_`. No expression
// does it, because a new isolate compiles one.
function fileOf(bundle) {
  let file = '';
  for (let at = 0; at < bundle.length; at += 1) {
    const unit = charCodeAt(bundle, at);
    const isSign = unit === 0x3a || unit === 0x2f || unit === 0x5f;
    file += isSign ? '-' : bundle[at];
  }
  return file;
}
let facts = null;

function processFacts() {
  if (facts === null) {
    facts = parse(rare().processFacts() ?? '{}');
    const { environments } = facts;
    if (environments !== undefined) {
      facts.env = environments[runtime.workerOf().place - 1];
    }
  }
  return facts;
}

assign(host, natives, {
  __proto__: null,
  hardwareConcurrency: natives.hardwareConcurrency(),
  memoryLimitMb: options.memoryLimitMb,
  allowsWasm: options.allowWasm !== false,
  systemNumbers: rare().systemNumbers,
  guardContext(global) {
    runtime.need('vm-contexts');
    runtime.guardContext(global);
  },
  write: runtime.write,
  shareConsole: rare().shareConsole,
  setTimer(ms, repeat, callback) {
    const id = ++lastTimer;
    const bounded = ms > 1 ? (ms < MAX_UV_DELAY ? ms : MAX_UV_DELAY) : 1;
    mapSet(timers, id, {
      callback: inFrame(callback),
      isRef: true,
      ms: bounded,
      repeat,
    });
    rare().setTimer(id, bounded);
    return id;
  },
  clearTimer(id) {
    if (mapDelete(timers, id)) rare().clearTimer(id);
  },
  refTimer(id, isRef) {
    const timer = mapGet(timers, id);
    if (timer !== undefined) timer.isRef = isRef;
    rare().refTimer(id, isRef);
  },
  setImmediate(callback) {
    const immediate = { callback: inFrame(callback) };
    addImmediate(immediate);
    return immediate;
  },
  clearImmediate,
  requestTurn,
  runInTurn,
  setContinuation(frame) {
    usesStores = true;
    natives.setContinuation(frame);
  },
  exchangeContinuation(frame) {
    usesStores = true;
    return exchange(frame);
  },
  nextTick(callback) {
    ticks[ticks.length] = inFrame(callback);
    if (H[Header.Ticks] === 0) H[Header.Ticks] = 1;
  },
  queueMicrotask(callback) {
    then(resolved, () => {
      guarded(callback);
      if (usesStores) natives.setContinuation(undefined);
    });
  },
  nowMs: () => now() - start,
  timeOriginMs,
  terminateProcess(exitCode) {
    if (options.port === true) runtime.exit(exitCode);
    const error = new RealmError(
      `process.exit(${exitCode}) was called in a worker`,
    );
    const o = runtime.encodeThrown(assign(error, { exitCode }));
    done(
      options.shared ? rare().jobOfCode() : H[Header.Seq],
      STATUS.Crashed,
      Detail.None,
      o.kind,
      o.number,
      o.slots,
      o.slotCount,
      o.text,
      o.more,
    );
    if (!rare().stopSelf()) throw new RealmError('the realm was replaced');
    // Stops here: the loop's first interrupt check ends the realm.
    for (;;) {}
  },
  hearAgain: rare().hearAgain,
  markErrors(mark) {
    runtime.errorMark = mark;
  },
  reportError: report,
  used: rare().used,
  modules: () => runtime.modules(),
  traceModules(tracingChannel) {
    runtime.traces = {
      __proto__: null,
      import: tracingChannel('module.import'),
      require: tracingChannel('module.require'),
    };
  },
});

function getter(name, get) {
  defineProperty(host, name, { __proto__: null, get, enumerable: true });
}
getter('captures', () => {
  runtime.need('uncaught');
  return runtime.captures;
});
getter('port', () => runtime.port);
getter('process', processFacts);
getter('workerThreads', () => runtime.workerThreads());

runtime.runBundle = (name, self, load) =>
  rare().runBundle(fileOf(name), self, load);
runtime.setImmediate = host.setImmediate;
