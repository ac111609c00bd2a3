'use strict';

const { workerError } = require('../protocol/sloppy-worker-error.js');
const { readText } = require('../base/files.js');
const { Code } = require('../protocol/diagnostics.gen.js');
const { matchOf } = require('../base/primordials.js');

// Text that may be an unsupported form. It may stand in a comment or a
// string as well, so only the parser decides.
const SUSPICIOUS = /\bexport\s*(?:default\b|[{*]|class\b|let\b|var\b)/;

// The parser runs on the owner's thread: 1 MiB takes it some 0.1 s.
const MAX_PARSED = 1024 * 1024;
const SCRIPT = /\.m?js$/;

/**
 * A worker's module exports functions and constants by declaration; other
 * forms are refused at start, as Sloppy does, by what the parser sees. Only
 * files of JavaScript modules are looked at, and none of more than 1 MiB, which
 * no person writes.
 *
 * @param {string} path
 * @param {number} size of the file, in bytes
 * @throws {SLOPPY_E_WORKER_ISOLATE_STARTUP_FAILED}
 */
async function checkExports(path, size) {
  if (matchOf(SCRIPT, path) === null || size > MAX_PARSED) return;
  const text = await readText(path);
  if (matchOf(SUSPICIOUS, text) === null) return;
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
