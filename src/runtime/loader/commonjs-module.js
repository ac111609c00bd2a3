'use strict';

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
 */
function createModules(paths, makeRequire) {
  let stateOf;

  const hide = (object, name, value) =>
    Object.defineProperty(object, name, {
      __proto__: null,
      value,
      writable: true,
      configurable: true,
    });

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
        #state in Object(module) ? module.#state : undefined;
    }

    constructor(path, parent) {
      this.id = path;
      this.path = paths.dirname(path);
      this.exports = {};
      this.filename = path;
      this.loaded = false;
      this.children = [];
      this.paths = paths.lookupPaths(this.path);
      hide(this, 'parent', parent);
      addChild(parent, this);
      hide(this, 'require', makeRequire(this));
    }

    get isPreloading() {
      return false;
    }
  }

  // A program may have replaced the list.
  const childrenOf = (parent) =>
    Array.isArray(parent?.children) ? parent.children : undefined;

  function addChild(parent, child) {
    const children = childrenOf(parent);
    if (children?.includes(child) === false) children.push(child);
  }

  function dropChild(parent, child) {
    const at = childrenOf(parent)?.indexOf(child) ?? -1;
    if (at >= 0) parent.children.splice(at, 1);
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
