'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. Defines the lazy
// globals of src/runtime/globals. They cost a twentieth of a realm, so this
// happens only for code that could reach one:
//
// - a module, or a function whose text may name one, as the owner knows
//   (lib/entries/names-globals.js): before it is compiled;
// - code made of a string: before it is compiled (worker/realm.h);
// - code that formats a stack itself, because stacks show receivers
//   (stacks.js).
//
// `host` never reaches user code; host.js completes it when the first global is
// used.
const install = require('./globals/install.js');
const { Header, Part } = require('../../lib/protocol/wire.gen.js');
const { defineProperty } = require('./primordials.js');

const { H, options, defineLazy, now } = native;
const { need } = runtime;

const host = {
  __proto__: null,
  compile(name) {
    need('host');
    return (self, load) => runtime.runBundle(name, self, load);
  },
  defineLazy,
};

runtime.host = host;
runtime.start = now();
runtime.timeOriginMs = Date.now();

// Node has these symbols also where V8 has none yet.
for (const name of ['dispose', 'asyncDispose']) {
  if (Symbol[name] !== undefined) continue;
  const value = Symbol.for(`nodejs.${name}`);
  defineProperty(Symbol, name, { __proto__: null, value });
}

// Whether the globals are defined: a bit beside those of the parts that have
// run (later.js, worker/realm.h).
let isDefined = false;

runtime.defineGlobals = () => {
  if (isDefined) return;
  isDefined = true;
  H[Header.Parts] |= Part.Globals;
  runtime.globals.define();
};

// Loads it before a job asks for it. One whose start fails, because memory or the stack
// has ended, starts again when it is asked for.
runtime.loadAhead = (builtin) => {
  try {
    runtime.globals?.loadAhead(builtin);
  } catch {}
};

// The bench (start-globals) wants none.
if (options.globals === false) {
  runtime.defineGlobals = () => {};
} else {
  runtime.globals = install(host, globalThis);
  if (
    (H[Header.Parts] & Part.Globals) !== 0 ||
    options.module !== undefined ||
    options.init !== undefined ||
    options.port === true
  ) {
    runtime.defineGlobals();
  }
}
