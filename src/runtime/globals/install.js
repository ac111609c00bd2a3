'use strict';

// Runs first in every isolate, before any user code. Nothing but lazy
// properties is ever made here: a global costs its bundle when it is touched.

// scripts/bundle-runtime.mjs puts in those of names.js.
const INTERFACES = __INTERFACES__;
const OPERATIONS = __OPERATIONS__;
const REPLACEABLE = __REPLACEABLE__;

module.exports = function install(host, globalObject) {
  const { defineProperty, hasOwn } = Object;
  // User code may replace those of strings before it uses a global.
  const { call } = Function.prototype;
  const slice = call.bind(String.prototype.slice);
  const startsWith = call.bind(String.prototype.startsWith);
  const loaded = { __proto__: null };
  let builtins;
  // The console is V8's; the lazy one takes its place.
  host.ofDebuggers = globalObject.console;

  // The bundles that code of jobs has loaded, or would have, by name. The host
  // is told of each once, so that idle workers load it too.
  const used = { __proto__: null };
  let isAhead = false;

  function load(name) {
    if (!(name in loaded)) loaded[name] = evaluate(name);
    if (used[name] !== true && !isAhead) {
      used[name] = true;
      host.used?.(name);
    }
    return loaded[name];
  }

  function evaluate(name) {
    load.globals ??= languageGlobals();
    return isOfLibrary(name)
      ? load('library').moduleOf(bare(name))
      : host.compile(name)(host, load);
  }

  load.scope = globalObject;

  // Returns a bundle only if it is loaded already, for checks that must not
  // load any.
  load.loaded = (name) =>
    loaded[name] ??
    (isOfLibrary(name) ? loaded.library?.loaded(bare(name)) : undefined);

  // The globals of the language: what `globalThis` means inside a bundle.
  function languageGlobals() {
    const globals = { __proto__: null };
    const names = __LANGUAGE__;
    for (let index = 0; index < names.length; index += 1) {
      const name = names[index];
      if (hasOwn(globalObject, name)) globals[name] = globalObject[name];
    }
    // Lazy itself (src/runtime/wasm-memory.js).
    host.defineLazy(
      globals,
      ['WebAssembly'],
      true,
      (name) => globalObject[name],
    );
    globals.globalThis = globals;
    return globals;
  }

  let bundles;

  function bundleOf(name) {
    bundles ??= { __proto__: null, ...__BUNDLES__ };
    return bundles[name];
  }

  // The exports of these modules are the global themselves.
  function resolve(name) {
    const exports = load(bundleOf(name));
    return name === 'process' || name === 'console' ? exports : exports[name];
  }

  const events = () => loaded['global-events'];

  function handler(name, type) {
    const get = () => events()?.handlers[type].get() ?? null;
    const set = (callback) => {
      const known = callback === null ? events() : load('global-events');
      known?.handlers[type].set(callback);
    };
    const enumerable = true;
    const configurable = true;
    defineProperty(globalObject, name, {
      __proto__: null,
      get,
      set,
      enumerable,
      configurable,
    });
  }

  // Accessors, as in Node: whoever assigns replaces what they give.
  function replaceable(name) {
    let value;
    let isKnown = false;
    defineProperty(globalObject, name, {
      __proto__: null,
      get() {
        if (isKnown) return value;
        value = resolve(name);
        isKnown = true;
        return value;
      },
      set(given) {
        value = given;
        isKnown = true;
      },
      enumerable: false,
      configurable: true,
    });
  }

  function alias(name) {
    defineProperty(globalObject, name, {
      __proto__: null,
      value: globalObject,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }

  const bare = (specifier) =>
    startsWith(specifier, 'node:') ? slice(specifier, 5) : specifier;

  // undefined for what Node has not, or only with `node:`; 'library' for what
  // is Node's own text (src/runtime/node).
  function offerOf(name) {
    builtins ??= { __proto__: null, ...__NODE_BUILTINS__ };
    return builtins[name];
  }

  // Modules of Node that there are: of their own, or provided.
  function isOffered(name) {
    return Boolean(offerOf(name)) || `node:${name}` in loaded;
  }

  function isOfLibrary(name) {
    if (startsWith(name, 'internal/')) return true;
    return startsWith(name, 'node:') && offerOf(bare(name)) === 'library';
  }

  return {
    __proto__: null,
    load,

    /** Loads a bundle that no job has asked for yet. */
    loadAhead(name) {
      isAhead = true;
      try {
        load(name);
      } finally {
        isAhead = false;
      }
    },

    /** Makes the properties of the global object. Once, before user code that
     * may look for them. */
    define() {
      host.defineLazy(globalObject, INTERFACES, false, resolve);
      host.defineLazy(globalObject, OPERATIONS, true, resolve);
      defineProperty(globalObject, Symbol.toStringTag, {
        __proto__: null,
        value: 'global',
        writable: false,
        enumerable: false,
        configurable: true,
      });
      for (let index = 0; index < REPLACEABLE.length; index += 1) {
        replaceable(REPLACEABLE[index]);
      }
      alias('global');
      alias('self');
      handler('onerror', 'error');
      handler('onrejectionhandled', 'rejectionhandled');
      handler('onunhandledrejection', 'unhandledrejection');
    },

    /** Gives `name` its exports before, or instead of, its bundle. */
    provide(name, exports) {
      loaded[name] = exports;
    },

    /** Whether `specifier` names a Node built-in, offered or not. */
    isBuiltin(specifier) {
      if (startsWith(specifier, 'node:')) return true;
      return offerOf(specifier) !== undefined || isOffered(specifier);
    },

    /** Whether `specifier` names a Node built-in that works in here. */
    isSupported(specifier) {
      const name = bare(specifier);
      return isOffered(name);
    },

    /** Whether each file of a package has a stand-in of its own. */
    isOfFile: (specifier, importer) =>
      load('unsupported').isOfFile(bare(specifier), importer),

    /**
     * The exports of a Node built-in. One that needs Node's own I/O becomes a
     * stand-in whose functions throw when they are called.
     */
    builtin(specifier, importer) {
      const name = bare(specifier);
      if (isOffered(name)) {
        return load(`node:${name}`);
      }
      return load('unsupported').unsupportedBuiltin(name, importer);
    },
  };
};
