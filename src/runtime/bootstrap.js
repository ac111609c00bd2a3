'use strict';
// The last part of the realm's own JavaScript. The parts (in the order of
// scripts/lib/bootstrap-bundle.mjs) share one scope, the body of a function of
// (native, runtime) that runs once in every new realm, before any user code;
// with `runtime: 'thread'` each is a function of its own. Nothing they
// declare is reachable from user code, and everything they take from the realm
// is captured now, so that poisoned prototypes cannot reach it.
//
// Leaves the hooks that C++ calls in `runtime.hooks` (worker/realm.h).
const {
  H,
  box,
  scratch,
  options,
  next,
  checkpoint,
  checkpointUnlessPromise,
  isPromise,
  isGenerator,
  compileEntry,
  compileFunction,
  importModule,
} = native;
const { codec, encodeThrown, report, NO_DEADLINE } = runtime;
const { limitedContext, newContext, seesParameter, wholeContext } = runtime;
const { putNumber, putSmall } = runtime;
const { encode, decode, refused } = codec;
const { status: STATUS, detail: DETAIL, maxResultBytes } = options;

const uncurry = Function.prototype.call.bind.bind(Function.prototype.call);
const { apply } = Reflect;
const { defineProperty, freeze } = Object;
const mapGet = uncurry(Map.prototype.get);
const mapSet = uncurry(Map.prototype.set);
const then = uncurry(Promise.prototype.then);
const RealmMap = Map;
const RealmPromise = Promise;
const ASYNC_ITERATOR = Symbol.asyncIterator;
const global = globalThis;

// Header slots (worker/realm.cc).
const H_ENTRY = 0;
const H_KIND = 1;
const H_NUMBER = 2;
const H_SEQ = 3;
const H_DEADLINE = 4;
const H_MODE = 5;

// Entry kinds (job/entry_table.h).
const ENTRY_FUNCTION = 0;
const ENTRY_EXPORT = 1;
// Ours: a function with modules.
const ENTRY_MODULES = 3;

// Bits of a job's mode (lib/internal/channels.js).
const MODE_STREAM = 1;
const MODE_INPUT = 2;
const MODE_ENDLESS = 4;
const MODE_TRACED = 8;
const MODE_SIGNALLED = 16;
const NO_MODE = 0;
const MODE_CHANNELS = MODE_STREAM | MODE_INPUT;

const STREAM_CREDITS = 16;

// --- how jobs end -----------------------------------------------------------

// A job is over while the realm goes on with others.
function onOver(seq) {
  runtime.endChannels(seq);
  runtime.endCalls(seq);
  runtime.forgetSignal(seq);
}

const done = options.shared
  ? (seq, status, detail, kind, number, slots, slotCount, text, more) => {
      const tell = native.done;
      tell(seq, status, detail, kind, number, slots, slotCount, text, more);
      onOver(seq);
    }
  : native.done;

function sendThrown(seq, status, detail, thrown) {
  const o = encodeThrown(thrown);
  done(
    seq,
    status,
    detail,
    o.kind,
    o.number,
    o.slots,
    o.slotCount,
    o.text,
    o.more,
  );
}

runtime.sendThrown = sendThrown;

function fail(seq, thrown) {
  sendThrown(seq, STATUS.JobFailed, DETAIL.none, thrown);
}

function refuseResult(seq, reason) {
  if (reason === 5) {
    done(seq, STATUS.ResourceLimit, DETAIL.resultTooLarge, 0, 0);
  } else {
    done(seq, STATUS.SerializationFailed, DETAIL.resultUnsupported, 0, 0);
  }
}

// Undefined when the result is refused, and the job has ended with that.
function encodeResult(seq, value) {
  try {
    return encode(value, maxResultBytes);
  } catch (error) {
    if (error !== refused) throw error;
    refuseResult(seq, refused.reason);
    return undefined;
  }
}

function succeedEncoded(seq, o) {
  done(seq, 0, 0, o.kind, o.number, o.slots, o.slotCount, o.text, o.more);
}

function succeed(seq, value) {
  const o = encodeResult(seq, value);
  if (o !== undefined) succeedEncoded(seq, o);
}

// Not where several jobs share the realm, which have more to end.
const finish = options.shared ? undefined : native.finish;

// What serve() does next: as next(), or ASK for it.
const ASK = false;

function succeedNow(seq, value) {
  if (typeof value === 'number' && value - value === 0) {
    putNumber(value);
    return finish(true);
  }
  if (typeof value !== 'object' || value === null) {
    conclude(seq, value, NO_MODE);
    return ASK;
  }
  if (!checkpointUnlessPromise(value)) {
    settleLater(seq, value);
  } else if (typeof value.then === 'function') {
    settleLater(seq, new RealmPromise((resolve) => resolve(value)));
  } else {
    return succeedWith(seq, value);
  }
  return ASK;
}

function succeedWith(seq, value) {
  const o = encodeResult(seq, value);
  if (o === undefined) return ASK;
  if (putSmall(o)) return finish(false);
  succeedEncoded(seq, o);
  return ASK;
}

function settleLater(seq, promise) {
  then(
    promise,
    (value) => succeed(seq, value),
    (error) => fail(seq, error),
  );
  checkpoint();
}

function settleStream(seq, iterator) {
  then(
    runtime.streamResult(seq, iterator, STREAM_CREDITS),
    (value) => succeed(seq, value),
    (error) => {
      const reason = runtime.unsentReason(error);
      if (reason === 0) fail(seq, error);
      else refuseResult(seq, reason);
    },
  );
  checkpoint();
}

// --- what jobs call ---------------------------------------------------------

let functions = new RealmMap();
let functionCount = 0;
const MAX_FUNCTIONS = 1024;

// A function that was sent with modules comes as [function, [[name,
// specifier], …]] (lib/internal/pool-entries.js).
function withModules({ kind, call: given }) {
  if (kind !== ENTRY_FUNCTION || typeof given === 'function') {
    return { kind, call: given, modules: null, loaded: null };
  }
  const { 0: call, 1: modules } = given;
  return { kind: ENTRY_MODULES, call, modules, loaded: null };
}

async function loadModules({ modules }) {
  const loaded = { __proto__: null };
  for (let i = 0; i < modules.length; i++) {
    importAny ??= compileFunction('specifier', 'return import(specifier)');
    loaded[modules[i][0]] = await importAny(modules[i][1]);
  }
  return freeze(loaded);
}
let importAny = null;

// { kind, call } of an entry: the compiled function, or an export's name.
function entryFor(id) {
  if (id === lastId) return lastEntry;
  lastEntry = mapGet(functions, id) ?? newEntry(id);
  lastId = id;
  return lastEntry;
}
let lastId = 0;
let lastEntry = null;

function newEntry(id) {
  const entry = withModules(compileEntry(id));
  if (++functionCount > MAX_FUNCTIONS) {
    // Functions made anew for every call: keep only what comes from now on.
    functionCount = 1;
    functions = new RealmMap();
  }
  entry.whole = seesContext(entry);
  mapSet(functions, id, entry);
  return entry;
}

// Whether what a job calls can see its context: undefined for an export that
// is not there yet.
function seesContext({ kind, call }) {
  if (kind !== ENTRY_EXPORT) return seesParameter(call, 0);
  return exports === null ? undefined : seesParameter(exports[call], 1);
}

let exports = null;
let moduleError = null;
let moduleLoading = null;
let moduleStarted = options.module === undefined;

// The module loads as part of the first job, whose limits thereby hold for
// its top level too.
function loadModule() {
  moduleStarted = true;
  moduleLoading = then(
    new RealmPromise((resolve) => resolve(importModule(options.module, true))),
    (namespace) => {
      exports = namespace;
      moduleLoading = null;
    },
    (error) => {
      moduleError = { error };
      moduleLoading = null;
    },
  );
  checkpoint();
}

function failModule(seq) {
  sendThrown(seq, STATUS.StartupFailed, DETAIL.none, moduleError.error);
}

// --- running jobs -----------------------------------------------------------

function conclude(seq, value, mode) {
  const object =
    (typeof value === 'object' && value !== null) ||
    typeof value === 'function';
  if (object && mode & MODE_STREAM) {
    concludeStream(seq, value);
  } else if (object && isPromise(value)) {
    settleLater(seq, value);
  } else if (object && typeof value.then === 'function') {
    settleLater(seq, new RealmPromise((resolve) => resolve(value)));
  } else {
    // What the job left in the microtask queue is still its own work.
    checkpoint();
    succeed(seq, value);
  }
}

function concludeStream(seq, value) {
  if (isGenerator(value)) {
    settleStream(seq, value);
  } else if (typeof value[ASYNC_ITERATOR] === 'function') {
    settleStream(seq, value[ASYNC_ITERATOR]());
  } else {
    conclude(seq, value, 0);
  }
}

function callExport(seq, name, context, mode) {
  const target = exports === null ? undefined : exports[name];
  if (typeof target !== 'function') {
    done(seq, STATUS.Crashed, DETAIL.notCallable, 0, 0);
    return;
  }
  conclude(seq, apply(target, undefined, [context.input, context]), mode);
}

function callWithModules(seq, entry, context, mode) {
  if (entry.loaded !== null) {
    context.modules = entry.loaded;
    conclude(seq, apply(entry.call, global, [context]), mode);
    return;
  }
  then(
    loadModules(entry),
    (loaded) => {
      entry.loaded = loaded;
      startJob(seq, entry, context, mode);
    },
    (error) => sendThrown(seq, STATUS.StartupFailed, DETAIL.none, error),
  );
  checkpoint();
}

function startJob(seq, entry, context, mode) {
  try {
    if (entry.kind === ENTRY_FUNCTION) {
      conclude(seq, apply(entry.call, global, [context]), mode);
    } else if (entry.kind === ENTRY_EXPORT) {
      callExport(seq, entry.call, context, mode);
    } else if (entry.kind === ENTRY_MODULES) {
      callWithModules(seq, entry, context, mode);
    } else {
      runtime.online = true;
      succeed(seq, undefined);
    }
  } catch (error) {
    // What it left in the microtask queue is still its own work.
    checkpoint();
    fail(seq, error);
  }
}

// A module that awaits messages at its top level is up as soon as it listens.
function goOnline(seq) {
  if (moduleLoading === null) return;
  runtime.online = true;
  succeed(seq, undefined);
}

// `text` is what next() answered.
function readContext(seq, entry, mode, endsAt, text) {
  const given = text ?? box[0];
  let input = decode(H[H_KIND], H[H_NUMBER], scratch, 0, given, box[1]);
  if (entry.whole === undefined) entry.whole = seesContext(entry);
  const isPlain = mode === NO_MODE && endsAt === Infinity;
  if (isPlain && entry.whole === false) return newContext(input, seq);
  const deadlineAt =
    endsAt < Infinity || mode & MODE_ENDLESS ? endsAt : NO_DEADLINE;
  const mayCancel = endsAt < Infinity || (mode & MODE_SIGNALLED) !== 0;
  let trace;
  if (mode & MODE_TRACED) {
    trace = freeze(input[0]);
    input = input[1];
  }
  if (mode & MODE_INPUT) input = runtime.streamedInput(seq);
  const make = entry.whole === false ? limitedContext : wholeContext;
  return make(input, seq, deadlineAt, trace, mayCancel);
}

let lastWithMode = 0;

// As startJob, called by serve().
function startNow(seq, entry, context, mode) {
  if (
    mode !== NO_MODE ||
    entry.kind !== ENTRY_FUNCTION ||
    finish === undefined
  ) {
    startJob(seq, entry, context, mode);
    return ASK;
  }
  try {
    return succeedNow(seq, apply(entry.call, global, [context]));
  } catch (error) {
    checkpoint();
    fail(seq, error);
    return ASK;
  }
}

function runJob(text) {
  const seq = H[H_SEQ];
  const mode = H[H_MODE];
  const endsAt = H[H_DEADLINE];
  if ((mode & MODE_CHANNELS) !== 0 && !options.shared) {
    runtime.endChannels(lastWithMode);
    lastWithMode = seq;
  }
  let entry;
  try {
    entry = entryFor(H[H_ENTRY]);
  } catch (error) {
    sendThrown(seq, STATUS.Crashed, DETAIL.compileFailed, error);
    return ASK;
  }
  let context;
  try {
    context = readContext(seq, entry, mode, endsAt, text);
  } catch {
    done(seq, STATUS.SerializationFailed, DETAIL.none, 0, 0);
    return ASK;
  }
  return moduleStarted && moduleLoading === null && moduleError === null
    ? startNow(seq, entry, context, mode)
    : startWhenLoaded(seq, entry, context, mode);
}

function startWhenLoaded(seq, entry, context, mode) {
  if (!moduleStarted) {
    runtime.workerData = options.port
      ? runtime.unwrap(context.input)
      : context.input;
    loadModule();
  }
  if (moduleLoading !== null) {
    then(moduleLoading, () => {
      if (moduleError === null) startJob(seq, entry, context, mode);
      else if (runtime.online === true) report(moduleError.error);
      else failModule(seq);
    });
    checkpoint();
    if (moduleLoading !== null) runtime.whenListening?.(() => goOnline(seq));
  } else if (moduleError !== null) {
    failModule(seq);
  } else {
    startJob(seq, entry, context, mode);
  }
  return ASK;
}

// --- globals of workers ------------------------------------------------------

function defineGlobal(name, value) {
  defineProperty(global, name, {
    __proto__: null,
    value,
    writable: true,
    enumerable: false,
    configurable: true,
  });
}

if (options.module !== undefined && options.port !== true) {
  defineGlobal('postMessage', (value) => {
    runtime.emit(0, value);
  });
}
if (options.host !== undefined) {
  defineGlobal('sloppy', { host: runtime.hostOf(0) });
}

// Compiling is refused by V8 as well; without the name nothing can be made,
// memories included.
if (options.allowWasm === false) delete global.WebAssembly;

// --- hooks ------------------------------------------------------------------

runtime.hooks = {
  __proto__: null,
  // Runs jobs until there is none, or one that is still pending.
  serve() {
    if (!runtime.prepared()) return;
    let text = next();
    while (text !== undefined) {
      text = runJob(text);
      if (text === ASK) text = next();
    }
  },
  onTimer: runtime.onTimer,
  onCancel: runtime.onCancel,
  onOver,
  onMail(seq, channel) {
    runtime.onMail(
      seq,
      channel,
      decode(H[H_KIND], H[H_NUMBER], scratch, 0, box[0], box[1]),
    );
  },
  onIdle() {
    runtime.stalled();
    runtime.onIdle?.();
  },
  onEnd: () => runtime.endRealm(exports),
  onRejection: runtime.onRejection,
};
