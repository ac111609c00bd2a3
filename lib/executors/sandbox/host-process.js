'use strict';
// How the process of a sandbox is started: node's own executable, into which the
// addon is preloaded (src/sandbox/host_main.cc).

const { openSync } = require('node:fs');

const { binaryFile, loadNative } = require('../../addon/load.js');
const { Code } = require('../../protocol/diagnostics.gen.js');
const { workerError } = require('../../protocol/sloppy-worker-error.js');

// Node refuses it without the preload.
const ARGUMENT = '--sloppy-sandbox-host';
const MIB = 2 ** 20;
// Private memory of every kind, beside twice the heap.
const BASE_MB = 64;
// The room that V8 reserves for compiled code, as src/sandbox/host_main.cc has it.
const CODE_MB = 64;
// The loader of the system takes these for the ends of names.
const SEPARATORS = [' ', ':', '\t', '\n', '\v', '\f', '\r'];

const descriptors = new Map();

// A name without those, of the same file.
function loadable(file) {
  if (!SEPARATORS.some((each) => file.includes(each))) return file;
  if (!descriptors.has(file)) descriptors.set(file, openSync(file));
  return `/proc/${process.pid}/fd/${descriptors.get(file)}`;
}

function addonFile() {
  const file = binaryFile();
  if (file !== undefined) return file;
  try {
    // It tells what was looked for.
    loadNative();
  } catch (cause) {
    const text = 'a sandbox is made of the addon, which is missing';
    throw workerError(Code.FeatureUnavailable, text, { cause });
  }
  return binaryFile();
}

const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * @param {object} settings of the pool
 * @returns {[file: string, args: string[], options: object]} for `spawn`
 * @throws {SLOPPY_E_WORKERS_FEATURE_UNAVAILABLE} there is no addon
 */
function hostProcess({ memoryLimitMb, sandbox }) {
  const values = {
    memory: memoryLimitMb * MIB,
    data: (2 * memoryLimitMb + BASE_MB + (sandbox.jit ? CODE_MB : 0)) * MIB,
    jit: sandbox.jit ? 1 : 0,
    owner: process.pid,
    zone: timeZone() ?? 'UTC',
  };
  return [
    process.execPath,
    [ARGUMENT, ...Object.entries(values).flat().map(String)],
    {
      __proto__: null,
      cwd: '/',
      env: { LD_PRELOAD: loadable(addonFile()) },
      // The frames are on descriptor 3, until it is the only one.
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    },
  ];
}

module.exports = { hostProcess };
