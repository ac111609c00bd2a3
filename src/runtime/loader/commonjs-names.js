'use strict';

const { parse } = require('./builtins.js');

/**
 * The names that CommonJS files export, as far as their texts show.
 *
 * @param {{ globals: object, packages: object,
 *   isCode: (path: string) => boolean, moduleAt: (path: string, parent: undefined) => object,
 *   resolve: (specifier: string, from: string) => string,
 *   sourceOf: (path: string) => string,
 *   stateOf: (module: object) => object | undefined }} parts
 */
function createNames(parts) {
  const { globals, packages, isCode, moduleAt, resolve, sourceOf, stateOf } =
    parts;
  const { isBuiltin } = globals;

  // A module that a program has put in the cache keeps no names: `seen` ends a
  // cycle. An ES module that is named has its place in the cache too, as in Node.
  function read(path, seen) {
    const state = stateOf(moduleAt(path, undefined));
    const known = state?.names ?? seen[path];
    if (known !== undefined) return known;
    const names = { __proto__: null };
    seen[path] = names;
    if (state !== undefined) state.names = names;
    const { exports, reexports } = parse(packages.lex(path, sourceOf(path)));
    for (let i = 0; i < exports.length; ++i) names[exports[i]] = true;
    for (let i = 0; i < reexports.length; ++i) {
      for (const name in reexported(reexports[i], path, seen)) {
        names[name] = true;
      }
    }
    return names;
  }

  function reexported(specifier, from, seen) {
    if (isBuiltin(specifier)) return globals.builtin(specifier, from);
    let target;
    try {
      target = resolve(specifier, from);
    } catch {
      // The error is reported when the file runs.
      return {};
    }
    return isCode(target) ? read(target, seen) : {};
  }

  return {
    /** @returns {Record<string, true>} */
    namesOf: (path) => read(path, { __proto__: null }),
  };
}

module.exports = { createNames };
