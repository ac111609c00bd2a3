'use strict';
// Isolates count what they execute for NODE_V8_COVERAGE, as Node's own threads
// do.

const { mkdirSync } = require('node:fs');
const { resolve } = require('node:path');

const { debugCalls } = require('../../addon/load.js');
const { warnOf } = require('../../base/warn-of.js');

/**
 * Isolates that start from now on write their counts when they end.
 *
 * @param {string} folder
 */
function coverIsolates(folder) {
  if (!process.features.inspector) return;
  const path = resolve(folder);
  try {
    mkdirSync(path, { __proto__: null, recursive: true });
  } catch {
    // The addon may not write where Node's permission model does not let it.
    return;
  }
  const debug = debugCalls();
  const flaw = debug.cover(path);
  // The documents say for which platforms it is.
  if (flaw === '' || !debug.supported) return;
  warnOf(
    'SLOPPY_W_INSPECTOR',
    'NODE_V8_COVERAGE counts nothing in isolates, because ' +
      `V8's inspector in this Node does not fit: ${flaw}`,
    undefined,
  );
}

module.exports = { coverIsolates };
