'use strict';

const fs = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

const { workerError } = require('../protocol/sloppy-worker-error.js');
const { Code } = require('../protocol/diagnostics.gen.js');
const { sourceFile, sourceUrl } = require('./source-file.js');
const { hasScheme, isDotted } = require('../base/scan.js');

/**
 * The URL of a module named by a user. A URL stays. A path is relative to the
 * working directory. A bare name is a file there, or else a package.
 *
 * @param {string | URL} specifier
 * @returns {string} a URL, or the name itself if nothing was found
 */
function moduleUrl(specifier) {
  const name = String(specifier);
  if (hasScheme(name)) return sourceUrl(name);
  const file = sourceFile(path.resolve(name));
  if (isPath(name) || fs.existsSync(file)) return pathToFileURL(file).href;
  try {
    const fromHere = createRequire(path.join(process.cwd(), 'index.js'));
    return pathToFileURL(fromHere.resolve(name)).href;
  } catch {
    // The worker reports the failure, with the name as the user wrote it.
    return pathToFileURL(file).href;
  }
}

/**
 * The URL of a worker's own module.
 *
 * @param {string | URL} module see `moduleUrl`
 * @throws {TypeError} neither a text nor a URL
 * @throws {SLOPPY_E_WORKER_ISOLATE_STARTUP_FAILED} a scheme no worker loads
 */
function workerUrl(module) {
  if (typeof module !== 'string' && !(module instanceof URL)) {
    throw new TypeError('a worker needs a module path or URL.');
  }
  const url = moduleUrl(module);
  if (url.startsWith('file:') || url.startsWith('data:')) return url;
  const text = 'a worker module is a path, or a file: or data: URL';
  throw workerError(Code.StartupFailed, undefined, { cause: new Error(text) });
}

function isPath(name) {
  return path.isAbsolute(name) || isDotted(name);
}

module.exports = { moduleUrl, workerUrl };
