'use strict';

// One context only: what runs a script here runs it in the isolate's own.

const { unsupported } = require('../lib/unsupported.js');

// biome-ignore lint/security/noGlobalEval: an indirect eval is a script.
const evaluate = globalThis.eval;

class Script {
  #source;

  constructor(source, options = undefined) {
    const name = typeof options === 'string' ? options : options?.filename;
    this.#source = name ? `${source}\n//# sourceURL=${name}` : `${source}`;
  }

  runInThisContext() {
    return evaluate(this.#source);
  }
}
for (const name of ['createCachedData', 'runInContext', 'runInNewContext']) {
  Script.prototype[name] = unsupported('vm', `Script.${name}`);
}

const missing = {};
for (const name of [
  'SourceTextModule',
  'SyntheticModule',
  'compileFunction',
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
  constants: {},
  createScript: (source, options) => new Script(source, options),
  isContext: () => false,
  runInThisContext: (source, options) =>
    new Script(source, options).runInThisContext(),
};
