'use strict';

const { workerError } = require('../protocol/sloppy-worker-error.js');
const { readText } = require('../base/files.js');
const { Code } = require('../protocol/diagnostics.gen.js');
const { startupFailed } = require('./module-path.js');
const { beginsWord, endsWord, skipSpaces } = require('../base/scan.js');

const EXPORT = 'export';
const UNSUPPORTED = ['default', 'class', 'let', 'var'];

function isUnsupported(text, at) {
  if (text[at] === '{' || text[at] === '*') return true;
  return UNSUPPORTED.some(
    (word) => text.startsWith(word, at) && endsWord(text, at + word.length),
  );
}

// Text that may be an unsupported form. The parser decides, because the text
// may be in a comment or a string.
function isSuspicious(text) {
  let at = text.indexOf(EXPORT);
  for (; at >= 0; at = text.indexOf(EXPORT, at + 1)) {
    const after = skipSpaces(text, at + EXPORT.length);
    if (beginsWord(text, at) && isUnsupported(text, after)) return true;
  }
  return false;
}

// Bounded, because the parser runs on the owner's thread: 1 MiB takes 0.1 s.
const MAX_PARSED = 1024 * 1024;
const isScript = (path) => path.endsWith('.js') || path.endsWith('.mjs');

// The file was there a moment ago.
async function textOf(path) {
  try {
    return await readText(path, MAX_PARSED);
  } catch (error) {
    throw startupFailed(error);
  }
}

/**
 * Refuses a worker's module at start unless it exports functions and constants
 * by declaration, as Sloppy does. Only files of JavaScript modules are parsed,
 * and none of more than 1 MiB, because such files are generated.
 *
 * @param {string} path
 * @throws {SLOPPY_E_WORKER_ISOLATE_STARTUP_FAILED}
 */
async function checkExports(path) {
  if (!isScript(path)) return;
  const text = await textOf(path);
  if (text === undefined || !isSuspicious(text)) return;
  const { formIn } = require('./export-forms.js');
  const form = formIn(text);
  if (form === undefined) return;
  throw workerError(
    Code.StartupFailed,
    `worker module export syntax is unsupported: ${form}; supported exports ` +
      'are named export function, export async function, and export const ' +
      'declarations',
  );
}

module.exports = { checkExports };
