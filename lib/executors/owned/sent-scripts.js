'use strict';
// The scripts of functions that were sent to a realm of Node's own.

const path = require('node:path');
const { pathToFileURL } = require('node:url');
const vm = require('node:vm');

const { workingFolder } = require('../../base/working-folder.js');
const { prepareFor } = require('./typescript.js');

// The end that lib/entries/function-place.js gives a text.
const PLACED = /\n\/\/# sourceURL=\S+$/;

// Node warns of its own loader in vm's scripts, which is not the user's choice.
const { emitWarning } = process;
process.emitWarning = (warning, ...more) => {
  if (!String(warning).startsWith('vm.USE_MAIN_CONTEXT_DEFAULT_LOADER')) {
    Reflect.apply(emitWarning, process, [warning, ...more]);
  }
};

/**
 * @param {string} text
 * @param {string} name for stacks; imports are resolved from the working directory
 * @returns {vm.Script}
 */
function scriptOf(text, name) {
  const shown = name.replace(/[\s'"]/g, '-');
  prepareFor(text);
  const named = PLACED.test(text) ? text : `${text}\n//# sourceURL=${shown}`;
  return new vm.Script(named, {
    filename: pathToFileURL(path.resolve(workingFolder(), '[sent function]'))
      .href,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
}

/**
 * @param {object} entry `{ kind, text, name }`; its text is in its script from
 *   now on
 * @returns {{ kind: number, call: unknown }} what its jobs call
 */
function compile(entry) {
  const { kind, text, name } = entry;
  // Its owner decides which it keeps.
  const share = 0;
  if (kind !== 0) return { kind, call: text, share };
  entry.script ??= scriptOf(text, name);
  entry.text = '';
  return { kind, call: entry.script.runInThisContext(), share };
}

module.exports = { compile, scriptOf };
