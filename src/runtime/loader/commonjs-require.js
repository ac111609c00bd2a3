'use strict';

/* global host */
const { apply, define } = require('./builtins.js');
const { moduleError } = require('./module-error.js');

/**
 * The function `require` of files, and what of it a program may replace as in
 * Node: `Module._load`, `Module._resolveFilename`, `Module.prototype.require`.
 *
 * @param {{ globals: object, texts: object, modules: object, cache: object,
 *   extensions: object, fileOf: (module: unknown) => string,
 *   lookup: (request: unknown, module: unknown) => string[] | null,
 *   resolveFilename: (request: unknown, module: unknown, options: unknown) => string,
 *   loadFor: (specifier: string, parent: unknown) => unknown,
 *   loadFile: (path: string, parent: unknown) => unknown,
 *   mainModule: () => object | undefined,
 *   traceOf: (name: string) => object | undefined }} parts
 */
function createRequires(parts) {
  const { globals, texts, modules, cache, extensions, fileOf } = parts;
  const { lookup, resolveFilename, loadFor, loadFile, mainModule } = parts;
  const { traceOf } = parts;
  const { Module, addChild, requireBy } = modules;
  const { isBuiltin } = globals;

  const load = (request, parent) => loadRequest(request, parent);
  const loadOwn = (path) => loadFile(path, undefined);
  const find = (request, parent, _isMain, options = undefined) =>
    resolveFilename(request, parent, options);
  define(Module, '_load', load);
  define(Module, '_resolveFilename', find);
  define(Module, '_cache', cache);
  define(Module, '_extensions', extensions.table);
  // The other functions of Module come with it.
  host.defineLazy(Module.prototype, ['constructor'], false, () =>
    globals.load('node:module'),
  );

  function findBy(request, parent, options) {
    const { _resolveFilename } = Module;
    return apply(_resolveFilename, Module, [request, parent, false, options]);
  }

  // Runs what loads it, and tells the channel `module.require` of it.
  function traced(run, request, parent, isMain) {
    const trace = traceOf('require');
    return trace === undefined
      ? apply(run, Module, [request, parent, isMain])
      : trace.traceSync(
          run,
          { __proto__: null, parentFilename: parent?.filename, id: request },
          Module,
          request,
          parent,
          isMain,
        );
  }

  function loadRequest(specifier, parent) {
    const isNodes = texts.startsWith(specifier, 'node:');
    if (isNodes || Module._resolveFilename === find) {
      return isBuiltin(specifier)
        ? builtinFor(specifier, parent)
        : loadFor(specifier, parent);
    }
    const found = `${findBy(specifier, parent, undefined)}`;
    return isBuiltin(found)
      ? builtinFor(found, parent)
      : loadFile(found, parent);
  }

  // A program may have put something else in the cache by its short name.
  function builtinFor(specifier, parent) {
    const known = texts.startsWith(specifier, 'node:')
      ? undefined
      : cache[specifier];
    if (known === undefined) return globals.builtin(specifier, fileOf(parent));
    addChild(parent, known);
    return known.exports;
  }

  return {
    makeRequire(module) {
      const require = (specifier) => requireBy(module, specifier);
      const resolve = (request, options) => findBy(request, module, options);
      const look = (request) => lookup(request, module);
      // A bundle has other names for these.
      define(look, 'name', 'paths', false);
      define(resolve, 'name', 'resolve', false);
      define(require, 'name', 'require', false);
      define(resolve, 'paths', look);
      define(require, 'resolve', resolve);
      define(require, 'main', mainModule());
      define(require, 'extensions', extensions.table);
      return define(require, 'cache', cache);
    },

    /** `module.require` */
    requireFor(module, specifier) {
      if (typeof specifier !== 'string' || specifier === '') {
        throw moduleError(
          specifier === '' ? 'ERR_INVALID_ARG_VALUE' : 'ERR_INVALID_ARG_TYPE',
          'require: the module name must be a string',
        );
      }
      const { _load } = Module;
      return traced(_load, specifier, module, false);
    },

    /** Runs a file that is imported. @returns {unknown} its exports */
    loadImported(path, module) {
      const { _load } = Module;
      const run = _load === load ? loadOwn : _load;
      return traced(run, path, undefined, module === mainModule());
    },
  };
}

module.exports = { createRequires };
