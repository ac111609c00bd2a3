'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. Defines the lazy
// globals of src/runtime/globals: a twentieth of what a realm costs, so not
// before there is code that could reach one. That is
//
// - a module, or a function whose text may name one, as the owner knows
//   (lib/entries/names-globals.js): before it is compiled;
// - code made of a string: before it is compiled (worker/realm.h);
// - what reads a stack for itself, which shows receivers (stacks.js).
//
// `host` never reaches user code; host.js completes it when the first of them
// is touched.
const install = require('./globals/install.js');
const { Header, Part } = require('../../lib/protocol/wire.gen.js');

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

// They are there, or shall be at once: a bit beside those of the parts that
// have run (later.js, worker/realm.h).
let isDefined = false;

runtime.defineGlobals = () => {
  if (isDefined) return;
  isDefined = true;
  H[Header.Parts] |= Part.Globals;
  runtime.globals.define();
};

// Without them: a question of the bench (start-globals).
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
