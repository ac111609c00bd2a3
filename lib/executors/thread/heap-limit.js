'use strict';
// The heap's limit of worker threads, for their owner. See heap-guard.js.

const { setFlagsFromString } = require('node:v8');

const { binaryFile } = require('../../addon/load.js');

// Bounded, because Node adds 16 MB to the limit, and a scavenge may promote a
// third of the young generation at once.
const MAX_YOUNG_MB = 48;
// Node's code for it.
const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';

let guard;

/** @returns {string} the addon's file for `guardHeap`, '' without one */
function guardFile() {
  if (guard === undefined) {
    // See PrepareProcess in src/isolate/v8_compat.h.
    if (parseInt(process.versions.v8, 10) >= 13) {
      setFlagsFromString('--no-turboshaft-loop-unrolling');
    }
    guard = binaryFile() ?? '';
  }
  return guard;
}

/** @returns {object} Node's `resourceLimits` */
function resourceLimits(memoryLimitMb) {
  return {
    __proto__: null,
    maxOldGenerationSizeMb: memoryLimitMb,
    maxYoungGenerationSizeMb: Math.min(memoryLimitMb, MAX_YOUNG_MB),
  };
}

function outOfMemory() {
  const error = new Error('the heap of the worker has reached its limit');
  return Object.assign(error, { code: OUT_OF_MEMORY });
}

module.exports = { OUT_OF_MEMORY, guardFile, outOfMemory, resourceLimits };
