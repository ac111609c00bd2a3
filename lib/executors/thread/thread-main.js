'use strict';
// Runs first in the worker threads of a pool with `runtime: 'thread'`: the
// realm's own JavaScript (src/runtime), over Node instead of the addon.
//
// From the owner: `{ seq, entry, forget, id, input, remainingMs, runMs, mode,
// shared }` a job, the entry with it unless this side has it, the numbers of
// those it need not keep, and what is shared with it (shared-parts.js);
// `{ cancel }` a job's number, `{ mail, channel, value }`, `{ listens }`,
// `{ leave }`.
// To the owner: `{ done, status, detail, value, failed }`, `{ seq, channel,
// value }`, `{ init, at }` how many milliseconds the one that begins may take,
// `{ began, at }` a job whose run is limited, `{ tookShared }` a shared value
// was decoded.

const fs = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { types } = require('node:util');
const vm = require('node:vm');
const {
  parentPort,
  receiveMessageOnPort,
  workerData,
} = require('node:worker_threads');

const { Carry } = require('../../protocol/codec/grammar.js');
const { codeById } = require('../../protocol/diagnostics.gen.js');
const { guardHeap } = require('./heap-guard.js');
const { createPlainCodec } = require('./plain-codec.js');
const { writeDirectly } = require('./std-streams.js');
const { importModule, prepareFor } = require('./typescript.js');
const {
  Cancel,
  Detail,
  Header,
  PayloadKind,
  Sent,
  SharedAnswer,
} = require('../../protocol/wire.gen.js');

const RUNTIME = path.join(__dirname, '../../../src/runtime');
// Bundlers ignore it; Turbopack takes a require of a path for a missing module.
const load = createRequire(path.join(RUNTIME, 'bootstrap.js'));
const PARTS = [
  'errors',
  'context',
  'parameters',
  'shared',
  'channels',
  'lifecycle',
  'outcomes',
  'module',
  'entries',
  'bootstrap',
];
const { options, initData, flags, reasons, guard } = workerData;
const hrtime = process.hrtime.bigint;
// The end that lib/entries/function-place.js gives a text.
const PLACED = /\n\/\/# sourceURL=\S+$/;
const H = new Float64Array(Header.Mode + 1);
const box = [undefined, undefined];
const entries = new Map();
let presented = false;
let runMs = Infinity;
let current = 0;
let sharesOfCurrent = 0;
let shared = null;
let listens = false;
// `{ at, inInit }` after a failed start. No other job comes then, because the
// modules would fail again.
let failed = null;

// The namespace of CommonJS for importers, as from Node 23 on
// (src/runtime/module.js).
function withWhole(namespace, file) {
  if ('module.exports' in namespace) return namespace;
  const module = require.cache[fs.realpathSync(file)];
  if (module === undefined) return namespace;
  return { __proto__: null, ...namespace, 'module.exports': module.exports };
}

const native = {
  H,
  box,
  scratch: null,
  options,
  next() {
    const had = presented;
    presented = false;
    if (had && runMs !== Infinity && failed === null) beginRun();
    return had ? null : undefined;
  },
  done(seq, status, detail, _kind, _number, _slots, _count, value) {
    if (seq !== current) return;
    current = H[Header.Seq] = 0;
    parentPort.postMessage({ done: seq, status, detail, value, failed });
  },
  message(seq, channel, _kind, _number, _slots, _count, value) {
    if (seq !== 0 && seq !== current) return Sent.Gone;
    parentPort.postMessage({ seq, channel, value });
    return Sent.Sent;
  },
  ...lifecycle(),
  ...shares(),
  // The microtasks run when the call that came from Node's loop returns.
  checkpoint() {},
  afterCheckpoint: (_value, unsettled) => unsettled,
  afterTurn: setImmediate,
  // The port to the owner holds this thread as long as the pool wants it.
  hold() {},
  listening() {},
  isPromise: types.isPromise,
  isGenerator: types.isGeneratorObject,
  isError: types.isNativeError,
  compileEntry: (id) => compile(entries.get(id)),
  importModule: async (file) =>
    withWhole(await importModule(pathToFileURL(file).href), file),
  spoil() {
    failed = { at: hrtime(), inInit: false };
  },
  cancelledBy: (seq) =>
    seq === current ? Atomics.load(flags, 0) : Cancel.Cancelled,
  presentReason(seq) {
    let received = receiveMessageOnPort(reasons);
    // Earlier reasons belong to jobs that never read them.
    while (received !== undefined && received.message.seq !== seq) {
      received = receiveMessageOnPort(reasons);
    }
    if (received === undefined) return false;
    H[Header.Kind] = PayloadKind.Null;
    box[0] = received.message.value;
    return true;
  },
  now: () => performance.now(),
  code: codeById,
  write: (fd, text) => (fd === 2 ? process.stderr : process.stdout).write(text),
  ownerListens: () => listens,
  // Its imports are resolved as those of sent functions.
  compileFunction: (parameter, body) =>
    scriptOf(`((${parameter}) => { ${body}; })`, body).runInThisContext(),
};

// Replaces the isolates' bundles: the user's listeners on Node's process,
// without the one below.
const listeners = {
  listenerCount: (event) => process.listenerCount(event) - 1,
  emit: (...event) => process.emit(...event),
};
const loaded = (name) => (name === 'node:process' ? listeners : undefined);
const globals = { load: { loaded } };
const runtime = {
  __proto__: null,
  codec: createPlainCodec(
    options.clone === true ? Carry.CLONED : Carry.PLAINLY,
  ),
  globals,
  rare: () => native,
  more: () => native,
};

for (const part of PARTS) {
  const file = path.join(RUNTIME, `${part}.js`);
  const text = fs.readFileSync(file, 'utf8');
  const run = vm.compileFunction(text, ['native', 'runtime', 'require'], {
    filename: file,
  });
  run(native, runtime, (name) => load(path.join(RUNTIME, name)));
}
const { hooks } = runtime;

// The natives of src/runtime/lifecycle.js.
function lifecycle() {
  return {
    initFailure: () => Detail.None,
    wantsInit: () => presented,
    failing(on) {
      if (on) failed.inInit = true;
    },
    presentInitData() {
      H[Header.Kind] = PayloadKind.Null;
      box[1] = box[0];
      box[0] = initData;
      return true;
    },
    initBegins(timeoutMs) {
      Atomics.store(flags, 2, 1);
      parentPort.postMessage({ init: timeoutMs, at: hrtime() });
      return true;
    },
    initEnds(succeeded) {
      Atomics.store(flags, 2, succeeded ? 2 : 0);
      box[0] = box[1];
      box[1] = undefined;
      hooks.serve();
    },
    endBegins() {},
    realmEnded: () => process.exit(0),
  };
}

// The natives of src/runtime/shared.js.
function shares() {
  return {
    sharesOf: (seq) => (seq === current ? sharesOfCurrent : 0),
    presentShared(number, counts) {
      if (shared === null || !shared.has(number)) return SharedAnswer.Gone;
      H[Header.Kind] = PayloadKind.Null;
      box[0] = shared.read(number);
      box[1] = undefined;
      if (counts) parentPort.postMessage({ tookShared: true });
      return SharedAnswer.There;
    },
    // The owner has told of dropped values before the next job came.
    hasShared: () => true,
    sharesGone(numbers) {
      shared?.drop(numbers);
    },
  };
}

function takeShared(sent) {
  sharesOfCurrent = sent === undefined ? 0 : sent.number;
  if (sent === undefined || sent.parts === undefined) return;
  shared ??= new (require('./shared-store.js').SharedStore)();
  shared.take(sent);
}

function compile(entry) {
  const { kind, text, name } = entry;
  if (kind !== 0) return { kind, call: text };
  // The text is in the script from now on.
  entry.script ??= scriptOf(text, name);
  entry.text = '';
  return { kind, call: entry.script.runInThisContext() };
}

// The name is for stacks; imports are resolved from the working directory.
function scriptOf(text, name) {
  const shown = name.replace(/[\s'"]/g, '-');
  prepareFor(text);
  const named = PLACED.test(text) ? text : `${text}\n//# sourceURL=${shown}`;
  return new vm.Script(named, {
    filename: pathToFileURL(path.resolve('[sent function]')).href,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
}

// Node warns of its own loader in vm's scripts, which is not the user's choice.
const { emitWarning } = process;
process.emitWarning = (warning, ...more) => {
  if (!String(warning).startsWith('vm.USE_MAIN_CONTEXT_DEFAULT_LOADER')) {
    Reflect.apply(emitWarning, process, [warning, ...more]);
  }
};

// `init` is over, so the time of the job counts from here.
function beginRun() {
  parentPort.postMessage({ began: current, at: hrtime() });
  H[Header.Deadline] = Math.min(H[Header.Deadline], performance.now() + runMs);
}

function present(job) {
  const { seq, entry, forget, id, input, remainingMs, mode } = job;
  takeShared(job.shared);
  for (const old of forget) {
    entries.delete(old);
    runtime.forgetEntry(old);
  }
  if (entry !== undefined) entries.set(id, entry);
  H[Header.Entry] = id;
  H[Header.Kind] = PayloadKind.Null;
  H[Header.Seq] = current = seq;
  H[Header.Deadline] = performance.now() + remainingMs;
  H[Header.Mode] = mode;
  runMs = job.runMs;
  box[0] = input;
  presented = true;
  hooks.serve();
}

parentPort.on('message', (data) => {
  if (data.seq !== undefined) present(data);
  else if (data.leave) hooks.onEnd();
  else if (data.cancel === current) hooks.onCancel(data.cancel);
  else if (data.mail !== undefined) {
    if (data.mail !== 0 && data.mail !== current) return;
    runtime.onMail(data.mail, data.channel, data.value);
  } else if (data.listens !== undefined) listens = data.listens;
});

writeDirectly();
guardHeap(guard, flags, 1);

globalThis.reportError ??= runtime.report;

// Without a listener of the user's, an uncaught error is reported to the owner.
process.on('uncaughtException', (error) => {
  if (process.listenerCount('uncaughtException') === 1) runtime.report(error);
});
process.on('unhandledRejection', (reason, promise) => {
  if (process.listenerCount('unhandledRejection') > 1) return;
  runtime.onRejection(promise, reason, false);
});
