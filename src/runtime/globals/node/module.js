'use strict';

/* global host */
const { dirname, resolve } = require('node:path');

const names = require('../lib/builtin-names.json');
const { since } = require('../lib/versions.js');
const { PREFIX_ONLY } = require('../lib/prefix-only.js');
const { unsupported, unsupportedError } = require('../lib/unsupported.js');

const { moduleOf } = require('sw:library');

const offered = __NODE_BUILTINS__;
const wrapper = [
  '(function (exports, require, module, __filename, __dirname) { ',
  '\n});',
];
const { apply } = Reflect;
// biome-ignore lint/security/noGlobalEval: an indirect eval is a script.
const evaluate = globalThis.eval;

const builtinModules = Object.freeze(
  [...offered, ...Object.keys(names)]
    .filter((name) => !PREFIX_ONLY.includes(name))
    .sort(),
);

function isBuiltin(specifier) {
  const name = `${specifier}`;
  if (!name.startsWith('node:')) return builtinModules.includes(name);
  const bare = name.slice(5);
  return builtinModules.includes(bare) || PREFIX_ONLY.includes(bare);
}

/** A module that is made of a text; the loader's own ones are not of it. */
function Module(id = '', parent = undefined) {
  this.id = id;
  this.path = dirname(id);
  this.exports = {};
  this.parent = parent;
  this.filename = null;
  this.loaded = false;
  this.children = [];
  this.paths = [];
}

Module.prototype.require = function (specifier) {
  return requireFor(this.filename ?? this.id)(specifier);
};

// Uses eval, so that `allowEval: false` holds for it.
Module.prototype._compile = function (text, filename) {
  const name = `${filename}`.replace(/[\r\n]/g, '');
  const body = `${text}`.replace(/^#!.*/, '');
  const run = evaluate(
    `${wrapper[0]}${body}${wrapper[1]}//# sourceURL=${name}`,
  );
  const require = requireFor(name);
  const folder = dirname(name);
  return apply(run, this.exports, [this.exports, require, this, name, folder]);
};

function requireAt(from) {
  if (!host.createRequire) throw unsupportedError('module', 'createRequire');
  return host.createRequire(`${from}`);
}

const requireFor = (name) => requireAt(resolve(name || '_'));

// Functions that resolve-from and similar packages use, as far as require can
// answer.
const inner = {
  _load: (request, parent) => requireAt(parent.filename)(request),
  _nodeModulePaths: (folder) =>
    requireAt(`${folder}/_`.replace('//', '/')).resolve.paths('_'),
  _resolveFilename: (request, parent) =>
    requireAt(parent.filename).resolve(request),
  globalPaths: [],
};

// Node 22 and later have these. The pool's option `codeCache` keeps code.
const STATUS = { FAILED: 0, ENABLED: 1, ALREADY_ENABLED: 2, DISABLED: 3 };
const later = {
  constants: Object.freeze({
    __proto__: null,
    compileCacheStatus: Object.freeze({ __proto__: null, ...STATUS }),
  }),
  enableCompileCache: () => ({ status: STATUS.DISABLED }),
  findPackageJSON: unsupported('module', 'findPackageJSON'),
  flushCompileCache() {},
  getCompileCacheDir: () => undefined,
  getSourceMapsSupport: () => ({
    __proto__: null,
    enabled: false,
    nodeModules: false,
    generatedCode: false,
  }),
  registerHooks: unsupported('module', 'registerHooks'),
  setSourceMapsSupport: unsupported('module', 'setSourceMapsSupport'),
  stripTypeScriptTypes: unsupported('module', 'stripTypeScriptTypes'),
};
module.exports = Object.assign(Module, inner, since(21) ? later : {}, {
  Module,
  builtinModules,
  createRequire: (from) => requireAt(from),
  findSourceMap: () => undefined,
  isBuiltin,
  register: unsupported('module', 'register'),
  runMain: unsupported('module', 'runMain'),
  syncBuiltinESMExports() {},
  wrap: (text) => `${wrapper[0]}${text}${wrapper[1]}`,
  wrapper,
});
// Those of require(), which a program may change.
const shared = { _cache: 'cache', _extensions: 'extensions' };
host.defineLazy(
  Module,
  Object.keys(shared),
  true,
  (name) => requireFor()[shared[name]],
);
host.defineLazy(
  Module,
  ['SourceMap'],
  true,
  () => moduleOf('internal/source_map/source_map').SourceMap,
);
