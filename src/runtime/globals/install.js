'use strict';

// Runs first in every isolate, before any user code. Nothing but accessors is
// made here: a global costs its bundle only when it is touched.

const { INTERFACES, OPERATIONS } = require('./names.js');

const NODE_BUILTINS = new Set(__NODE_BUILTINS__);

module.exports = function install(host, globalObject) {
  const { defineProperty } = Object;
  const loaded = new Map();

  function load(name) {
    if (loaded.has(name)) return loaded.get(name);
    const exports = host.compile(name)(host, load);
    loaded.set(name, exports);
    return exports;
  }

  // What is there already; for questions that must not load anything.
  load.loaded = (name) => loaded.get(name);

  // The globals of the language as they were before any user code ran: what
  // `globalThis` means inside a bundle.
  load.globals = { __proto__: null };
  for (const name of Object.getOwnPropertyNames(globalObject)) {
    load.globals[name] = globalObject[name];
  }
  load.globals.globalThis = load.globals;

  function settle(name, value, enumerable) {
    defineProperty(globalObject, name, {
      value,
      writable: true,
      enumerable,
      configurable: true,
    });
  }

  // An array of one name stands for the whole exports of its bundle.
  function defineLazy(bundle, entry, enumerable) {
    const whole = typeof entry !== 'string';
    const name = whole ? entry[0] : entry;
    defineProperty(globalObject, name, {
      get() {
        const exports = load(bundle);
        const value = whole ? exports : exports[name];
        settle(name, value, enumerable);
        return value;
      },
      set(value) {
        settle(name, value, enumerable);
      },
      enumerable,
      configurable: true,
    });
  }

  function defineAll(table, enumerable) {
    for (const bundle in table) {
      const names = table[bundle];
      for (let index = 0; index < names.length; index += 1) {
        defineLazy(bundle, names[index], enumerable);
      }
    }
  }

  defineAll(INTERFACES, false);
  defineAll(OPERATIONS, true);
  settle('global', globalObject, true);
  settle('self', globalObject, true);

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
