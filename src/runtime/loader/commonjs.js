'use strict';

const { Format } = require('./format.js');
const { moduleError } = require('./module-error.js');

const EXTENSIONS = ['', '.js', '.json', '.cjs'];

/**
 * CommonJS modules of one realm: `require` and what importers see of them.
 *
 * @param {object} natives
 * @param {object} globals
 * @param {object} packages see packages.js
 * @param {object} paths see paths.js
 * @param {object} imports see imports.js
 */
function createCommonJs(natives, globals, packages, paths, imports) {
  const { isBuiltin } = globals;
  const { dirname, lookupPaths } = paths;
  const cache = { __proto__: null };
  const lexed = { __proto__: null };
  const texts = { __proto__: null };
  // By path: what is being run, the URLs of required modules, and the exports
  // as they were when a file had run, until a module has imported them.
  const executing = new Set();
  const required = new Map();
  const ready = new Map();
  let depth = 0;

  let main;

  const hide = (object, name, value) =>
    Object.defineProperty(object, name, {
      value,
      writable: true,
      configurable: true,
    });

  class Module {
    constructor(path, parent) {
      this.id = path;
      this.path = dirname(path);
      this.exports = {};
      this.filename = path;
      this.loaded = false;
      this.children = [];
      this.paths = lookupPaths(this.path);
      hide(this, 'parent', parent);
      parent?.children?.push(this);
      hide(this, 'require', makeRequire(this));
    }

    get isPreloading() {
      return false;
    }
  }

  // The file that the worker was started with, if it is CommonJS. As in Node,
  // it has no parent and the id `.`.
  function markMain(module) {
    const url = main === undefined ? natives.mainUrl() : undefined;
    if (url === undefined || natives.filePath(url) !== module.filename) return;
    main = module;
    module.id = '.';
    module.parent = null;
    module.require.main = module;
  }

  // A file right there needs no resolver.
  function nearFile(folder, specifier) {
    if (!paths.isPlace(specifier) || paths.endsAsFolder(specifier)) {
      return undefined;
    }
    const path = paths.resolve(folder, specifier);
    for (const extension of EXTENSIONS) {
      if (natives.stat(path + extension) === 1) {
        return natives.realPath(path + extension);
      }
    }
    return undefined;
  }

  function resolve(specifier, from) {
    const folder = dirname(from);
    return (
      nearFile(folder, specifier) ??
      packages.findFile(folder, specifier, 'require', natives.fileUrl(from))
    );
  }

  function makeRequire(module) {
    const from = module.filename;
    function require(specifier) {
      if (typeof specifier !== 'string' || specifier === '') {
        throw Object.assign(
          new TypeError('require: the module name must be a string'),
          { code: `ERR_INVALID_ARG_${specifier === '' ? 'VALUE' : 'TYPE'}` },
        );
      }
      if (isBuiltin(specifier)) return globals.builtin(specifier, from);
      return load(resolve(specifier, from), module).exports;
    }
    require.resolve = (specifier) =>
      isBuiltin(specifier) ? specifier : resolve(`${specifier}`, from);
    require.resolve.paths = (specifier) =>
      isBuiltin(specifier) ? null : lookupPaths(dirname(from));
    require.cache = cache;
    require.main = main;
    require.extensions = { __proto__: null, '.js': 0, '.json': 0, '.node': 0 };
    return require;
  }

  function sourceOf(path) {
    texts[path] ??= /\.[mc]?ts$/.test(path)
      ? packages.toJavaScript(path, natives.readSource(path))
      : natives.readSource(path);
    return texts[path];
  }

  function load(path, parent) {
    const known = cache[path];
    if (known !== undefined) {
      refuseCycle(known, parent);
      return known;
    }
    const module = new Module(path, parent);
    if (parent === undefined) markMain(module);
    cache[path] = module;
    depth += 1;
    let done = false;
    try {
      run(module, path, parent);
      module.loaded = true;
      ready.set(path, module.exports);
      done = true;
    } finally {
      depth -= 1;
      executing.delete(path);
      delete texts[path];
      if (!done) delete cache[path];
      if (depth === 0) natives.storeCompiled();
    }
    return module;
  }

  // A module that is not evaluated has nothing to give, unlike CommonJS.
  function refuseCycle(known, parent) {
    const url = known.loaded ? undefined : required.get(known.filename);
    if (url !== undefined && !imports.isEvaluated(url)) {
      throw imports.cycleError(url, parent?.filename);
    }
  }

  function run(module, path, parent) {
    if (path.endsWith('.json')) {
      module.exports = parseJson(path);
      return;
    }
    if (path.endsWith('.node')) {
      throw moduleError(
        'ERR_DLOPEN_FAILED',
        `${path} is a native addon, which worker isolates cannot load; run ` +
          "the worker on a thread of Node's own (runtime: 'thread'), or call " +
          "it in the owner's thread, through a host function",
      );
    }
    if (path.endsWith('.mjs') || path.endsWith('.mts')) {
      module.exports = requireModule(path, parent);
      return;
    }
    if (!path.endsWith('.cjs') && isModuleFile(path)) {
      module.exports = requireModule(path, parent);
      return;
    }
    const compiled = natives.compileCommonJs(path, sourceOf(path));
    if (compiled === undefined) {
      if (natives.formatOf(path) !== Format.Unknown) throw misnamed(path);
      module.exports = requireModule(path, parent);
      return;
    }
    const { exports } = module;
    executing.add(path);
    Reflect.apply(compiled, exports, [
      exports,
      module.require,
      module,
      path,
      module.path,
    ]);
  }

  // Where nothing says what a file is, its text does.
  function misnamed(path) {
    const [, mark] = /\.c([jt]s)$/.exec(path) ?? [];
    const [why, way] = mark
      ? ['its name', `name it .m${mark}`]
      : [
          'the "type" of its package.json',
          `name it .m${path.slice(-2)}, or say "type": "module" there`,
        ];
    return new SyntaxError(
      `${path} is CommonJS by ${why}, and its text is an ES module: ${way}`,
    );
  }

  function isModuleFile(path) {
    const format = natives.formatOf(path);
    if (format !== Format.TypeScript) return format === Format.Module;
    return natives.formatOf(path, sourceOf(path)) === Format.Module;
  }

  function requireModule(path, parent) {
    const url = natives.fileUrl(path);
    const space = imports.requireNow(url, parent?.filename, () =>
      required.set(path, url),
    );
    if ('module.exports' in space) return space['module.exports'];
    if (!('default' in space) || '__esModule' in space) return space;
    return natives.facadeOf(url);
  }

  function parseJson(path) {
    const text = natives.readSource(path);
    try {
      return JSON.parse(text);
    } catch (error) {
      throw Object.assign(new SyntaxError(`${path}: ${error.message}`), {
        cause: error,
      });
    }
  }

  // The names that a file exports, as far as its text shows.
  function lex(path) {
    if (lexed[path] !== undefined) return lexed[path];
    const names = { __proto__: null };
    lexed[path] = names;
    if (/\.(json|mjs|node)$/.test(path)) return names;
    const found = JSON.parse(packages.lex(path, sourceOf(path)));
    for (const name of found.exports) names[name] = true;
    for (const specifier of found.reexports) {
      if (isBuiltin(specifier)) {
        for (const name in globals.builtin(specifier, path)) names[name] = true;
        continue;
      }
      let target;
      try {
        target = resolve(specifier, path);
      } catch {
        // The error is reported when the file runs.
        continue;
      }
      for (const name in lex(target)) names[name] = true;
    }
    return names;
  }

  return {
    /** @returns {string[]} */
    namesOf(path) {
      const names = Object.keys(lex(path)).filter(
        (name) => name !== 'default' && name !== 'module.exports',
      );
      return natives.namesWhole()
        ? [...names, 'default', 'module.exports']
        : [...names, 'default'];
    },

    /** `module.exports` of a CommonJS file that has run. */
    wholeOf(path) {
      const real = path === undefined ? undefined : natives.realPath(path);
      return required.has(real) ? undefined : cache[real]?.exports;
    },

    /** Whether the code of a file is running. */
    isExecuting: (path) => executing.has(path),

    /** What a JSON file says, one value for import and require. */
    jsonOf(path) {
      const known = cache[path];
      if (known?.loaded) return known.exports;
      const module = new Module(path, undefined);
      module.exports = parseJson(path);
      module.loaded = true;
      cache[path] = module;
      return module.exports;
    },

    /** Runs the file unless it has run. @returns {object} by name */
    valuesOf(path, names) {
      const module = load(path, undefined);
      const exports = ready.has(path) ? ready.get(path) : module.exports;
      ready.delete(path);
      const values = { __proto__: null };
      for (const name of names) {
        if (name === 'default' || name === 'module.exports') continue;
        // As in Node, what is null has no names, and that is an error.
        if (!Object.hasOwn(exports, name)) continue;
        try {
          values[name] = exports[name];
        } catch {
          // As in Node, a getter that throws leaves the name undefined.
        }
      }
      values.default = exports;
      values['module.exports'] = exports;
      return values;
    },

    /** @param {string} from a path or a file: URL */
    createRequire(from) {
      const path = from.startsWith('file:') ? natives.filePath(from) : from;
      if (path === undefined || !paths.isAbsolute(path)) {
        throw Object.assign(
          new TypeError('createRequire: a file URL or an absolute path'),
          { code: 'ERR_INVALID_ARG_VALUE' },
        );
      }
      return new Module(paths.standIn(path), undefined).require;
    },
  };
}

module.exports = { createCommonJs };
