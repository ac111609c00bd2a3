'use strict';

const { workerError } = require('../protocol/sloppy-worker-error.js');
const { readText } = require('../base/files.js');
const { Code } = require('../protocol/diagnostics.gen.js');

// Text that may be an unsupported form. The parser decides, because the text
// may be in a comment or a string.
const SUSPICIOUS = /\bexport\s*(?:default\b|[{*]|class\b|let\b|var\b)/;

// Bounded, because the parser runs on the owner's thread: 1 MiB takes 0.1 s.
const MAX_PARSED = 1024 * 1024;
const SCRIPT = /\.m?js$/;

/**
 * Refuses a worker's module at start unless it exports functions and constants
 * by declaration, as Sloppy does. Only files of JavaScript modules are parsed,
 * and none of more than 1 MiB, because such files are generated.
 *
 * @param {string} path
 * @param {number} size of the file, in bytes
 * @throws {SLOPPY_E_WORKER_ISOLATE_STARTUP_FAILED}
 */
async function checkExports(path, size) {
  if (!SCRIPT.test(path) || size > MAX_PARSED) return;
  const text = await readText(path);
  if (!SUSPICIOUS.test(text)) return;
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
