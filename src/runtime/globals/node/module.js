'use strict';

/* global host */
const names = require('../lib/builtin-names.json');
const { unsupported, unsupportedError } = require('../lib/unsupported.js');

const offered = __NODE_BUILTINS__;
const PREFIX_ONLY = ['ffi', 'sea', 'sqlite', 'test', 'test/reporters'];

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

/** Node's constructor; in here only a place for its static functions. */
const Module = unsupported('module', 'Module');

function requireAt(from) {
  if (!host.createRequire) throw unsupportedError('module', 'createRequire');
  return host.createRequire(`${from}`);
}

// What resolve-from and its like ask, as far as require itself can answer.
const inner = {
  _load: (request, parent) => requireAt(parent.filename)(request),
  _nodeModulePaths: (folder) =>
    requireAt(`${folder}/_`.replace('//', '/')).resolve.paths('_'),
  _resolveFilename: (request, parent) =>
    requireAt(parent.filename).resolve(request),
  globalPaths: [],
};

module.exports = Object.assign(Module, inner, {
  Module,
  SourceMap: unsupported('module', 'SourceMap'),
  builtinModules,
  createRequire: (from) => requireAt(from),
  findSourceMap: () => undefined,
  isBuiltin,
  register: unsupported('module', 'register'),
  syncBuiltinESMExports() {},
});
