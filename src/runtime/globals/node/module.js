'use strict';

/* global host */
const { resolve } = require('node:path');

const names = require('../lib/builtin-names.json');
const { since } = require('../lib/versions.js');
const { PREFIX_ONLY } = require('../lib/prefix-only.js');
const { unsupported, unsupportedError } = require('../lib/unsupported.js');
const wrapper = require('../../loader/commonjs-wrapper.js');

const { moduleOf } = require('sw:library');

const offered = __NODE_BUILTINS__;
const STREAMS = /^_stream_/;
const NEWER = { __proto__: null, ffi: since(26), sqlite: since(22, 5) };
const prefixed = PREFIX_ONLY.filter((name) => NEWER[name] ?? true);

const builtinModules = Object.freeze([
  ...[...offered, ...Object.keys(names)]
    .filter((name) => !PREFIX_ONLY.includes(name))
    .filter((name) => !(since(26) && STREAMS.test(name)))
    .sort(),
  // Node 22 and earlier do not list them.
  ...(since(24) ? prefixed.map((name) => `node:${name}`) : []),
]);

function isBuiltin(specifier) {
  if (typeof specifier === 'symbol') return false;
  const name = `${specifier}`;
  if (!name.startsWith('node:')) return builtinModules.includes(name);
  const bare = name.slice(5);
  return builtinModules.includes(bare) || prefixed.includes(bare);
}

function modules() {
  if (!host.modules) throw unsupportedError('module', 'createRequire');
  return host.modules();
}

// The loader's own class: a realm without files has none.
const Module = host.modules?.().Module ?? unsupported('module', 'Module');

const requireAt = (from) => modules().createRequire(`${from}`);

function createRequire(filename) {
  try {
    return requireAt(filename);
  } catch (error) {
    if (error.code !== 'ERR_INVALID_ARG_VALUE') throw error;
    const { ERR_INVALID_ARG_VALUE } = moduleOf('internal/errors').codes;
    throw new ERR_INVALID_ARG_VALUE(
      'filename',
      filename,
      'must be a file URL object, file URL string, or absolute path string',
    );
  }
}

const standIn = (folder) => resolve(`${folder}`, '_');

// Functions that resolve-from and similar packages use, as far as require can
// answer.
const inner = {
  _debug() {},
  _findPath(request, folders) {
    for (const folder of folders ?? ['']) {
      try {
        return requireAt(standIn(folder)).resolve(resolve(folder, request));
      } catch {
        // There is none.
      }
    }
    return false;
  },
  _initPaths() {},
  _nodeModulePaths: (folder) => requireAt(standIn(folder)).resolve.paths('_'),
  _pathCache: { __proto__: null },
  _preloadModules() {},
  _resolveLookupPaths: (request, parent) =>
    requireAt(parent?.filename ?? standIn('')).resolve.paths(request),
  globalPaths: [],
};

function findPackageJSON(specifier, base = 'data:') {
  const { URL, fileURLToPath } = require('node:url');
  const { validateString } = moduleOf('internal/validators');
  const pathOf = (url) =>
    url.protocol === 'file:' ? fileURLToPath(url) : undefined;
  if (arguments.length === 0) {
    throw new (moduleOf('internal/errors').codes.ERR_MISSING_ARGS)('specifier');
  }
  const name = `${specifier}`;
  if (!(base instanceof URL)) validateString(base, 'base');
  const from = resolve('/', `${base}`) === base ? base : pathOf(new URL(base));
  if (from === undefined && !'./'.includes(name[0]) && !URL.canParse(name)) {
    new URL(name, base);
  }
  return modules().findManifest(name, from);
}

function stripTypeScriptTypes(code, options = {}) {
  const check = moduleOf('internal/validators');
  check.validateString(code, 'code');
  check.validateObject(options, 'options');
  const { mode = 'strip', sourceMap = false, sourceUrl = '' } = options;
  // Node 26 only strips.
  const modes = since(26) ? ['strip'] : ['strip', 'transform'];
  check.validateOneOf(mode, 'options.mode', modes);
  check.validateBoolean(sourceMap, 'options.sourceMap');
  check.validateString(sourceUrl, 'options.sourceUrl');
  if (mode === 'strip') {
    check.validateOneOf(sourceMap, 'options.sourceMap', [false, undefined]);
  }
  const { text, map } = modules().stripTypes(code, {
    mode: mode === 'strip' ? 'strip-only' : mode,
    sourceMap,
    filename: sourceUrl,
  });
  if (map) {
    const { Buffer } = require('node:buffer');
    const url = Buffer.from(map).toString('base64');
    return `${text}\n\n//# sourceMappingURL=data:application/json;base64,${url}`;
  }
  return sourceUrl ? `${text}\n\n//# sourceURL=${sourceUrl}` : text;
}

const switchMaps = unsupported('module', 'setSourceMapsSupport');

function setSourceMapsSupport(enabled) {
  moduleOf('internal/validators').validateBoolean(enabled, 'enabled');
  if (enabled) switchMaps();
}

// Node 22 and later have these. The pool's option `codeCache` keeps code.
const STATUS = { FAILED: 0, ENABLED: 1, ALREADY_ENABLED: 2, DISABLED: 3 };
const later = {
  constants: Object.freeze({
    __proto__: null,
    compileCacheStatus: Object.freeze({ __proto__: null, ...STATUS }),
  }),
  enableCompileCache: (_options) => ({ status: STATUS.DISABLED }),
  findPackageJSON,
  flushCompileCache() {},
  getCompileCacheDir: () => undefined,
  getSourceMapsSupport: () => ({
    __proto__: null,
    enabled: false,
    nodeModules: false,
    generatedCode: false,
  }),
  registerHooks: unsupported('module', 'registerHooks'),
  setSourceMapsSupport,
  stripTypeScriptTypes,
};
module.exports = Object.assign(Module, inner, since(21) ? later : {}, {
  Module,
  builtinModules,
  createRequire,
  findSourceMap: (_path) => undefined,
  isBuiltin,
  register: unsupported('module', 'register'),
  runMain: unsupported('module', 'runMain'),
  syncBuiltinESMExports() {},
});

// No names for importers, as in Node.
for (const [name, value] of Object.entries({
  wrap: (text) => `${wrapper[0]}${text}${wrapper[1]}`,
  wrapper,
})) {
  Object.defineProperty(Module, name, { value, writable: true });
}
host.defineLazy(
  Module,
  ['SourceMap'],
  true,
  () => moduleOf('internal/source_map/source_map').SourceMap,
);
