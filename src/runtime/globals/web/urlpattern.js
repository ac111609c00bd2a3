'use strict';

// The library does the matching; what it is given is read here.

const { URLPattern: Pattern } = require('urlpattern-polyfill/urlpattern');

const { wellFormed } = require('../lib/usv-string.js');
const { accessor, enumerable, isObject, tag } = require('../lib/webidl.js');

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
    const [second] = rest;
    const isOptions = second === undefined || isObject(second);
    const hasBase = rest.length > 1 || !(isOptions || second === null);
    const inputs = readInputs(input, hasBase ? `${second}` : undefined);
    const options = readOptions(hasBase ? rest[1] : second);
    this.#pattern = new Pattern(...inputs, options);
  }

  test(input = {}, baseURL = undefined) {
    return this.#pattern.test(...readInputs(input, baseURL));
  }

  exec(input = {}, baseURL = undefined) {
    const inputs = readInputs(input, baseURL);
    const found = this.#pattern.exec(...inputs);
    return found && { ...found, inputs };
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

module.exports = { URLPattern };
