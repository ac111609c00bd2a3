'use strict';
// The realm's own JavaScript (src/runtime) over Node instead of the addon, in
// the workers of OwnedPool: runs first in each of its threads and processes.
//
// From the owner: `{ seq, entry, forget, id, input, remainingMs, runMs, mode,
// shared, aheadAt, slot }` a job, the entry with it unless this side has it, the numbers
// of those it need not keep, what is shared with it (shared-parts.js), and when it
// was sent, and its slot, if that was ahead of its turn;
// `{ cancel, why }` a job's number, `{ over }` the same, `{ mail, channel, value }`, `{ listens }`,
// `{ hears }` what is printed, `{ letGo }` of jobs that were taken back, `{ figures }` the number of a request, `{ leave }`.
// To the owner: see reports.js. How they travel is the link's (ThreadLine,
// ProcessLine).

const { realpathSync } = require('node:fs');
const { pathToFileURL } = require('node:url');
const { types } = require('node:util');
const { getHeapStatistics } = require('node:v8');

const { codeById } = require('../../protocol/diagnostics.gen.js');
const { takeBuffers } = require('./plain-codec.js');
const { Packed } = require('./packed.js');
const { detach } = require('../../base/detach.js');
const { lastingMap } = require('./lasting-map.js');
const { checkModule, checkSpecifier } = require('./module-file.js');
const { now } = require('./realm-clock.js');
const { loadRuntime } = require('./realm-runtime.js');
const { realmShares } = require('./realm-shares.js');
const { Report, Start } = require('./reports.js');
const { detailOf, hearUncaught } = require('./uncaught.js');
const { compile, scriptOf } = require('./sent-scripts.js');
const { importModule } = require('./typescript.js');
const {
  Channel,
  Detail,
  End,
  Header,
  PayloadKind,
  Rejection,
  Sent,
} = require('../../protocol/wire.gen.js');

// Read now, because jobs share this realm.
const hrtime = process.hrtime.bigint;
const exit = process.exit.bind(process);
const H = new Float64Array(Header.Mode + 1);
const { min } = Math;
const MIB = 1024 * 1024;
const box = [undefined, undefined];
const entries = lastingMap();
/**
 * The way to the owner: `tell(report, moved)`, which moves those buffers if it
 * `moves`, `why()` the running job is to end, one of End, `reasonOf(seq)`
 * `{ value }` or undefined, `reach(state)` of Start, Node's `threadId`; where jobs
 * come ahead of their turn, `ahead` (AheadQueue).
 */
let link;
let initData;
let options;
let presented = false;
let runMs = Infinity;
// `{ shares, since, why }` of the jobs that run, by number: one, or several that await.
const running = lastingMap();
// The last one that was presented.
let current = 0;
let listens = false;
// Modules have failed, and would fail again, or the heap has grown too large: no
// other job comes.
let spoilt = false;
let isFailing = false;
let isReady = false;
let parts = 0;

// The namespace of CommonJS for importers, as from Node 23 on
// (src/runtime/module.js).
function withWhole(namespace, file) {
  if ('module.exports' in namespace) return namespace;
  const module = require.cache[realpathSync(file)];
  if (module === undefined) return namespace;
  return { __proto__: null, ...namespace, 'module.exports': module.exports };
}

const shares = realmShares({
  H,
  box,
  sharesOf: (seq) => running.get(seq)?.shares ?? 0,
  tookShared: () => link.tell({ kind: Report.TookShared }),
});

const native = {
  H,
  box,
  scratch: null,
  options: undefined,
  next() {
    if (isFailing) {
      // The start fails, for which no job is here.
      isFailing = false;
      return null;
    }
    if (!isReady) becomeReady();
    const had = presented;
    presented = false;
    if (had && runMs !== Infinity) beginRun();
    return had ? null : undefined;
  },
  done(seq, status, detail, _kind, _number, _slots, _count, value, moved) {
    if (!isReady) {
      link.tell({ kind: Report.Failed, at: hrtime(), status, detail, value });
      return;
    }
    const job = running.get(seq);
    if (job === undefined) return;
    running.delete(seq);
    link.ahead?.ends(now() - job.since);
    if (seq === current) current = H[Header.Seq] = 0;
    spoilt ||= isTooLarge();
    const report = { kind: Report.Done, seq, status, detail, value, spoilt };
    tellMoving(report, moved);
    link.ahead?.look();
  },
  message(seq, channel, _kind, _number, _slots, _count, value, moved) {
    if (seq !== 0 && !running.has(seq)) return Sent.Gone;
    tellMoving({ kind: Report.Message, seq, channel, value }, moved);
    return Sent.Sent;
  },
  ...lifecycle(),
  ...shares.natives,
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
  detailOf,
  compileEntry: (id) => compile(entries.get(id)),
  async importModule(file) {
    checkModule(file, options.maxModuleBytes);
    return withWhole(await importModule(pathToFileURL(file).href), file);
  },
  checkSpecifier,
  spoil() {
    spoilt = true;
  },
  identity: () => [
    options.worker.number,
    options.worker.place,
    link.threadId,
    process.pid,
  ],
  cancelledBy(seq) {
    const job = running.get(seq);
    if (job === undefined) return End.Cancelled;
    // The one of the line is there while the job does not yield.
    return options.shared ? job.why : link.why();
  },
  ...jobsOfCode(),
  presentReason(seq) {
    const reason = link.reasonOf(seq);
    if (reason === undefined) return false;
    H[Header.Kind] = PayloadKind.Null;
    box[0] = reason.value;
    return true;
  },
  now,
  code: codeById,
  write: (fd, text) => (fd === 2 ? process.stderr : process.stdout).write(text),
  ownerListens: () => listens,
  // The streams of the process tell what is written there: see output.js.
  ownerHears: () => false,
  // Its imports are resolved as those of sent functions.
  compileFunction: (parameter, body) =>
    scriptOf(`((${parameter}) => { ${body}; })`, body).runInThisContext(),
};

let hooks;
let runtime;

// Counts as the option does: objects dead or alive.
function isTooLarge() {
  const { recycleAboveMb } = options;
  if (recycleAboveMb === Infinity) return false;
  const { external_memory: external, used_heap_size: heap } =
    getHeapStatistics();
  return heap + external > recycleAboveMb * MIB;
}

// The buffers are empty afterwards, also where they are copied.
function tellMoving(report, moved) {
  if (moved === undefined || moved.length === 0) {
    link.tell(report);
    return;
  }
  if (link.moves === true) {
    try {
      link.tell(report, moved);
      return;
    } catch {
      // A buffer that stays, as the memory of WebAssembly does.
    }
  }
  if (report.value instanceof Packed) {
    // Its bytes may be those of the buffers.
    link.tell(report);
    for (let i = 0; i < moved.length; i += 1) detach(moved[i]);
    return;
  }
  const { value, buffers } = takeBuffers({ text: report.value, more: moved });
  link.tell({ ...report, value }, buffers);
}

// The natives of src/runtime/lifecycle.js.
function lifecycle() {
  return {
    initFailure: () => Detail.None,
    wantsInit: () => true,
    failing(on) {
      isFailing = on;
    },
    presentInitData() {
      H[Header.Kind] = PayloadKind.Null;
      box[0] = initData;
      return true;
    },
    initBegins(timeoutMs) {
      const state = Start.Runs + parts;
      parts += 1;
      link.reach(state);
      link.tell({ kind: Report.Starts, at: hrtime(), state, timeoutMs });
      return true;
    },
    initEnds() {
      link.reach(Start.Idle);
      hooks.serve();
    },
    endBegins() {},
    realmEnded() {
      try {
        exit(0);
      } catch (error) {
        // A listener to `exit` has thrown. Node calls none again.
        runtime.report(error);
        exit(0);
      }
    },
  };
}

// The natives that tell which of several jobs the code is that executes.
function jobsOfCode() {
  let store;
  return {
    enterJob(seq) {
      store ??= new (require('node:async_hooks').AsyncLocalStorage)();
      store.enterWith(seq);
    },
    jobOfCode: () => store?.getStore() ?? 0,
  };
}

/** @returns {number} how many more jobs this realm may begin */
function room() {
  return isReady && !spoilt ? options.concurrency - running.size : 0;
}

function becomeReady() {
  isReady = true;
  link.reach(Start.Ready);
  link.tell({ kind: Report.Ready });
  link.ahead?.look();
}

// The time of the run counts from here. A message costs a tiny job a third.
function beginRun() {
  const at = hrtime();
  const isSeen = link.ahead?.runBegins(current, at) === true;
  if (!isSeen) link.tell({ kind: Report.Began, seq: current, at });
  H[Header.Deadline] = min(H[Header.Deadline], now() + runMs);
}

// The parts of a job are kept, whether or not it runs here.
function receiveJob(job) {
  const { aheadAt, entry, forget, id, remainingMs } = job;
  const isAhead = aheadAt !== undefined;
  job.shares = shares.take(job.shared);
  // The job before may have kept this thread from reading for long.
  const lateMs = isAhead ? Number(hrtime() - aheadAt) / 1e6 : 0;
  const at = now();
  job.endsAt = at + remainingMs - lateMs;
  // By index, because jobs may replace the iterator of arrays.
  for (let i = 0; i < forget.length; i += 1) {
    entries.delete(forget[i]);
    runtime.forgetEntry(forget[i]);
  }
  if (entry !== undefined) entries.set(id, entry);
  if (isAhead) link.ahead.came(job);
  else present(job, at);
}

function present(job, at) {
  const { seq, id, input, mode, shares } = job;
  link.ahead?.begins();
  running.set(seq, { shares, since: at, why: 0 });
  H[Header.Entry] = id;
  H[Header.Kind] = PayloadKind.Null;
  H[Header.Seq] = current = seq;
  H[Header.Deadline] = job.endsAt;
  H[Header.Mode] = mode;
  runMs = job.runMs;
  box[0] = input;
  presented = true;
  hooks.serve();
}

function tellFigures(id) {
  let figures;
  try {
    figures = require('./worker-figures.js').workerFigures();
  } catch {
    // A job has replaced what they are read by.
  }
  link.tell({ kind: Report.Figures, id, figures });
}

function cancel(seq, why) {
  const job = running.get(seq);
  if (job === undefined) return;
  job.why = why;
  hooks.onCancel(seq);
}

// A job that goes on beyond its time, while others run: what its code does from
// now on has no effect.
function endJob(seq) {
  if (!running.has(seq)) return;
  native.done(seq, options.status.JobCancelled, Detail.None);
  hooks.onOver(seq);
}

// The code that listens is the job's.
function hearMail(seq, channel, value) {
  if (options.shared) native.enterJob(seq);
  runtime.onMail(seq, channel, value);
  if (options.shared) native.enterJob(0);
}

let divert;

function setHears(wanted) {
  divert ??= require('./output.js').outputsTo((fd, text) =>
    native.message(0, Channel.Output, 0, 0, null, 0, [fd, text]),
  );
  divert(wanted);
}

// Jobs may have put any name into what objects inherit.
const says = Object.hasOwn;

/** Takes a message of the owner's. */
function receive(data) {
  if (says(data, 'seq')) receiveJob(data);
  else if (says(data, 'leave')) hooks.onEnd();
  else if (says(data, 'cancel')) cancel(data.cancel, data.why);
  else if (says(data, 'over')) endJob(data.over);
  else if (says(data, 'mail')) {
    if (data.mail !== 0 && !running.has(data.mail)) return;
    hearMail(data.mail, data.channel, data.value);
  } else if (says(data, 'listens')) listens = data.listens;
  else if (says(data, 'letGo')) link.ahead.letGo();
  else if (says(data, 'figures')) tellFigures(data.figures);
  else if (says(data, 'hears')) setHears(data.hears);
}

/**
 * Starts the realm: `init` and the module, if there are any. Once.
 *
 * @param {object} given
 * @param {object} given.options of the realm
 * @param {unknown} given.initData
 * @param {object} given.link
 * @param {(carry: number) => object} given.createCodec see createPlainCodec
 * @returns {{ receive(data: object): void, unreadable(): void }} for what comes
 *   from the owner
 */
function startRealm(given) {
  ({ initData, link, options } = given);
  native.options = options;
  runtime = loadRuntime(native, options, given.createCodec);
  hooks = runtime.hooks;
  globalThis.reportError ??= runtime.report;
  hearUncaught(
    (error) => runtime.reportToOwner(Channel.Uncaught, error),
    (reason, promise) =>
      runtime.onRejection(promise, reason, Rejection.Unhandled),
  );
  link.ahead?.serve(room, present);
  hooks.serve();
  return { receive, unreadable: () => link.tell({ kind: Report.Unreadable }) };
}

module.exports = { startRealm };
