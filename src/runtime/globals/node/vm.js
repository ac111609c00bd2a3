'use strict';

/* global host */
// One context only: what runs a script here runs it in the isolate's own.

const { since } = require('../lib/versions.js');
const { unsupported } = require('../lib/unsupported.js');

const { moduleOf } = require('sw:library');
const check = moduleOf('internal/validators');
const natives = host.binding('contextify');
// biome-ignore lint/security/noGlobalEval: it says whether texts may be code.
const evaluate = globalThis.eval;

const constants = Object.freeze({
  __proto__: null,
  USE_MAIN_CONTEXT_DEFAULT_LOADER: Symbol(
    'vm_dynamic_import_main_context_default',
  ),
  DONT_CONTEXTIFY: Symbol('vm_context_no_contextify'),
});

function wrongType(name, expected, value) {
  const { ERR_INVALID_ARG_TYPE } = moduleOf('internal/errors').codes;
  return new ERR_INVALID_ARG_TYPE(name, expected, value);
}

/** What the last line of a script says of itself. */
function commented(source, name) {
  const last = source
    .trimEnd()
    .split(/[\r\n]/)
    .at(-1);
  return new RegExp(`//[#@] ${name}=(\\S+)$`).exec(last)?.[1];
}

const asOptions = (options) =>
  typeof options === 'string' ? { filename: options } : options;

/**
 * A text and what its errors say of its place, as the natives take it.
 *
 * @param {string} text
 * @param {object} options of the user
 * @param {string} name for one that has none
 */
function sourceOf(text, options, name) {
  const {
    filename = name,
    lineOffset = 0,
    columnOffset = 0,
    cachedData,
    produceCachedData = false,
    importModuleDynamically,
  } = options;
  check.validateString(filename, 'options.filename');
  check.validateInt32(lineOffset, 'options.lineOffset');
  check.validateInt32(columnOffset, 'options.columnOffset');
  if (cachedData !== undefined && !ArrayBuffer.isView(cachedData)) {
    throw wrongType(
      'options.cachedData',
      ['Buffer', 'TypedArray', 'DataView'],
      cachedData,
    );
  }
  check.validateBoolean(produceCachedData, 'options.produceCachedData');
  evaluate('');
  const mayImport =
    importModuleDynamically === constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  if (importModuleDynamically !== undefined && !mayImport) {
    unsupported('vm', 'importModuleDynamically')();
  }
  return [text, filename, lineOffset, columnOffset, mayImport];
}

class Script {
  #source;

  constructor(code, options = {}) {
    const text = `${code}`;
    const given = asOptions(options);
    check.validateObject(given, 'options');
    this.#source = sourceOf(text, given, 'evalmachine.<anonymous>');
    natives.compileScript(...this.#source);
    if (since(22)) this.sourceURL = commented(text, 'sourceURL');
    this.sourceMapURL = commented(text, 'sourceMappingURL');
  }

  runInThisContext(options = {}) {
    check.validateObject(options, 'options');
    const { breakOnSigint = false, displayErrors = true, timeout } = options;
    if (timeout !== undefined) {
      check.validateUint32(timeout, 'options.timeout', true);
      unsupported('vm', 'timeout')();
    }
    check.validateBoolean(displayErrors, 'options.displayErrors');
    check.validateBoolean(breakOnSigint, 'options.breakOnSigint');
    return natives.runScript(...this.#source);
  }
}
for (const name of ['createCachedData', 'runInContext', 'runInNewContext']) {
  Script.prototype[name] = unsupported('vm', `Script.${name}`);
}

function compileFunction(code, params, options = {}) {
  check.validateString(code, 'code');
  check.validateObject(options, 'options');
  if (params !== undefined) {
    check.validateArray(params, 'params');
    for (const [i, name] of params.entries()) {
      check.validateString(name, `params[${i}]`);
    }
  }
  const source = sourceOf(code, options, '');
  const { contextExtensions = [], parsingContext } = options;
  if (parsingContext !== undefined) {
    // Contexts cannot be made here, so that no value is one.
    throw wrongType('options.parsingContext', 'Context', parsingContext);
  }
  check.validateArray(contextExtensions, 'options.contextExtensions');
  for (const [i, scope] of contextExtensions.entries()) {
    check.validateObject(scope, `options.contextExtensions[${i}]`, {
      nullable: true,
    });
  }
  return natives.compileFunction(...source, params ?? [], contextExtensions);
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
  constants,
  createScript: (source, options) => new Script(source, options),
  isContext(object) {
    if (object === null || typeof object !== 'object') {
      throw wrongType('object', 'object', object);
    }
    return false;
  },
  runInThisContext: (source, options) =>
    new Script(source, options).runInThisContext(asOptions(options)),
};
