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

/** For classes that nobody but the runtime constructs. */
function noArguments(Class) {
  Object.defineProperty(Class, 'length', { value: 0, configurable: true });
}

/** An accessor whose functions have the names that those of a class have. */
function accessor(object, name, get, set = undefined) {
  const named = (kind, work) =>
    work && Object.defineProperty(work, 'name', { value: `${kind} ${name}` });
  Object.defineProperty(object, name, {
    get: named('get', get),
    set: named('set', set),
    enumerable: true,
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

/** An array of what `value` iterates over. */
function sequence(value, where) {
  const isObject =
    (typeof value === 'object' && value !== null) ||
    typeof value === 'function';
  if (!isObject || typeof value[Symbol.iterator] !== 'function') {
    throw new TypeError(`${where}: not a sequence`);
  }
  return [...value];
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

module.exports = {
  accessor,
  enumerable,
  inspectSymbol,
  inspectable,
  need,
  noArguments,
  sequence,
  tag,
};
