'use strict';

const { append, define, isArray } = require('./builtins.js');

/**
 * The loader's knowledge of a module belongs to the module, and not to its
 * file: a program may take a module out of `require.cache`, so that its file
 * runs again while the first one still runs, or is still to be imported.
 *
 * @typedef {object} State
 * @property {boolean} isImported made for an import, before its file has run
 * @property {boolean} isVisited an imported one whose file require() or the
 *   import has begun to run
 * @property {boolean} isExecuting its code runs, or has thrown
 * @property {Record<string, true> | undefined} names that its text exports
 * @property {{ exports: unknown } | undefined} whole its exports as they were
 *   when its file had run, until a module has imported them
 * @property {string | undefined} required the URL of the ES module in its file
 */

/**
 * @param {object} paths see paths.js
 * @param {(module: object) => Function} makeRequire
 * @param {(module: object, text: string, path: string) => unknown} compileText
 */
function createModules(paths, makeRequire, compileText) {
  let stateOf;

  class Module {
    #state = {
      __proto__: null,
      isImported: false,
      isVisited: false,
      isExecuting: false,
      names: undefined,
      whole: undefined,
      required: undefined,
    };

    static {
      stateOf = (module) =>
        isObject(module) && #state in module ? module.#state : undefined;
    }

    constructor(path, parent) {
      this.id = path;
      this.path = paths.dirname(path);
      this.exports = {};
      this.filename = path;
      this.loaded = false;
      this.children = [];
      this.paths = paths.lookupPaths(this.path);
      define(this, 'parent', parent, false);
      addChild(parent, this);
      define(this, 'require', makeRequire(this), false);
    }

    _compile(text, path) {
      return compileText(this, text, path);
    }

    get isPreloading() {
      return false;
    }
  }

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

  return {
    Module,
    addChild,
    dropChild,

    /** @returns {State | undefined} of what a program has put in the cache */
    stateOf: (module) => stateOf(module),
  };
}

module.exports = { createModules };
