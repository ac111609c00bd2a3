'use strict';

/**
 * Startup arguments may hold functions, which no message can carry. They travel
 * as their source text and are compiled again in the worker, where they see the
 * worker's globals and no variables of the caller.
 *
 * @param {unknown} value
 * @returns {{ value: unknown, functions: [string[], string, string][] }}
 *   the value without functions, and each one's path, name and source
 */
function packArguments(value) {
  const functions = [];
  const packed = pack(value, [], functions, new Set());
  return { value: packed, functions };
}

function pack(value, path, functions, above) {
  if (typeof value === 'function') {
    functions.push([path, value.name, Function.prototype.toString.call(value)]);
    return undefined;
  }
  if (!isContainer(value) || above.has(value)) return value;
  above.add(value);
  const copy = Array.isArray(value) ? [] : {};
  for (const key of Object.keys(value)) {
    copy[key] = pack(value[key], [...path, key], functions, above);
  }
  above.delete(value);
  return copy;
}

function isContainer(value) {
  if (value === null || typeof value !== 'object') return false;
  if (Array.isArray(value)) return true;
  const proto = Object.getPrototypeOf(value);
  return proto === null || Object.getPrototypeOf(proto) === null;
}

/**
 * @param {{ value: unknown, functions: [string[], string, string][] }} packed
 * @returns {unknown} the arguments with their functions
 */
function unpackArguments({ value, functions }) {
  const root = { value };
  for (const [path, name, source] of functions) {
    let at = root;
    let last = 'value';
    for (const key of path) {
      at = at[last];
      last = key;
    }
    at[last] = build(name, source);
  }
  return root.value;
}

function build(name, source) {
  const run = (text) => new Function(`return (${text}\n)`)();
  try {
    return run(source);
  } catch {
    // A method's shorthand, `name() {}`, is only valid inside an object.
    return run(`{${source}}`)[name];
  }
}

module.exports = { packArguments, unpackArguments };
