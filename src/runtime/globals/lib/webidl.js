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

/** Serves classes that only the runtime constructs. */
function noArguments(Class) {
  Object.defineProperty(Class, 'length', { value: 0, configurable: true });
}

/**
 * The class as a function, which Node's own in C++ are: called without `new`
 * it throws what `refuse` gives.
 */
function callable(Class, refuse) {
  const { [Class.name]: shown } = {
    [Class.name]: function (...args) {
      if (new.target === undefined) throw refuse();
      return Reflect.construct(Class, args, new.target);
    },
  };
  const { prototype, ...own } = Object.getOwnPropertyDescriptors(Class);
  Object.defineProperties(shown, { ...own, prototype });
  Object.setPrototypeOf(shown, Object.getPrototypeOf(Class));
  Object.defineProperty(Class.prototype, 'constructor', { value: shown });
  return shown;
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

/** The object from which a dictionary's members are read. */
function dictionary(init, where) {
  if (init === undefined || init === null) return {};
  if (typeof init === 'object' || typeof init === 'function') return init;
  throw new TypeError(`${where}: the dictionary is no object`);
}

/** A TypeError for a call with too few arguments. */
function need(count, given, where) {
  if (given >= count) return;
  const noun = count === 1 ? 'argument' : 'arguments';
  throw new TypeError(
    `${where}: ${count} ${noun} required, but only ${given} present`,
  );
}

const isObject = (value) =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/**
 * An array of what `value` iterates over, each converted as it comes.
 *
 * @param {string} where for the TypeError of what has no iterator
 * @param {() => Error} [refusal] takes the place of that TypeError
 */
function sequence(
  value,
  where,
  convert = (item) => item,
  refusal = () => new TypeError(`${where}: not a sequence`),
) {
  const method = isObject(value) ? value[Symbol.iterator] : undefined;
  if (typeof method !== 'function') throw refusal();
  const iterator = Reflect.apply(method, value, []);
  const { next } = iterator;
  const items = [];
  for (;;) {
    const step = Reflect.apply(next, iterator, []);
    if (!isObject(step)) throw new TypeError(`${where}: not a sequence`);
    if (step.done) return items;
    items.push(convert(step.value));
  }
}

const inspectSymbol = Symbol.for('nodejs.util.inspect.custom');

const itself = (value) => value;

/** Shows `keys` of an instance in `util.inspect`, under the class's name. */
function inspectable(Class, keys, name = Class.name, partsOf = itself) {
  const { [inspectSymbol]: value } = {
    [inspectSymbol](depth, options) {
      if (depth < 0) return `[${name}]`;
      const shown = {};
      const parts = partsOf(this);
      for (const key of keys) shown[key] = parts[key];
      const inner = {
        ...options,
        depth: options.depth == null ? null : options.depth - 1,
      };
      const { inspect } = require('sw:library').moduleOf(
        'internal/util/inspect',
      );
      return `${name} ${inspect(shown, inner)}`;
    },
  };
  Object.defineProperty(Class.prototype, inspectSymbol, {
    value,
    configurable: true,
    writable: true,
  });
}

module.exports = {
  callable,
  accessor,
  dictionary,
  enumerable,
  inspectSymbol,
  inspectable,
  isObject,
  need,
  noArguments,
  sequence,
  tag,
};
