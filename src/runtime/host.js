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

function guarded(callback) {
  try {
    callback();
  } catch (error) {
    report(error);
  }
}

const natives = rare().hostNatives();

// Binds a callback to V8's continuation data: the job's number where jobs share
// the realm, and the stores of AsyncLocalStorage.
function inFrame(callback) {
  const frame = natives.getContinuation();
  if (frame === undefined) return () => guarded(callback);
  return () => {
    natives.setContinuation(frame);
    guarded(callback);
    natives.setContinuation(undefined);
  };
}

// --- immediates: one timer of the loop for all of a turn --------------------

const TURN = 0;
let immediates = [];
let turnRequested = false;

function runImmediates() {
  const due = immediates;
  immediates = [];
  turnRequested = false;
  for (let index = 0; index < due.length; index += 1) {
    const { callback } = due[index];
    if (callback === undefined) continue;
    callback();
    checkpoint();
  }
}

function clearImmediate(immediate) {
  immediate.callback = undefined;
}

runtime.onTimer = (id) => {
  if (id === TURN) {
    runImmediates();
    return;
  }
  const timer = mapGet(timers, id);
  if (timer === undefined) return;
  if (!timer.repeat) mapDelete(timers, id);
  timer.callback();
};

// --- ticks: what process.nextTick() is given --------------------------------

let ticks = [];
let nextTick = 0;

runtime.onTicks = () => {
  for (let count = 0; count < Limit.Ticks; count += 1) {
    const callback = ticks[nextTick];
    ticks[nextTick] = undefined;
    nextTick += 1;
    if (nextTick === ticks.length) {
      ticks = [];
      nextTick = 0;
      H[Header.Ticks] = 0;
    }
    callback();
    if (H[Header.Ticks] === 0) return;
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
  systemNumbers: rare().systemNumbers,
  write: runtime.write,
  shareConsole: rare().shareConsole,
  setTimer(ms, repeat, callback) {
    const id = ++lastTimer;
    mapSet(timers, id, { callback: inFrame(callback), repeat });
    rare().setTimer(
      id,
      ms > 1 ? (ms < MAX_UV_DELAY ? ms : MAX_UV_DELAY) : 1,
      repeat,
    );
    return id;
  },
  clearTimer(id) {
    if (mapDelete(timers, id)) rare().clearTimer(id);
  },
  refTimer: rare().refTimer,
  setImmediate(callback) {
    const immediate = { callback: inFrame(callback) };
    immediates[immediates.length] = immediate;
    if (!turnRequested) {
      turnRequested = true;
      rare().setTimer(TURN, 0, false);
    }
    return immediate;
  },
  clearImmediate,
  nextTick(callback) {
    ticks[ticks.length] = inFrame(callback);
    H[Header.Ticks] = 1;
  },
  queueMicrotask(callback) {
    then(resolved, () => guarded(callback));
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
  markErrors(mark) {
    runtime.errorMark = mark;
  },
  reportError: report,
  used: rare().used,
  modules: () => runtime.modules(),
});

function getter(name, get) {
  defineProperty(host, name, { __proto__: null, get, enumerable: true });
}
getter('port', () => runtime.port);
getter('process', processFacts);
getter('workerThreads', () => runtime.workerThreads());

runtime.runBundle = (name, self, load) =>
  rare().runBundle(fileOf(name), self, load);
runtime.setImmediate = host.setImmediate;
