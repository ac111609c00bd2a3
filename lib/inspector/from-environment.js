'use strict';
// The endpoint that SLOPPY_WORKERS_INSPECT=[host:]port asks for.

const { warnOf } = require('../base/warn-of.js');
const { parseAddress } = require('./address.js');
const { openEndpoint } = require('./open-inspector.js');

const VARIABLE = 'SLOPPY_WORKERS_INSPECT';

function warn(text, error = undefined) {
  warnOf('SLOPPY_W_INSPECTOR', `${VARIABLE} ${text}`, error);
}

/**
 * Opens the endpoint in the background. Isolates that start after this call are
 * debuggable. What is wrong is a warning, because a program that works without
 * a debugger must work with the variable too.
 *
 * @param {string} text of the variable
 */
function openFromEnvironment(text) {
  const { isMainThread } = require('node:worker_threads');
  // The main thread's is for the isolates of all threads.
  if (!isMainThread) return;
  if (process.permission !== undefined) {
    warn('is ignored with --permission: call openInspector');
    return;
  }
  const address = parseAddress(text);
  if (address === undefined) {
    warn('is ignored: it must be a port from 0 to 65535, or host:port');
    return;
  }
  openEndpoint({ ...address, mayMove: true }).catch((error) =>
    warn(`has opened no endpoint: ${error.message}`, error),
  );
}

module.exports = { openFromEnvironment };
