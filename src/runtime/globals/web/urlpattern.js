'use strict';

// The library does the matching; what it is given is read here.

const { URLPattern: Pattern } = require('urlpattern-polyfill/urlpattern');

const { nativeError, needsNew } = require('../lib/node-error.js');
const { wellFormed } = require('../lib/usv-string.js');
const { since } = require('../lib/versions.js');
const { accessor, callable, enumerable, isObject, tag } =
  require('../lib/webidl.js');

// Node's own class refuses what the standard makes texts of.
const isStrict = since(23, 8);

function needKind(isRight, message) {
  if (isRight || !isStrict) return;
  throw nativeError(TypeError, 'ERR_INVALID_ARG_TYPE', message);
}

const isDictionary = (value) =>
  value === undefined || value === null || isObject(value);
const isInput = (value) => typeof value === 'string' || isDictionary(value);

const COMPONENTS = [
  'protocol',
  'username',
  'password',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
];
const MEMBERS = ['baseURL', ...COMPONENTS].sort();

/** A text, or what a dictionary has of the members that there are. */
function readInput(input) {
  if (input !== null && !isObject(input)) return wellFormed(`${input}`);
  const init = {};
  for (const name of MEMBERS) {
    const value = input?.[name];
    if (value !== undefined) init[name] = wellFormed(`${value}`);
  }
  return init;
}

/** [input, baseURL], or [input] where there is none. */
function readInputs(input, baseURL) {
  const read = readInput(input);
  if (baseURL === undefined) return [read];
  const base = wellFormed(`${baseURL}`);
  if (typeof read === 'string') return [read, base];
  throw new TypeError('URLPattern: a dictionary has its own baseURL');
}

/** `work()`, with the only error that Node has for what fails in it. */
function attempt(code, what, work) {
  if (!isStrict) return work();
  try {
    return work();
  } catch {
    throw nativeError(TypeError, code, `Failed to ${what} URLPattern`);
  }
}

function readGiven(method, input, baseURL) {
  needKind(
    isInput(input),
    'URLPattern input needs to be a string or an object',
  );
  needKind(
    baseURL === undefined || baseURL === null || typeof baseURL === 'string',
    'baseURL must be a string',
  );
  const read = () => readInputs(input, baseURL);
  return attempt('ERR_OPERATION_FAILED', method, read);
}

/** Node's order of parts, each of them as Node writes it. */
function partsOf(found, inputs) {
  const parts = { __proto__: null };
  for (const name of ['inputs', ...COMPONENTS].sort()) {
    const { groups, input } = found[name];
    parts[name] = name === 'inputs' ? inputs : { groups, input };
  }
  return parts;
}

function readOptions(options) {
  if (options === undefined || options === null) return {};
  if (!isObject(options)) {
    throw new TypeError('URLPattern: the options are no object');
  }
  return { ignoreCase: Boolean(options.ignoreCase) };
}

class URLPattern {
  #pattern;

  constructor(input = {}, ...rest) {
    const [second, third] = rest;
    needKind(isInput(input), 'Input must be an object or a string');
    needKind(isInput(second), 'second argument must be a string or object');
    needKind(
      rest.length < 2 || !isObject(second),
      'second argument must be a string',
    );
    needKind(isDictionary(third), 'options must be an object');
    const isOptions = second === undefined || isObject(second);
    const hasBase = rest.length > 1 || !(isOptions || second === null);
    const options = readOptions(hasBase ? third : second);
    this.#pattern = attempt('ERR_INVALID_URL_PATTERN', 'construct', () => {
      const inputs = readInputs(input, hasBase ? `${second}` : undefined);
      return new Pattern(...inputs, options);
    });
  }

  test(input = {}, baseURL = undefined) {
    return this.#pattern.test(...readGiven('test', input, baseURL));
  }

  exec(input = {}, baseURL = undefined) {
    const inputs = readGiven('exec', input, baseURL);
    const found = this.#pattern.exec(...inputs);
    if (!isStrict || !found) return found && { ...found, inputs };
    return partsOf(found, inputs);
  }

  get hasRegExpGroups() {
    return this.#pattern.hasRegExpGroups;
  }

  static read(pattern, name) {
    return pattern.#pattern[name];
  }
}
const { read } = URLPattern;
delete URLPattern.read;
for (const name of COMPONENTS) {
  const { get } = {
    get() {
      return read(this, name);
    },
  };
  accessor(URLPattern.prototype, name, get);
}
enumerable(URLPattern, ['test', 'exec', 'hasRegExpGroups']);
tag(URLPattern);

module.exports = {
  URLPattern: isStrict ? callable(URLPattern, needsNew) : URLPattern,
};
