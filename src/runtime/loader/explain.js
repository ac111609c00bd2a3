'use strict';

const { define, errors, getPrototypeOf } = require('./builtins.js');

// Names that CommonJS alone has, and V8's words where one is missing.
const UNKNOWN = ' is not defined';
const NAMES = {
  __proto__: null,
  require: 'import',
  module: 'export',
  exports: 'export',
  __filename: 'import.meta.filename',
  __dirname: 'import.meta.dirname',
};

/**
 * Says of an ES module's error that it has looked for what only CommonJS has,
 * where Node says so.
 *
 * @param {object} natives isolate/modules/module_steps.cc
 * @param {object} texts see texts.js
 * @param {boolean} isNewer Node 22 and later have a code for it, if the module
 *   awaits
 */
function createExplain(natives, texts, isNewer) {
  function nameIn(error) {
    // Of no class of the program, which could have accessors.
    if (typeof error !== 'object' || error === null) return undefined;
    if (natives.isProxy(error)) return undefined;
    if (getPrototypeOf(error) !== errors.ReferenceError.prototype) {
      return undefined;
    }
    const { message } = error;
    if (typeof message !== 'string' || !texts.endsWith(message, UNKNOWN)) {
      return undefined;
    }
    return texts.substring(message, 0, message.length - UNKNOWN.length);
  }

  return function explain(error, url) {
    const name = nameIn(error);
    const instead = name === undefined ? undefined : NAMES[name];
    if (instead === undefined) return;
    if (isNewer && natives.hasAwait(url)) {
      define(
        error,
        'message',
        `${url} has both ${name} of CommonJS and an await at its top level, ` +
          `which only ES modules have: use ${instead}, or wrap the await in an ` +
          'async function',
        false,
      );
      define(error, 'code', 'ERR_AMBIGUOUS_MODULE_SYNTAX');
      return;
    }
    const advice = name === 'require' ? ', you can use import instead' : '';
    const text = `${error.message} in ES module scope${advice}`;
    define(error, 'message', text, false);
  };
}

module.exports = { createExplain };
