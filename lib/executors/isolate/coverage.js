'use strict';
// Isolates count what they execute for NODE_V8_COVERAGE, as Node's own threads
// do.

const { mkdirSync } = require('node:fs');
const { resolve } = require('node:path');

const { debugCalls } = require('../../addon/load.js');

/**
 * Isolates that start from now on write their counts when they end.
 *
 * @param {string} folder
 */
function coverIsolates(folder) {
  if (!process.features.inspector) return;
  const path = resolve(folder);
  try {
    mkdirSync(path, { recursive: true });
  } catch {
    // The addon may not write where Node's permission model does not let it.
    return;
  }
  debugCalls().cover(path);
}

module.exports = { coverIsolates };
