'use strict';

/** Makes the named members enumerable, as Web IDL has them. */
function enumerable(Class, names) {
  for (const name of names) {
    Object.defineProperty(Class.prototype, name, { enumerable: true });
  }
}

/** Names the class for `Object.prototype.toString`. */
function tag(Class, name = Class.name) {
  Object.defineProperty(Class.prototype, Symbol.toStringTag, {
    value: name,
    configurable: true,
  });
}

/** A TypeError for a call with too few arguments. */
function need(count, given, where) {
  if (given >= count) return;
  const noun = count === 1 ? 'argument' : 'arguments';
  throw new TypeError(
    `${where}: ${count} ${noun} required, but only ${given} present`,
  );
}

const inspectSymbol = Symbol.for('nodejs.util.inspect.custom');

/** Shows `keys` of an instance in `util.inspect`, under the class's name. */
function inspectable(Class, keys, name = Class.name) {
  Object.defineProperty(Class.prototype, inspectSymbol, {
    value(depth, options, inspect) {
      if (depth < 0) return `[${name}]`;
      const shown = {};
      for (const key of keys) shown[key] = this[key];
      const inner = {
        ...options,
        depth: options.depth === null ? null : options.depth - 1,
      };
      return `${name} ${inspect(shown, inner)}`;
    },
    configurable: true,
    writable: true,
  });
}

module.exports = { enumerable, inspectSymbol, inspectable, need, tag };
