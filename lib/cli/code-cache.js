'use strict';

const os = require('node:os');
const { isAbsolute, join } = require('node:path');

const OWN = ['sloppy-workers', 'code'];

function localData() {
  const { LOCALAPPDATA: given = '' } = process.env;
  return isAbsolute(given) ? given : join(os.homedir(), 'AppData', 'Local');
}

/** @returns {string} the user's directory for caches */
function cacheHome() {
  const { XDG_CACHE_HOME: given = '' } = process.env;
  // A relative path is ignored, as the XDG Base Directory Specification says.
  if (isAbsolute(given)) return given;
  if (process.platform === 'win32') return localData();
  return process.platform === 'darwin'
    ? join(os.homedir(), 'Library', 'Caches')
    : join(os.homedir(), '.cache');
}

/**
 * The pool's option `codeCache` for a command with `--no-code-cache`.
 *
 * @param {{ codeCache?: boolean, runtime?: string }} options of the command
 * @returns {string | false}
 */
function codeCacheOf({ codeCache = true, runtime = 'isolate' }) {
  if (!codeCache || runtime !== 'isolate') return false;
  try {
    return join(cacheHome(), ...OWN);
  } catch {
    // A user without a home.
    return false;
  }
}

/** Adds the option to a command. */
const addCodeCacheOption = (command) =>
  command.option('--no-code-cache', 'keep no compiled code for the next time');

module.exports = { addCodeCacheOption, codeCacheOf };
