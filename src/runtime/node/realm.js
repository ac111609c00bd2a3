'use strict';
// Node's own library in a realm: the loader of its modules, which
// scripts/lib/node-library.mjs has made groups of. A group is a script that
// runs when one of its modules is first required. User code gets modules'
// exports, never this.

/* global host, load */
const { since } = require('../globals/lib/versions.js');
const { makeBindings } = require('./bindings.js');
const { makeOutputs } = require('./outputs.js');
const { becomeEmitter, lateEmitter, makeProcess } = require('./process.js');
const { OWN } = require('./own.js');

const modules = { __proto__: null };
const groups = { __proto__: null };
const emitter = lateEmitter(moduleOf);
const outputs = makeOutputs(emitter);
const process = makeProcess(emitter, outputs.of);
const scope = {
  __proto__: null,
  process,
  primordials: undefined,
  internalBinding: makeBindings(moduleOf),
  groupOf: undefined,
};

// The base that each module builds on: the copies of the language's built-ins
// are made with it.
function base() {
  if (groups.base === undefined) {
    // Without a prototype it is a table from the start, which grows at no cost.
    scope.primordials = { __proto__: null };
    groups.base = host.compile('library-base')(scope);
  }
  return groups.base;
}

// One that needs Node's own process, whose functions throw; of internal ones
// nobody looks at more than that.
function standIn(id) {
  const { unsupportedBuiltin, unsupportedError } = load('unsupported');
  if (id.startsWith('internal/')) throw unsupportedError(id);
  return (_exports, _require, module) => {
    module.exports = unsupportedBuiltin(id);
  };
}

function startConsole(console) {
  const { kBindStreamsLazy } = moduleOf('internal/console/constructor');
  console[kBindStreamsLazy](process);
  // Methods that only V8's console has; what they tell a debugger goes nowhere.
  const ofDebuggers = { profile() {}, profileEnd() {}, timeStamp() {} };
  for (const name in ofDebuggers) console[name] = ofDebuggers[name];
  for (const name of ['context', 'createTask']) {
    const method = host.ofDebuggers?.[name];
    if (method !== undefined) console[name] = method;
  }
  host.shareConsole?.(console);
}

// The steps of Node's own start with modules.
const STARTED = {
  __proto__: null,
  // The codec asks for it by this name.
  buffer: () => load('node:buffer'),
  // The loader's channels, which Node has since 22.
  diagnostics_channel({ tracingChannel }) {
    if (since(22)) host.traceModules?.(tracingChannel);
  },
  events(EventEmitter) {
    becomeEmitter(process, EventEmitter);
    outputs.becomeEmitters(EventEmitter);
  },
  'internal/console/global': startConsole,
  'internal/errors': ({ kIsNodeError }) => host.markErrors?.(kIsNodeError),
  'internal/url': ({ installObjectURLMethods }) => installObjectURLMethods(),
  'internal/util/debuglog': ({ initializeDebugEnv }) =>
    initializeDebugEnv(process.env.NODE_DEBUG),
};

function functionOf(id) {
  const first = base();
  if (first[id] !== undefined) return first[id];
  const group = scope.groupOf(id);
  if (group === undefined) return standIn(id);
  groups[group] ??= host.compile(`library-${group}`)(scope);
  return groups[group][id];
}

// Node's text iterates arrays while it loads; a job may have replaced how. Of
// arguments that cannot be replaced.
const values = (function () {
  return arguments[Symbol.iterator];
})();

function loadWithValues(id) {
  const { prototype } = Array;
  const replaced = prototype[Symbol.iterator];
  Reflect.set(prototype, Symbol.iterator, values);
  try {
    return loadModule(id);
  } finally {
    Reflect.set(prototype, Symbol.iterator, replaced);
  }
}

function loadModule(id) {
  const module = { id, exports: {}, loaded: false };
  modules[id] = module;
  try {
    const own = OWN[id];
    if (own !== undefined) module.exports = own(moduleOf);
    else functionOf(id)(module.exports, moduleOf, module);
    module.loaded = true;
    STARTED[id]?.(module.exports);
  } catch (error) {
    // It runs again: the stack may have overflowed in the middle.
    modules[id] = undefined;
    throw error;
  }
  return module.exports;
}

/**
 * The exports of a module of Node's library, internal or not.
 *
 * @param {string} id without `node:`
 */
function moduleOf(id) {
  const known = modules[id];
  if (known !== undefined) return known.exports;
  return Array.prototype[Symbol.iterator] === values
    ? loadModule(id)
    : loadWithValues(id);
}

function loaded(id) {
  return modules[id]?.loaded ? modules[id].exports : undefined;
}

const isInternal = (id) => id.startsWith('internal/');

module.exports = {
  /** Whether it has a module, which may be internal. */
  exists: (id) => id in base() || scope.groupOf(id) !== undefined || id in OWN,
  /** Whether it has a module that user code may require. */
  isPublic: (id) => !isInternal(id) && module.exports.exists(id),
  /** The exports of a module, if that is loaded already. */
  loaded,
  moduleOf,
  /** The stream of stdout (1) or stderr (2). */
  output: outputs.of,
  /** Whether a stream is one of these, and writes as it always has. */
  isOutput: outputs.isOutput,
  process,
};
