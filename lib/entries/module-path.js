'use strict';

const { resolve } = require('node:path');
const { fileURLToPath } = require('node:url');

const { workerError } = require('../protocol/sloppy-worker-error.js');
const { Code } = require('../protocol/diagnostics.gen.js');
const { sourceFile } = require('./source-file.js');
const { hasScheme } = require('../base/scan.js');

const startupFailed = (cause) =>
  workerError(Code.StartupFailed, undefined, { cause });

/**
 * @param {string} subject prefix of the error text, e.g. `Worker.start`
 * @param {unknown} module a path against the working directory, a file: URL
 *   or a URL object
 * @returns {string} the absolute path; of a missing `.js` file, that of the
 *   `.ts` file beside it
 * @throws {TypeError}
 * @throws {SLOPPY_E_WORKER_ISOLATE_STARTUP_FAILED} another scheme
 */
function readModulePath(subject, module) {
  const text = module instanceof URL ? module.href : module;
  if (typeof text !== 'string' || text === '' || text.includes('\0')) {
    throw new TypeError(
      `${subject} module path must be a non-empty string without NUL.`,
    );
  }
  if (text.startsWith('file:')) {
    try {
      return sourceFile(fileURLToPath(text));
    } catch (error) {
      throw startupFailed(error);
    }
  }
  if (hasScheme(text)) {
    throw startupFailed(
      new Error('a worker module is a path or a file: URL, no other scheme'),
    );
  }
  return sourceFile(resolve(text));
}

module.exports = { readModulePath, startupFailed };
