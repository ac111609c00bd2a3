'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. Defines the lazy
// globals of src/runtime/globals. `host` never reaches user code; host.js
// completes it when the first of them is touched.
const install = require('./globals/install.js');

const { options, defineLazy, now } = native;
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
// Without them: a question of the bench (start-globals).
if (options.globals !== false) runtime.globals = install(host, globalThis);
