'use strict';
const { append, apply, hasOwn, ownKeys, parse } = require('./builtins.js');
const { createCompile } = require('./commonjs-compile.js');
const { createExtensions } = require('./commonjs-extensions.js');
const { createModules } = require('./commonjs-module.js');
const { createNames } = require('./commonjs-names.js');
const { createRequires } = require('./commonjs-require.js');
const { createResolve } = require('./commonjs-resolve.js');
const { Format } = require('./format.js');
const { moduleError, textError } = require('./module-error.js');

const TYPESCRIPT = ['.ts', '.mts', '.cts'];
const MODULES = ['.mjs', '.mts'];
const NAMED = ['.cjs', '.cts'];
// The files for which the package.json counts, with those that have no ending
// since Node 26. A file with another one is what its text says, as in Node.
const FORMATTED = ['.js', '.ts'];

/**
 * CommonJS modules of one realm: `require` and what importers see of them.
 *
 * @param {object} natives
 * @param {object} globals
 * @param {object} packages see packages.js
 * @param {object} paths see paths.js
 * @param {object} texts see texts.js
 * @param {object} imports see imports.js
 * @param {string} cwd what modules without a file count from
 * @param {(name: string) => object | undefined} traceOf see imports.js
 */
function createCommonJs(
  natives,
  globals,
  packages,
  paths,
  texts,
  imports,
  cwd,
  traceOf,
) {
  const cache = { __proto__: null };
  // The texts of files, until they have run.
  const sources = { __proto__: null };
  // Paths at which require() has found what it has loaded, by folder and name.
  const found = { __proto__: null };
  const { lookup, resolve, resolveFilename, resolveFor } = createResolve(
    natives,
    globals,
    packages,
    paths,
    () => extensions.added(),
    fileOf,
  );
  const extensions = createExtensions(paths, texts, runFile);
  const modules = createModules(paths, {
    compile: createCompile(paths, texts, (module) => makeRequire(module)),
    require: (module, specifier) => requireFor(module, specifier),
    run: (module, path) => extensions.run(module, path, module.parent),
  });
  const { addChild, dropChild, moduleOf, stateOf } = modules;
  const { makeRequire, requireFor, loadImported } = createRequires({
    globals,
    texts,
    modules,
    cache,
    extensions,
    fileOf,
    lookup,
    resolveFilename,
    loadFor,
    loadFile,
    mainModule: () => main,
    traceOf,
  });
  const { namesOf } = createNames({
    globals,
    packages,
    isCode: extensions.isCode,
    moduleAt,
    resolve,
    sourceOf,
    stateOf,
  });
  // Node has changed it with 24.
  const namesWhole = natives.namesWhole();
  const formatsBare = natives.formatsBareNames();
  // Names of the whole, whatever a file exports by them.
  const isOwn = (name) =>
    name === 'default' || (namesWhole && name === 'module.exports');
  let depth = 0;
  let main;

  // The file that the worker was started with, if it is CommonJS. As in Node,
  // it has no parent and the id `.`.
  function markMain(module) {
    const url = main === undefined ? natives.mainUrl() : undefined;
    if (url === undefined || natives.filePath(url) !== module.filename) return;
    main = module;
    module.id = '.';
    module.parent = null;
  }

  // Of another machine, as only Windows has them.
  const hasHost = (url) =>
    texts.startsWith(url, 'file://') &&
    !texts.startsWith(url, 'file:///') &&
    !texts.startsWith(url, 'file://localhost/') &&
    !paths.isAbsolute('C:\\');

  // Where the names count from that a module says.
  function fileOf(module) {
    const name = module?.filename ?? module?.id;
    return typeof name === 'string' && paths.isAbsolute(name)
      ? name
      : paths.join(cwd, 'noop.js');
  }

  function sourceOf(path) {
    sources[path] ??= texts.endsWithAny(path, TYPESCRIPT)
      ? packages.toJavaScript(path, natives.readSource(path))
      : natives.readSource(path);
    return sources[path];
  }

  function loadFor(specifier, parent) {
    const key = `${parent?.path}\0${specifier}`;
    const known = cache[found[key]];
    if (known !== undefined) {
      addChild(parent, known);
      return known.loaded ? known.exports : partOf(known, parent);
    }
    const path = resolveFor(specifier, parent);
    try {
      return loadFile(path, parent, () => {
        found[key] = path;
      });
    } catch (error) {
      delete found[key];
      throw error;
    }
  }

  /** @returns {unknown} its exports, or what there is of them so far */
  function loadFile(path, parent, begins = () => {}) {
    const known = cache[path];
    if (known !== undefined) {
      addChild(parent, known);
      if (known.loaded) return known.exports;
      const state = stateOf(known);
      if (!state?.isImported || state.isVisited) return partOf(known, parent);
    }
    const module = moduleAt(path, parent);
    stateOf(module).isVisited = true;
    begins();
    runWhole(module, path, parent);
    return module.exports;
  }

  // The module is there before its file has run.
  function moduleAt(path, parent) {
    if (cache[path] !== undefined) return cache[path];
    const module = moduleOf(path, parent);
    if (parent === undefined) {
      stateOf(module).isImported = true;
    }
    cache[path] = module;
    return module;
  }

  function runWhole(module, path, parent) {
    depth += 1;
    let done = false;
    try {
      extensions.run(module, path, parent);
      module.loaded = true;
      stateOf(module).whole = { exports: module.exports };
      done = true;
    } finally {
      depth -= 1;
      delete sources[path];
      if (!done) {
        delete cache[path];
        dropChild(parent, module);
      }
      if (depth === 0) natives.storeCompiled();
    }
  }

  // A module that is not evaluated has nothing to give, unlike CommonJS.
  function partOf(module, parent) {
    const url = stateOf(module)?.required;
    if (url !== undefined && !imports.isEvaluated(url)) {
      throw imports.cycleError(url, parent?.filename);
    }
    return module.exports;
  }

  function runFile(module, path, parent) {
    if (texts.endsWith(path, '.json')) {
      module.exports = parseJson(path);
      return;
    }
    if (texts.endsWith(path, '.node')) {
      throw moduleError(
        'ERR_DLOPEN_FAILED',
        `${path} is a native addon, which worker isolates cannot load; run ` +
          "the worker on a thread of Node's own (runtime: 'thread'), or call " +
          "it in the owner's thread, through a host function",
      );
    }
    const hasFormat =
      texts.endsWithAny(path, FORMATTED) ||
      (formatsBare && packages.isUntold(path));
    if (texts.endsWithAny(path, MODULES) || (hasFormat && isModuleFile(path))) {
      module.exports = requireModule(module, path, parent);
      return;
    }
    if (modules.isCompiledByProgram(module)) {
      module._compile(sourceOf(path), path);
      return;
    }
    const compiled = natives.compileCommonJs(path, sourceOf(path));
    if (compiled !== undefined) {
      runCompiled(compiled, module, path);
    } else if (hasFormat || texts.endsWithAny(path, NAMED)) {
      throw misnamed(path);
    } else {
      module.exports = requireModule(module, path, parent);
    }
  }

  // A program may hand over a module that it has made itself.
  function runCompiled(compiled, module, path) {
    const { exports } = module;
    const state = stateOf(module);
    if (state === undefined) module.filename = path;
    const require = makeRequire(module);
    if (state !== undefined) state.isExecuting = true;
    apply(compiled, exports, [
      exports,
      require,
      module,
      path,
      paths.dirname(path),
    ]);
    if (state !== undefined) state.isExecuting = false;
  }

  // The text says what a file is where nothing else does.
  function misnamed(path) {
    const name = texts.endsWith(path, 'ts') ? 'name it .mts' : 'name it .mjs';
    return textError(
      texts.endsWithAny(path, ['.cjs', '.cts'])
        ? `${path} is CommonJS by its name, and its text is an ES module: ${name}`
        : `${path} is CommonJS by the "type" of its package.json, and its ` +
            `text is an ES module: ${name}, or say "type": "module" there`,
    );
  }

  function isModuleFile(path) {
    const format = natives.formatOf(path);
    if (format !== Format.TypeScript) return format === Format.Module;
    return natives.formatOf(path, sourceOf(path)) === Format.Module;
  }

  function requireModule(module, path, parent) {
    const url = natives.fileUrl(path);
    const space = imports.requireNow(url, parent?.filename, () => {
      const state = stateOf(module);
      if (state !== undefined) state.required = url;
    });
    if ('module.exports' in space) return space['module.exports'];
    if (!('default' in space) || '__esModule' in space) return space;
    return natives.facadeOf(url);
  }

  function parseJson(path) {
    const text = natives.readSource(path);
    try {
      return parse(text);
    } catch (error) {
      throw textError(`${path}: ${error.message}`, error);
    }
  }

  return {
    Module: modules.Module,

    /**
     * The module that stands for a file until it is imported, and its names.
     *
     * @returns {{ module: object, names: string[] }}
     */
    open(path) {
      const module = moduleAt(path, undefined);
      markMain(module);
      const all = ownKeys(namesOf(path));
      const names = [];
      for (let i = 0; i < all.length; ++i) {
        if (!isOwn(all[i])) append(names, all[i]);
      }
      append(names, 'default');
      if (namesWhole) append(names, 'module.exports');
      return { module, names };
    },

    /** `module.exports` of a CommonJS file that has run. */
    wholeOf(path) {
      const real = path === undefined ? undefined : natives.realPath(path);
      const module = cache[real];
      if (module === undefined) return undefined;
      return stateOf(module)?.required === undefined
        ? module.exports
        : undefined;
    },

    /** Whether the code of a module runs. */
    isExecuting: (module) => stateOf(module)?.isExecuting === true,

    /** The value of a JSON file, the same for import and require. */
    jsonOf(path) {
      const known = cache[path];
      if (known?.loaded) return known.exports;
      const exports = parseJson(path);
      // No Module, as in Node.
      cache[path] = { exports, loaded: true };
      return exports;
    },

    /** Runs its file unless it has run. @returns {object} by name */
    valuesOf(module, path, names) {
      const state = stateOf(module);
      if (!module.loaded) {
        // A file that has thrown, as in Node, or that a program has taken out
        // of require.cache, does not run for those that had linked it.
        if (cache[path] !== module) {
          throw moduleError(
            'ERR_INTERNAL_ASSERTION',
            `${path} has left require.cache since it was linked; import it ` +
              'after it has run',
          );
        }
        const exports = loadImported(path, module);
        if (namesWhole) {
          if (!module.loaded) {
            module.exports = exports;
            module.loaded = true;
          }
          if (state !== undefined) state.whole = { exports };
        }
      }
      const { exports } = state?.whole ?? module;
      if (state !== undefined) state.whole = undefined;
      const values = { __proto__: null };
      for (let i = 0; i < names.length; ++i) {
        const name = names[i];
        if (isOwn(name)) continue;
        // A null has no names, and that is an error, as in Node.
        if (!hasOwn(exports, name)) continue;
        try {
          values[name] = exports[name];
        } catch {
          // A getter that throws leaves the name undefined, as in Node.
        }
      }
      values.default = exports;
      if (namesWhole) values['module.exports'] = exports;
      return values;
    },

    /** The path of what a file names. */
    resolve,

    /** @param {string} from a path or a file: URL */
    createRequire(from) {
      const isUrl = texts.startsWith(from, 'file:');
      const path = isUrl && !hasHost(from) ? natives.filePath(from) : from;
      if (path === undefined || !paths.isAbsolute(path)) {
        throw moduleError(
          'ERR_INVALID_ARG_VALUE',
          'createRequire: a file URL or an absolute path',
        );
      }
      return makeRequire(moduleOf(paths.standIn(path), undefined));
    },
  };
}

module.exports = { createCommonJs };
