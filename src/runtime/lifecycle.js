'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. The work of a realm
// besides jobs: `init` (the pool's option) and the top level of the pool's
// module before the first one, and `dispose` of its modules at the end. None
// belongs to a job; each has a time limit of its own (worker_thread.h,
// BeginInit).
const { H, box, scratch, options, checkpoint, done, next } = native;
const { RealmError, apply, hasOwn } = require('./primordials.js');
const { Detail, Header } = require('../../lib/protocol/wire.gen.js');

runtime.need?.('errors');
const { rare, report } = runtime;
const { decode } = runtime.codec;
const { init, status: STATUS } = options;

const NEEDED = 0;
const RUNNING = 1;
const DONE = 2;
const FAILED = 3;
// The realm tries no start again.
const SPOILT = 4;

// The result of `init`: context.state of every job.
runtime.state = undefined;

// The stages before the first job: { timeoutMs, run, name }.
const stages = [];
if (init !== undefined) {
  stages[0] = { timeoutMs: init.timeoutMs, run: runInit, name: 'init' };
}
if (options.moduleMs !== undefined) {
  stages[stages.length] = {
    timeoutMs: options.moduleMs,
    run: () => runtime.loadModule(),
    name: 'the top level of the module',
  };
}
let stage = 0;
let phase = stages.length === 0 ? DONE : NEEDED;
// { error } for a thrown error, { detail } for a termination.
let failure = null;
let initModule;

if (phase === NEEDED) {
  const detail = rare().initFailure();
  if (detail !== Detail.None) {
    phase = FAILED;
    failure = { detail };
  }
}

function initData() {
  if (!rare().presentInitData()) throw new RealmError('no memory for its data');
  return decode(H[Header.Kind], H[Header.Number], scratch, 0, box[0], box[1]);
}

function end(outcome) {
  if (phase !== RUNNING) return;
  if (outcome === DONE) stage++;
  phase = outcome === DONE && stage < stages.length ? NEEDED : outcome;
  rare().initEnds(outcome === DONE);
}

function fail(error) {
  if (phase === RUNNING) failure = { error };
  end(FAILED);
}

function runInit() {
  let loaded;
  const loading = runtime.importModule(init.module);
  const called = runtime.follow(loading, (namespace) => {
    loaded = namespace;
    const { init: setUp } = namespace;
    if (typeof setUp !== 'function') return undefined;
    return apply(setUp, undefined, [initData()]);
  });
  return runtime.follow(called, (state) => {
    runtime.state = state;
    initModule = loaded;
  });
}

// Returns false if the worker leaves instead.
function begin() {
  const { timeoutMs, run } = stages[stage];
  if (!rare().initBegins(timeoutMs)) return false;
  phase = RUNNING;
  runtime.follow(run(), () => end(DONE), fail);
  // The stage may be over after that.
  checkpoint(true);
  return true;
}

// The module failed if there is no init; its top level is the caller's code.
function statusOf(detail) {
  return init === undefined && detail === Detail.MemoryLimit
    ? STATUS.ResourceLimit
    : STATUS.StartupFailed;
}

function failJob() {
  const seq = H[Header.Seq];
  if (hasOwn(failure, 'error')) {
    runtime.sendThrown(seq, STATUS.StartupFailed, Detail.None, failure.error);
  } else {
    done(seq, statusOf(failure.detail), failure.detail, 0, 0);
  }
}

// Fails the jobs that waited when the attempt failed. Later jobs get an attempt
// of their own, in another realm, because modules of this one have failed or
// have run already. After a termination, this realm is a new one already.
function failWaiting() {
  const isSpoilt = hasOwn(failure, 'error');
  if (isSpoilt) rare().spoil();
  rare().failing(true);
  while (next() !== undefined) failJob();
  rare().failing(false);
  phase = isSpoilt ? SPOILT : NEEDED;
  failure = null;
}

// Whether jobs may run. A failed init fails the jobs that wait for it. The next
// job causes another attempt, with modules that are loaded anew.
runtime.prepared = () => {
  if (phase === FAILED) failWaiting();
  while (phase === NEEDED && rare().wantsInit() && begin());
  return phase === DONE;
};

// The promise of a stage can never settle, because no work is left.
runtime.stalled = () => {
  if (phase !== RUNNING) return;
  fail(new RealmError(`${stages[stage].name} can never settle`));
};

function disposers(module) {
  const list = [];
  const modules = [module, initModule];
  for (let i = 0; i < modules.length; i++) {
    const namespace = modules[i];
    if (namespace == null || (i === 1 && namespace === modules[0])) continue;
    const { dispose } = namespace;
    if (typeof dispose === 'function') list[list.length] = dispose;
  }
  return list;
}

async function disposeAll(list) {
  for (let i = 0; i < list.length; i++) {
    try {
      await apply(list[i], undefined, [runtime.state]);
    } catch (error) {
      report(error);
    }
  }
  native.realmEnded();
}

// `module` is the namespace of the pool's module, if it was loaded.
runtime.endRealm = (module) => {
  let list = [];
  try {
    list = disposers(module);
  } catch (error) {
    // The export is not initialised yet.
    report(error);
  }
  if (list.length === 0) {
    native.realmEnded();
    return;
  }
  rare().endBegins();
  disposeAll(list);
  checkpoint(true);
};
