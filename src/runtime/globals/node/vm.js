'use strict';

// One context only: what runs a script here runs it in the isolate's own.

const { invalidArgument } = require('../lib/node-error.js');
const { unsupported } = require('../lib/unsupported.js');

// biome-ignore lint/security/noGlobalEval: an indirect eval is a script.
const evaluate = globalThis.eval;

// A name ends with its line, and with it the comment.
const named = (source, filename) =>
  filename
    ? `${source}\n//# sourceURL=${`${filename}`.replace(/[\r\n]/g, '')}`
    : `${source}`;

class Script {
  #source;

  constructor(source, options = undefined) {
    const name = typeof options === 'string' ? options : options?.filename;
    this.#source = named(source, name);
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
  isContext: () => false,
  runInThisContext: (source, options) =>
    new Script(source, options).runInThisContext(),
};
