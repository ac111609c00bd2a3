'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. The functions and
// exports that jobs call.
const { compileEntry } = native;
const {
  RealmMap,
  apply,
  freeze,
  mapDelete,
  mapGet,
  mapSet,
} = require('./primordials.js');
const { EntryKind, Limit, Sees } = require('../../lib/protocol/wire.gen.js');

const { exportOf, moduleExports } = runtime;

let functions = new RealmMap();
let functionCount = 0;
// The texts of these, as a part of the memory that the realm's jobs may use.
let functionShare = 0;
const MOST_SHARE = 0.25;

// A function that was sent with modules comes as [function, [[name,
// specifier], …]] (lib/entries/entries.js).
function withModules({ kind, call: given }) {
  if (kind !== EntryKind.Function || typeof given === 'function') {
    return { kind, call: given, modules: null, loaded: null };
  }
  const { 0: call, 1: modules } = given;
  return { kind: EntryKind.FunctionWithModules, call, modules, loaded: null };
}

async function loadModules({ modules }) {
  const loaded = { __proto__: null };
  for (let i = 0; i < modules.length; i++) {
    importAny ??= runtime
      .more()
      .compileFunction('specifier', 'return import(specifier)');
    // Node's threads have it, because a FIFO would block them for ever.
    runtime.rare().checkSpecifier?.(modules[i][1]);
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

// Defines the lazy globals first, because the function may reach one.
function compileAmongGlobals(id) {
  runtime.defineGlobals();
  return compileEntry(id, true);
}

function newEntry(id) {
  const made = compileEntry(id, false) ?? compileAmongGlobals(id);
  const entry = withModules(made);
  functionCount += 1;
  functionShare += made.share;
  if (functionCount > Limit.KnownFunctions || functionShare > MOST_SHARE) {
    // The functions are new for every call, so only later ones are kept.
    functionCount = 1;
    functionShare = made.share;
    functions = new RealmMap();
  }
  if (made.sees === Sees.Members) entry.whole = false;
  else entry.whole = made.sees === Sees.Whole || seesContext(entry);
  mapSet(functions, id, entry);
  return entry;
}

// The owner decides which texts threads of Node's keep.
function forgetEntry(id) {
  if (apply(mapDelete, functions, [id])) functionCount -= 1;
  if (id !== lastId) return;
  lastId = 0;
  lastEntry = null;
}

// Whether a job's entry can see its context; undefined for an export that is
// not loaded yet.
function seesContext({ kind, call }) {
  if (kind !== EntryKind.Export) return runtime.seesParameter(call, 0);
  return moduleExports() === null
    ? undefined
    : runtime.seesParameter(exportOf(call), 1);
}

runtime.entryFor = entryFor;
runtime.forgetEntry = forgetEntry;
runtime.seesContext = seesContext;
runtime.loadModules = loadModules;
