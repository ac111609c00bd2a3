'use strict';
// internalBinding('contextify'), over natives that compile a text anew for each
// run, because V8 still has the code of one that it has compiled before.

/* global host */
const { unsupported } = require('../globals/lib/unsupported.js');
const { since } = require('../globals/lib/versions.js');

// As numbers of VmImports (src/isolate/modules/vm_origin.h).
const IMPORTS = {
  __proto__: null,
  vm_dynamic_import_main_context_default: 0,
  vm_dynamic_import_default_internal: 0,
  vm_dynamic_import_missing_flag: 2,
};
const importsOf = (id) => IMPORTS[id?.description] ?? 1;

const MEASURING = {
  mode: { SUMMARY: 0, DETAILED: 1 },
  execution: { DEFAULT: 0, EAGER: 1 },
};

// biome-ignore lint/security/noGlobalEval: it says whether texts may be code.
const evaluate = globalThis.eval;
const { prototype: ObjectPrototype } = Object;

/** An own property, whatever stands on prototypes. */
function put(object, key, value) {
  Object.defineProperty(object, key, {
    __proto__: null,
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

function makeContextify(require, natives) {
  const {
    bindContext,
    cacheOfFunction,
    cacheOfScript,
    compileFunction,
    compileScript,
    newContext,
    runScript,
  } = natives;

  const asBuffer = (bytes) => require('buffer').Buffer.from(bytes);

  function sourceOf(text, name, line, column, id, context) {
    evaluate('');
    return [text, name, line, column, importsOf(id), context];
  }

  // Compiled code that somebody hands in could be anything, and V8 trusts it:
  // it is rejected, as Node may do with each, and the text compiled.
  function noteCaches(object, given, asked, cache) {
    if (given !== undefined) put(object, 'cachedDataRejected', true);
    if (!asked) return;
    const bytes = cache();
    if (bytes !== undefined) {
      put(object, 'cachedData', asBuffer(bytes));
    }
    put(object, 'cachedDataProduced', bytes !== undefined);
  }

  class ContextifyScript {
    #source;

    constructor(text, name, line, column, given, asked, context, id) {
      this.#source = sourceOf(text, name, line, column, id, context);
      const [sourceURL, sourceMapURL] = compileScript(...this.#source);
      noteCaches(this, given, asked, () => cacheOfScript(...this.#source));
      if (since(22)) put(this, 'sourceURL', sourceURL);
      put(this, 'sourceMapURL', sourceMapURL);
    }

    runInContext(object, timeout, displayErrors) {
      const [text, name, line, column, imports] = this.#source;
      const ms = timeout > 0 ? timeout : 0;
      return runScript(
        ...[text, name, line, column, imports, object, ms, displayErrors],
      );
    }

    createCachedData() {
      return asBuffer(cacheOfScript(...this.#source));
    }
  }

  return {
    ContextifyScript,
    constants: { measureMemory: MEASURING },
    measureMemory: unsupported('vm', 'measureMemory'),
    compileFunction(
      ...[text, name, line, column, given, asked, context, scopes, params, id]
    ) {
      const source = sourceOf(text, name, line, column, id, context);
      const made = compileFunction(...source, params ?? [], scopes ?? []);
      const result = { __proto__: ObjectPrototype, function: made };
      noteCaches(result, given, asked, () => cacheOfFunction(made));
      return result;
    },
    // Name and origin are for debuggers, which are told of no such context.
    makeContext(object, _name, _origin, strings, wasm, hasOwnQueue) {
      evaluate('');
      const contextifies = typeof object !== 'symbol';
      const allowsWasm = wasm || !host.allowsWasm;
      const global = newContext(
        ...[contextifies, strings, allowsWasm, hasOwnQueue],
      );
      host.guardContext(global);
      const context = contextifies ? object : global;
      bindContext(global, context);
      return context;
    },
  };
}

module.exports = { makeContextify };
