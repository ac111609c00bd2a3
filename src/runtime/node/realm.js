'use strict';
// Node's own library in a realm: the loader of its modules, which
// scripts/lib/node-library.mjs has made groups of. A group is a script that
// runs when one of its modules is first required. User code gets modules'
// exports, never this.

/* global host, load */
const { makeBindings } = require('./bindings.js');
const { becomeEmitter, makeProcess } = require('./process.js');
const { OWN } = require('./own.js');

const modules = { __proto__: null };
const groups = { __proto__: null };
const process = makeProcess(moduleOf);
const scope = {
  __proto__: null,
  process,
  primordials: undefined,
  internalBinding: makeBindings(moduleOf),
  groupOf: undefined,
};

// What each module builds on: the copies of the language's built-ins are made
// with it.
function base() {
  if (groups.base === undefined) {
    scope.primordials = {};
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

// What Node's own start does with modules.
const STARTED = {
  __proto__: null,
  // The codec asks for it by this name.
  buffer: () => load('node:buffer'),
  events: (EventEmitter) => becomeEmitter(process, EventEmitter),
  'internal/errors': ({ kIsNodeError }) => host.markErrors?.(kIsNodeError),
  'internal/util/debuglog': ({ initializeDebugEnv }) =>
    initializeDebugEnv(process.env.NODE_DEBUG),
};

function functionOf(id) {
  const first = base();
  if (first[id] !== undefined) return first[id];
  const group = scope.groupOf[id];
  if (group === undefined) return standIn(id);
  groups[group] ??= host.compile(`library-${group}`)(scope);
  return groups[group][id];
}

/**
 * The exports of a module of Node's library, internal or not.
 *
 * @param {string} id without `node:`
 */
function moduleOf(id) {
  const known = modules[id];
  if (known !== undefined) return known.exports;
  const module = { id, exports: {}, loaded: false };
  modules[id] = module;
  try {
    const own = OWN[id];
    if (own !== undefined) module.exports = own(moduleOf);
    else functionOf(id)(module.exports, moduleOf, module);
  } catch (error) {
    // It runs again: the stack may have overflowed in the middle.
    modules[id] = undefined;
    throw error;
  }
  module.loaded = true;
  STARTED[id]?.(module.exports);
  return module.exports;
}

const isInternal = (id) => id.startsWith('internal/');

module.exports = {
  /** Whether it has a module, which may be internal. */
  exists: (id) => id in base() || id in scope.groupOf || id in OWN,
  /** Whether it has a module that user code may require. */
  isPublic: (id) => !isInternal(id) && module.exports.exists(id),
  /** The exports of a module that is loaded. */
  loaded: (id) => (modules[id]?.loaded ? modules[id].exports : undefined),
  moduleOf,
  process,
};
