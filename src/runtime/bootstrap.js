'use strict';
// The last part of the realm's own JavaScript. The parts (in the order of
// scripts/lib/bootstrap-bundle.mjs) share one scope, the body of a function of
// (native, runtime) that runs once in every new realm. Only closed functions
// may run before it, because they change nothing (worker/worker_serving.cc).
// With `runtime: 'thread'` each part is a function of its own. Nothing they
// declare is reachable from user code, and everything they take from the realm
// is captured now, so that poisoned prototypes cannot reach it.
//
// Leaves the hooks that C++ calls in `runtime.hooks` (worker/realm.h).
const { H, box, scratch, options, next, checkpoint } = native;
const { apply, defineProperty, freeze, then } = require('./primordials.js');
const {
  CallResult,
  Detail,
  EntryKind,
  Header,
  JobMode,
} = require('../../lib/protocol/wire.gen.js');

const { NO_DEADLINE, limitedContext, newContext, wholeContext } = runtime;
const {
  ASK,
  conclude,
  done,
  fail,
  failAfterMicrotasks,
  sendThrown,
  succeed,
  succeedNow,
} = runtime;
const { entryFor, loadModules, seesContext } = runtime;
const { exportOf, isModuleReady, moduleExports, startWhenLoaded } = runtime;
const { codec } = runtime;
const { status: STATUS } = options;

const global = globalThis;

const NO_MODE = 0;
const MODE_CHANNELS = JobMode.Stream | JobMode.Input;
// Mode bits that do not change how a job ends.
const MODE_PLAIN = JobMode.Endless | JobMode.Signalled | JobMode.Shares;

// --- running jobs -----------------------------------------------------------

function callExport(seq, name, context, mode) {
  const target = exportOf(name);
  if (typeof target !== 'function') {
    const error = runtime.noFunction(name, target);
    sendThrown(seq, STATUS.Crashed, Detail.NotCallable, error);
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
    (error) => {
      // The modules would fail again, so the next job gets another realm.
      runtime.rare().spoil();
      sendThrown(seq, STATUS.StartupFailed, Detail.None, error);
    },
  );
  checkpoint(true);
}

function startJob(seq, entry, context, mode) {
  try {
    if (entry.kind === EntryKind.Function) {
      conclude(seq, apply(entry.call, global, [context]), mode);
    } else if (entry.kind === EntryKind.Export) {
      callExport(seq, entry.call, context, mode);
    } else if (entry.kind === EntryKind.FunctionWithModules) {
      callWithModules(seq, entry, context, mode);
    } else {
      runtime.online = true;
      succeed(seq, undefined);
    }
  } catch (error) {
    failAfterMicrotasks(seq, error);
  }
}

// `text` is the answer of next().
function readContext(seq, entry, mode, endsAt, text) {
  const given = text ?? box[0];
  let input = codec.decode(
    H[Header.Kind],
    H[Header.Number],
    scratch,
    0,
    given,
    box[1],
  );
  if (entry.whole === undefined) entry.whole = seesContext(entry);
  const isPlain = (mode & ~JobMode.Shares) === NO_MODE && endsAt === Infinity;
  if (isPlain && entry.whole === false) return newContext(input, seq);
  const deadlineAt =
    endsAt < Infinity || mode & JobMode.Endless ? endsAt : NO_DEADLINE;
  const mayCancel = endsAt < Infinity || (mode & JobMode.Signalled) !== 0;
  let trace;
  if (mode & JobMode.Traced) {
    trace = freeze(input[0]);
    input = input[1];
  }
  if (mode & JobMode.Input) input = runtime.streamedInput(seq);
  if (entry.whole === false) {
    return limitedContext(input, seq, deadlineAt, trace, mayCancel);
  }
  const context = wholeContext(input, seq, deadlineAt, trace, mayCancel);
  if ((mode & JobMode.Shares) !== 0) runtime.addShared(context, seq);
  return context;
}

let lastWithMode = 0;

// The same as startJob, but called by serve().
function startNow(seq, entry, context, mode) {
  if (succeedNow !== undefined && (mode & ~MODE_PLAIN) === 0) {
    const { kind, call } = entry;
    try {
      if (kind === EntryKind.Function) {
        return succeedNow(seq, apply(call, global, [context]));
      }
      if (kind === EntryKind.Export) {
        const target = exportOf(call);
        if (typeof target === 'function') {
          const { input } = context;
          return succeedNow(seq, apply(target, undefined, [input, context]));
        }
      } else if (
        kind === EntryKind.FunctionWithModules &&
        entry.loaded !== null
      ) {
        context.modules = entry.loaded;
        return succeedNow(seq, apply(call, global, [context]));
      }
    } catch (error) {
      failAfterMicrotasks(seq, error);
      return ASK;
    }
  }
  startJob(seq, entry, context, mode);
  return ASK;
}

function startLater(seq, entry, context, mode) {
  startWhenLoaded(seq, context, () => startJob(seq, entry, context, mode));
  return ASK;
}

// Set where jobs share the realm: enters the job whose code is called.
const enterJob = options.shared ? runtime.rare().enterJob : undefined;

function runJob(text) {
  const seq = H[Header.Seq];
  if (enterJob !== undefined) enterJob(seq);
  const mode = H[Header.Mode];
  const endsAt = H[Header.Deadline];
  if ((mode & MODE_CHANNELS) !== 0 && !options.shared) {
    runtime.endChannels?.(lastWithMode);
    lastWithMode = seq;
  }
  let entry;
  try {
    entry = entryFor(H[Header.Entry]);
  } catch (error) {
    sendThrown(seq, STATUS.Crashed, Detail.CompileFailed, error);
    return ASK;
  }
  let context;
  try {
    context = readContext(seq, entry, mode, endsAt, text);
  } catch {
    done(seq, STATUS.SerializationFailed, Detail.None, 0, 0);
    return ASK;
  }
  return isModuleReady()
    ? startNow(seq, entry, context, mode)
    : startLater(seq, entry, context, mode);
}

// Ends a job whose function was called by C++ (worker/worker_serving.cc).
function endJob(seq, outcome, how) {
  try {
    if (how === CallResult.Returned) return conclude(seq, outcome, NO_MODE);
  } catch (error) {
    return failAfterMicrotasks(seq, error);
  }
  return how === CallResult.Threw
    ? fail(seq, outcome)
    : sendThrown(seq, STATUS.Crashed, Detail.CompileFailed, outcome);
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

// V8 refuses compilation as well; without the name, memories cannot be made
// either.
if (options.allowWasm === false) delete global.WebAssembly;

// --- hooks ------------------------------------------------------------------

runtime.hooks = {
  __proto__: null,
  // Runs jobs until none is left or one is still pending.
  serve() {
    if (!runtime.prepared()) return;
    let text = next();
    while (text !== undefined) {
      text = runJob(text);
      if (text === ASK) text = next();
    }
    if (enterJob !== undefined) enterJob(0);
  },
  onTimer: (id) => runtime.onTimer(id),
  onTicks: () => runtime.onTicks(),
  onCancel: runtime.onCancel,
  onOver: runtime.onOver,
  onMail(seq, channel) {
    if (enterJob !== undefined) enterJob(seq);
    runtime.onMail(
      seq,
      channel,
      codec.decode(
        H[Header.Kind],
        H[Header.Number],
        scratch,
        0,
        box[0],
        box[1],
      ),
    );
    if (enterJob !== undefined) enterJob(0);
  },
  onIdle() {
    runtime.stalled();
    runtime.onIdle?.();
  },
  onLoadAhead: (builtin) => runtime.loadAhead(builtin),
  onCodeFromString: () => runtime.defineGlobals?.(),
  onOutcome: endJob,
  onEnd: () => runtime.endRealm(moduleExports()),
  onRejection: (promise, value, what) =>
    runtime.onRejection(promise, value, what),
};
