'use strict';

// One context only: what runs a script here runs it in the isolate's own.

const { invalidArgument } = require('../lib/node-error.js');
const { since } = require('../lib/versions.js');
const { unsupported } = require('../lib/unsupported.js');

const { moduleOf } = require('sw:library');
const { validateString } = moduleOf('internal/validators');

// biome-ignore lint/security/noGlobalEval: an indirect eval is a script.
const evaluate = globalThis.eval;

// A name ends with its line, and with it the comment.
const named = (source, filename) =>
  filename
    ? `${source}\n//# sourceURL=${`${filename}`.replace(/[\r\n]/g, '')}`
    : `${source}`;

/** What the last line of a script says of itself. */
function commented(source, name) {
  const last = `${source}`
    .trimEnd()
    .split(/[\r\n]/)
    .at(-1);
  return new RegExp(`//[#@] ${name}=(\\S+)$`).exec(last)?.[1];
}

class Script {
  #source;

  constructor(source, options = undefined) {
    const name = typeof options === 'string' ? options : options?.filename;
    if (name !== undefined) validateString(name, 'options.filename');
    this.#source = named(source, name);
    if (since(22)) this.sourceURL = commented(source, 'sourceURL');
    this.sourceMapURL = commented(source, 'sourceMappingURL');
  }

  runInThisContext() {
    return evaluate(this.#source);
  }
}
for (const name of ['createCachedData', 'runInContext', 'runInNewContext']) {
  Script.prototype[name] = unsupported('vm', `Script.${name}`);
}

// The constructor of functions checks that neither text ends the other.
function compileFunction(code, params = [], options = {}) {
  if (typeof code !== 'string') {
    throw invalidArgument('code', 'of type string', code);
  }
  if (!Array.isArray(params)) {
    throw invalidArgument('params', 'an instance of Array', params);
  }
  const { contextExtensions = [], filename, parsingContext } = options;
  if (parsingContext !== undefined || contextExtensions.length > 0) {
    unsupported('vm', 'compileFunction')();
  }
  const made = new Function(...params, named(code, filename));
  return Object.defineProperty(made, 'name', { value: '' });
}

const missing = {};
for (const name of [
  'SourceTextModule',
  'SyntheticModule',
  'createContext',
  'measureMemory',
  'runInContext',
  'runInNewContext',
]) {
  missing[name] = unsupported('vm', name);
}

module.exports = {
  ...missing,
  Script,
  compileFunction,
  constants: Object.freeze({
    __proto__: null,
    USE_MAIN_CONTEXT_DEFAULT_LOADER: Symbol(
      'vm_dynamic_import_main_context_default',
    ),
    DONT_CONTEXTIFY: Symbol('vm_context_no_contextify'),
  }),
  createScript: (source, options) => new Script(source, options),
  isContext(object) {
    if (object === null || typeof object !== 'object') {
      throw invalidArgument('object', 'of type object', object);
    }
    return false;
  },
  runInThisContext: (source, options) =>
    new Script(source, options).runInThisContext(),
};
