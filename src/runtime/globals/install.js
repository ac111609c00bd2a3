'use strict';

// Runs first in every isolate, before any user code. Nothing but lazy
// properties is made here: a global costs its bundle when it is touched.

const { INTERFACES, OPERATIONS } = require('./names.js');

const NODE_BUILTINS = new Set(__NODE_BUILTINS__);

module.exports = function install(host, globalObject) {
  const { defineProperty } = Object;
  const loaded = new Map();

  function load(name) {
    if (loaded.has(name)) return loaded.get(name);
    load.globals ??= languageGlobals();
    const exports = host.compile(name)(host, load);
    loaded.set(name, exports);
    return exports;
  }

  load.scope = globalObject;

  // What is there already; for questions that must not load anything.
  load.loaded = (name) => loaded.get(name);

  const languageNames = Object.getOwnPropertyNames(globalObject);

  // The globals of the language: what `globalThis` means inside a bundle.
  function languageGlobals() {
    const globals = { __proto__: null };
    for (let index = 0; index < languageNames.length; index += 1) {
      const name = languageNames[index];
      // V8's own console has been replaced.
      if (bundleOf(name) === undefined) globals[name] = globalObject[name];
    }
    globals.globalThis = globals;
    return globals;
  }

  function settle(name, value, enumerable) {
    defineProperty(globalObject, name, {
      value,
      writable: true,
      enumerable,
      configurable: true,
    });
  }

  function bundleOf(name) {
    for (const table of [INTERFACES, OPERATIONS]) {
      for (const bundle in table) {
        if (table[bundle].includes(name)) return bundle;
      }
    }
    return undefined;
  }

  // Of `node:process` the exports themselves are the global.
  function resolve(name) {
    const exports = load(bundleOf(name));
    return name === 'process' ? exports : exports[name];
  }

  const namesOf = (table) => [].concat(...Object.values(table));
  host.defineLazy(globalObject, namesOf(INTERFACES), false, resolve);
  host.defineLazy(globalObject, namesOf(OPERATIONS), true, resolve);
  settle('global', globalObject, true);
  settle('self', globalObject, true);
  // Read when their event comes (web/global-events.js).
  settle('onerror', null, true);
  settle('onrejectionhandled', null, true);
  settle('onunhandledrejection', null, true);

  const bare = (specifier) =>
    specifier.startsWith('node:') ? specifier.slice(5) : specifier;

  return {
    load,

    /** Gives `name` its exports before, or instead of, its bundle. */
    provide(name, exports) {
      loaded.set(name, exports);
    },

    /** Whether `specifier` names a Node built-in, offered or not. */
    isBuiltin(specifier) {
      const name = bare(specifier);
      if (NODE_BUILTINS.has(name) || loaded.has(`node:${name}`)) return true;
      return load('unsupported').isKnown(specifier);
    },

    /** Whether `specifier` names a Node built-in that works in here. */
    isSupported(specifier) {
      const name = bare(specifier);
      return NODE_BUILTINS.has(name) || loaded.has(`node:${name}`);
    },

    /**
     * The exports of a Node built-in. One that needs Node's own I/O becomes a
     * stand-in whose functions throw when they are called.
     */
    builtin(specifier, importer) {
      const name = bare(specifier);
      if (NODE_BUILTINS.has(name) || loaded.has(`node:${name}`)) {
        return load(`node:${name}`);
      }
      return load('unsupported').unsupportedBuiltin(name, importer);
    },
  };
};
