'use strict';

const { append, apply, define, defineProperty, isArray } =
  require('./builtins.js');

/**
 * The loader's knowledge of a module belongs to the module, and not to its
 * file: a program may take a module out of `require.cache`, so that its file
 * runs again while the first one still runs, or is still to be imported.
 *
 * @typedef {object} State
 * @property {unknown} parent what has required it first
 * @property {boolean} isImported made for an import, before its file has run
 * @property {boolean} isVisited an imported one whose file require() or the
 *   import has begun to run
 * @property {boolean} isExecuting its code runs, or has thrown
 * @property {Record<string, true> | undefined} names that its text exports
 * @property {{ exports: unknown } | undefined} whole its exports as they were
 *   when its file had run, until a module has imported them
 * @property {string | undefined} required the URL of the ES module in its file
 */

const isObject = (value) => typeof value === 'object' && value !== null;

function placeOf(list, value) {
  for (let i = 0; i < list.length; ++i) {
    if (list[i] === value) return i;
  }
  return -1;
}

// A program may have replaced the list.
const childrenOf = (parent) =>
  isArray(parent?.children) ? parent.children : undefined;

function addChild(parent, child) {
  const children = childrenOf(parent);
  if (children !== undefined && placeOf(children, child) < 0) {
    append(children, child);
  }
}

function dropChild(parent, child) {
  const children = childrenOf(parent);
  const at = children === undefined ? -1 : placeOf(children, child);
  if (at < 0) return;
  for (let i = at + 1; i < children.length; ++i) {
    children[i - 1] = children[i];
  }
  children.length -= 1;
}

// The constructor of modules is a function, which old programs call on objects
// of their own classes: this one gives its private field to any object.
class Given {
  constructor(object) {
    // biome-ignore lint/correctness/noConstructorReturn: that is what it is for.
    return object;
  }
}

class Known extends Given {
  #state = {
    __proto__: null,
    parent: undefined,
    isImported: false,
    isVisited: false,
    isExecuting: false,
    names: undefined,
    whole: undefined,
    required: undefined,
  };

  // Without the spread of one that is left out, which a program can change.
  constructor(module, parent) {
    super(module);
    this.#state.parent = parent;
  }

  /** @returns {State | undefined} of what a program has put in the cache */
  static stateOf(module) {
    return isObject(module) && #state in module ? module.#state : undefined;
  }
}

const { stateOf } = Known;

/**
 * `Module` of node:module, whose other functions are in
 * src/runtime/globals/node/module.js.
 *
 * @param {object} paths see paths.js
 * @param {{ require: (module: object, specifier: unknown) => unknown,
 *   compile: (module: object, text: unknown, path: unknown) => unknown,
 *   run: (module: object, path: string) => void }} actions of a module
 */
function createModules(paths, actions) {
  function Module(id = '', parent = undefined) {
    this.id = id;
    this.path = paths.dirname(id);
    define(this, 'exports', {});
    addChild(parent, this);
    this.filename = null;
    this.loaded = false;
    this.children = [];
    new Known(this, parent);
  }

  const { prototype } = Module;
  const compile = function (text, path) {
    return actions.compile(this, text, path);
  };

  define(prototype, 'load', function load(path) {
    this.filename = path;
    this.paths = paths.lookupPaths(paths.dirname(path));
    actions.run(this, path);
    this.loaded = true;
  });
  define(prototype, 'require', function (specifier) {
    return actions.require(this, specifier);
  });
  define(prototype, '_compile', compile);
  defineProperty(prototype, 'isPreloading', {
    __proto__: null,
    get: () => false,
  });
  defineProperty(prototype, 'parent', {
    __proto__: null,
    get() {
      return stateOf(this)?.parent;
    },
    set(value) {
      const state = stateOf(this);
      if (state !== undefined) state.parent = value;
    },
  });

  return {
    Module,
    addChild,
    dropChild,
    stateOf,

    /** The module of a file. */
    moduleOf(path, parent) {
      const module = new Module(path, parent);
      module.filename = path;
      module.paths = paths.lookupPaths(module.path);
      return module;
    },

    /** Whether its text runs as a program wants it. */
    isCompiledByProgram(module) {
      const { _compile } = module;
      return typeof _compile === 'function' && _compile !== compile;
    },

    /** Lets `require` of a module have a program's own way. */
    requireBy(module, specifier) {
      const { require } = module;
      return typeof require === 'function'
        ? apply(require, module, [specifier])
        : actions.require(module, specifier);
    },
  };
}

module.exports = { createModules };
