'use strict';
// The runtimes that a round's pools may have.

// Processes are not started with a sanitizer's libraries (scripts/sanitize.mjs).
const startsProcesses = !process.env.SLOPPY_WORKERS_PRESET;

/** Whether all that a pool has works with them, also without a time limit. */
const FREE = ['isolate', 'isolate', 'thread'];
if (startsProcesses) FREE.push('process');

const ALL = [...new Set(FREE)];
if (startsProcesses && process.platform === 'linux') ALL.push('sandbox');

module.exports = { ALL, FREE };
