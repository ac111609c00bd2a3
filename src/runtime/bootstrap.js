'use strict';
// The JavaScript side of a worker realm. Compiled as the body of a function
// (native, createCodec, Refusal) and run once in every new realm, before any
// user code; returns the hooks that C++ calls. Nothing declared here is
// reachable from user code, and everything taken from the realm is captured
// now, so that poisoned prototypes cannot reach it.
const {
  H, box, scratch, options, next, done, message, checkpoint, isPromise, isError,
  compileEntry, importModule, cancelledBy, now, setTimer, clearTimer, write,
  code,
} = native;

const uncurry = Function.prototype.call.bind.bind(Function.prototype.call);
const { apply } = Reflect;
const { keys: ownKeys, defineProperty, getPrototypeOf, hasOwn } = Object;
const RealmError = Error;
const RealmTypeError = TypeError;
const RealmMap = Map;
const RealmSet = Set;
const mapGet = uncurry(Map.prototype.get);
const mapSet = uncurry(Map.prototype.set);
const mapDelete = uncurry(Map.prototype.delete);
const setAdd = uncurry(Set.prototype.add);
const setDelete = uncurry(Set.prototype.delete);
const setForEach = uncurry(Set.prototype.forEach);
const then = uncurry(Promise.prototype.then);
const RealmPromise = Promise;
const RealmString = String;
const global = globalThis;

const codec = createCodec(native);
const { encode, decode, refused } = codec;

// Header slots, as worker/job_runner.cc fills them.
const H_ENTRY = 0;
const H_KIND = 1;
const H_NUMBER = 2;
const H_SEQ = 3;
const H_DEADLINE = 4;

// Entry kinds (job/entry_table.h).
const ENTRY_FUNCTION = 0;
const ENTRY_EXPORT = 1;

// Statuses and details come by name from C++ (base/diagnostics_gen.h,
// job/job.h): `options.status`, `options.detail`.
const { status: STATUS, detail: DETAIL, maxResultBytes } = options;

// --- the job's context ----------------------------------------------------

const ABORT = 'abort';
let announce = null;

class JobSignal {
  #seq;
  #listeners = null;
  #final = 0;

  constructor(seq) {
    this.#seq = seq;
  }
  #state() {
    if (this.#final === 0) this.#final = cancelledBy(this.#seq);
    return this.#final;
  }
  get cancelled() {
    return this.#state() !== 0;
  }
  get aborted() {
    return this.#state() !== 0;
  }
  get reason() {
    const why = this.#state();
    return why === 0 ? undefined : (why === 2 ? 'deadline' : 'cancelled');
  }
  throwIfCancelled() {
    if (this.#state() === 0) return;
    const error = new RealmError(options.cancelledText);
    error.name = 'SloppyWorkerError';
    error.code = code(STATUS.JobCancelled);
    throw error;
  }
  addEventListener(type, listener) {
    if (type !== ABORT || typeof listener !== 'function') return;
    if (this.#state() !== 0) return;
    if (this.#listeners === null) this.#listeners = new RealmSet();
    setAdd(this.#listeners, listener);
  }
  removeEventListener(type, listener) {
    if (type === ABORT && this.#listeners !== null) {
      setDelete(this.#listeners, listener);
    }
  }
  // Fires the listeners once.
  static {
    announce = (signal) => {
      signal.#state();
      const listeners = signal.#listeners;
      signal.#listeners = null;
      if (listeners === null) return;
      const { reason } = signal;
      setForEach(listeners, (listener) => {
        try {
          listener(reason);
        } catch (error) {
          report(error);
        }
      });
    };
  }
}

class JobDeadline {
  #at;
  constructor(at) {
    this.#at = at;
  }
  remainingMs() {
    const left = this.#at - now();
    return left > 0 ? left : 0;
  }
  get expired() {
    return this.#at - now() <= 0;
  }
}

let currentSignal = null;
let currentSeq = 0;

class JobContext {
  #seq;
  #deadlineAt;
  #signal = null;
  #deadline;
  constructor(input, seq, deadlineAt) {
    this.input = input;
    this.#seq = seq;
    this.#deadlineAt = deadlineAt;
  }
  get signal() {
    if (this.#signal === null) {
      this.#signal = new JobSignal(this.#seq);
      if (this.#seq === currentSeq) currentSignal = this.#signal;
    }
    return this.#signal;
  }
  get deadline() {
    if (this.#deadlineAt === Infinity) return undefined;
    return (this.#deadline ??= new JobDeadline(this.#deadlineAt));
  }
  get emit() {
    const seq = this.#seq;
    return (value) => emit(seq, value);
  }
}

function payloadError(reason) {
  const unsupported = reason === 1 || reason === 2;
  const status = reason === 5 ? STATUS.ResourceLimit
    : unsupported ? STATUS.UnsupportedPayload : STATUS.SerializationFailed;
  const error = new RealmError(options.payloadTexts[reason]);
  error.name = 'SloppyWorkerError';
  error.code = code(status);
  return error;
}

// Sends a value to the caller's onMessage: of the job `seq`, or of the worker
// as a whole (0). False when that job is over.
function emit(seq, value) {
  let o;
  try {
    o = encode(value, maxResultBytes);
  } catch (error) {
    if (error === refused) throw payloadError(refused.reason);
    throw error;
  }
  return message(seq, o.kind, o.number, o.slots, o.slotCount, o.text, o.more);
}

// --- errors on their way to the caller ------------------------------------

const builtIns = new RealmMap();
for (const Class of [
  Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError,
  URIError, AggregateError,
]) {
  mapSet(builtIns, Class.prototype, Class.name);
}
mapSet(builtIns, WebAssembly.CompileError.prototype, 'CompileError');
mapSet(builtIns, WebAssembly.LinkError.prototype, 'LinkError');
mapSet(builtIns, WebAssembly.RuntimeError.prototype, 'RuntimeError');

const MAX_CAUSES = 8;
const MAX_TEXT = 65536;

// User code may have put anything behind a property.
function read(object, key) {
  try {
    return object[key];
  } catch {
    return undefined;
  }
}

function textOf(value) {
  if (typeof value !== 'string') return undefined;
  return value.length > MAX_TEXT ? clip(value) : value;
}
const slice = uncurry(String.prototype.slice);
function clip(value) {
  return slice(value, 0, MAX_TEXT);
}

function portable(value) {
  try {
    encode(value, maxResultBytes);
    return true;
  } catch {
    return false;
  }
}

function builtInName(error) {
  let at = error;
  try {
    while ((at = getPrototypeOf(at)) !== null) {
      const name = mapGet(builtIns, at);
      if (name !== undefined) return name;
    }
  } catch {
    // A proxy in the chain: an ordinary Error then.
  }
  return 'Error';
}

// A plain description that lib/internal/rebuild-error.js turns back.
function describe(thrown, depth) {
  let is = false;
  try {
    is = isError(thrown) || thrown instanceof RealmError;
  } catch {
    // A proxy's trap.
  }
  if (!is) {
    return portable(thrown)
      ? { __proto__: null, value: thrown }
      : { __proto__: null, opaque: typeof thrown };
  }
  const d = {
    __proto__: null,
    type: builtInName(thrown),
    name: textOf(read(thrown, 'name')),
    message: textOf(read(thrown, 'message')),
    stack: textOf(read(thrown, 'stack')),
    props: properties(thrown),
  };
  if (depth >= MAX_CAUSES) return d;
  try {
    if (hasOwn(thrown, 'cause')) d.cause = describe(thrown.cause, depth + 1);
    if (hasOwn(thrown, 'errors')) {
      const { errors } = thrown;
      const n = errors.length;
      const list = [];
      for (let i = 0; i < n && i < 64; i++) {
        defineProperty(list, i, {
          __proto__: null, enumerable: true, configurable: true,
          writable: true, value: describe(errors[i], depth + 1),
        });
      }
      d.errors = list;
    }
  } catch {
    // What cannot be read is left out.
  }
  return d;
}

function properties(error) {
  const props = { __proto__: null };
  let keys;
  try {
    keys = ownKeys(error);
  } catch {
    return props;
  }
  for (let i = 0; i < keys.length && i < 256; i++) {
    const key = keys[i];
    if (key === 'cause' || key === 'errors' || key === 'stack') continue;
    const value = read(error, key);
    if (value !== undefined && portable(value)) props[key] = value;
  }
  return props;
}

function sendError(seq, status, detail, thrown) {
  let o;
  try {
    o = encode(describe(thrown, 0), maxResultBytes);
  } catch {
    o = encode({ __proto__: null, opaque: 'error' }, maxResultBytes);
  }
  done(seq, status, detail, o.kind, o.number, o.slots, o.slotCount, o.text,
    o.more);
}

// --- running jobs ---------------------------------------------------------

let exports = null;
let moduleError = null;
let moduleLoading = null;
let moduleStarted = options.module === undefined;

function fail(seq, thrown) {
  sendError(seq, STATUS.JobFailed, DETAIL.none, thrown);
}

function succeed(seq, value) {
  let o;
  try {
    o = encode(value, maxResultBytes);
  } catch (error) {
    if (error !== refused) throw error;
    if (refused.reason === 5) {
      done(seq, STATUS.ResourceLimit, DETAIL.resultTooLarge, 0, 0);
    } else {
      done(seq, STATUS.SerializationFailed, DETAIL.resultUnsupported, 0, 0);
    }
    return;
  }
  done(seq, 0, 0, o.kind, o.number, o.slots, o.slotCount, o.text, o.more);
}

let functions = new RealmMap();
let functionCount = 0;
const MAX_FUNCTIONS = 1024;

// { kind, call } of an entry: the compiled function, or an export's name.
function entryFor(id) {
  const known = mapGet(functions, id);
  if (known !== undefined) return known;
  const entry = compileEntry(id);
  if (++functionCount > MAX_FUNCTIONS) {
    // Functions made anew for every call: keep only what comes from now on.
    functionCount = 1;
    functions = new RealmMap();
  }
  mapSet(functions, id, entry);
  return entry;
}

function settleLater(seq, promise) {
  then(
    promise,
    (value) => succeed(seq, value),
    (error) => fail(seq, error),
  );
}

function conclude(seq, value) {
  if ((typeof value === 'object' && value !== null) ||
      typeof value === 'function') {
    if (isPromise(value)) {
      settleLater(seq, value);
      checkpoint();
      return;
    }
    if (typeof value.then === 'function') {
      settleLater(seq, new RealmPromise((resolve) => resolve(value)));
      checkpoint();
      return;
    }
  }
  // What the job left in the microtask queue is still its own work.
  checkpoint();
  succeed(seq, value);
}

function callExport(seq, name, input, context) {
  const target = exports === null ? undefined : exports[name];
  if (typeof target !== 'function') {
    done(seq, STATUS.Crashed, DETAIL.notCallable, 0, 0);
    return;
  }
  conclude(seq, apply(target, undefined, [input, context]));
}

function startJob(seq, entry, context) {
  try {
    if (entry.kind === ENTRY_FUNCTION) {
      conclude(seq, apply(entry.call, global, [context]));
    } else if (entry.kind === ENTRY_EXPORT) {
      callExport(seq, entry.call, context.input, context);
    } else {
      succeed(seq, undefined);
    }
  } catch (error) {
    fail(seq, error);
  }
}

function runJob() {
  const seq = (currentSeq = H[H_SEQ]);
  currentSignal = null;
  let entry;
  try {
    entry = entryFor(H[H_ENTRY]);
  } catch (error) {
    sendError(seq, STATUS.Crashed, DETAIL.compileFailed, error);
    return;
  }
  const context = new JobContext(
    decode(H[H_KIND], H[H_NUMBER], scratch, 0, box[0], box[1]),
    seq,
    H[H_DEADLINE],
  );
  if (!moduleStarted) loadModule();
  if (moduleError === null && moduleLoading === null) {
    startJob(seq, entry, context);
  } else if (moduleLoading !== null) {
    then(moduleLoading, () => {
      if (moduleError !== null) failModule(seq);
      else startJob(seq, entry, context);
    });
    checkpoint();
  } else {
    failModule(seq);
  }
}

function failModule(seq) {
  sendError(seq, STATUS.StartupFailed, DETAIL.none, moduleError.error);
}

// --- timers ---------------------------------------------------------------

const timers = new RealmMap();
let lastTimer = 0;

function startTimer(callback, ms, repeat) {
  const id = ++lastTimer;
  mapSet(timers, id, { callback, repeat });
  setTimer(id, ms, repeat);
  return id;
}

function stopTimer(id) {
  if (mapDelete(timers, id)) clearTimer(id);
}

function guarded(callback) {
  try {
    callback();
  } catch (error) {
    report(error);
  }
}

function report(error) {
  let text;
  try {
    const stack = isError(error) ? read(error, 'stack') : undefined;
    text = typeof stack === 'string' ? stack : RealmString(error);
  } catch {
    text = 'an error that cannot be shown';
  }
  write(2, `Uncaught in worker: ${text}\n`);
}

function delayOf(ms) {
  const n = +ms;
  return n >= 1 && n <= 2147483647 ? n : 1;
}

function global_(name, value) {
  defineProperty(global, name, {
    __proto__: null, value, writable: true, enumerable: false,
    configurable: true,
  });
}

function timerFunction(repeat) {
  return (callback, ms, ...args) => {
    if (typeof callback !== 'function') {
      throw new RealmTypeError('The "callback" argument must be a function.');
    }
    return startTimer(() => apply(callback, global, args), delayOf(ms),
      repeat);
  };
}

global_('setTimeout', timerFunction(false));
global_('setInterval', timerFunction(true));
global_('clearTimeout', stopTimer);
global_('clearInterval', stopTimer);
global_('setImmediate', (callback, ...args) =>
  startTimer(() => apply(callback, global, args), 0, false));
global_('clearImmediate', stopTimer);
global_('queueMicrotask', (callback) => {
  if (typeof callback !== 'function') {
    throw new RealmTypeError('The "callback" argument must be a function.');
  }
  then(RealmPromise.resolve(), () => guarded(callback));
});
if (options.module !== undefined) {
  global_('postMessage', (value) => {
    emit(0, value);
  });
}

// --- hooks ----------------------------------------------------------------

// The module loads as part of the first job, whose limits thereby hold for
// its top level too.
function loadModule() {
  moduleStarted = true;
  moduleLoading = then(
    new RealmPromise((resolve) => resolve(importModule(options.module))),
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

return {
  __proto__: null,
  // Runs jobs until there is none, or one that is still pending.
  serve() {
    while (next()) runJob();
  },
  onTimer(id) {
    const timer = mapGet(timers, id);
    if (timer === undefined) return;
    if (!timer.repeat) mapDelete(timers, id);
    guarded(timer.callback);
  },
  onCancel(seq) {
    if (seq === currentSeq && currentSignal !== null) announce(currentSignal);
  },
};
