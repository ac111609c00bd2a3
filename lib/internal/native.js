'use strict';
// The only place that loads the addon.

const { existsSync } = require('node:fs');
const { join } = require('node:path');

const { workerError } = require('../sloppy-worker-error.js');
const { Code } = require('./diagnostics.gen.js');

const root = join(__dirname, '..', '..');

/** Where a binary for this Node may be, in the order of preference. */
function candidates() {
  const build = join(root, 'build', `abi${process.versions.modules}`);
  const preset = process.env.SLOPPY_WORKERS_PRESET ?? 'release';
  return [join(build, preset, 'sloppy_workers.node')];
}

let functions;
let failure;

/**
 * The functions of the addon for this copy of the JavaScript layer.
 *
 * @returns {object} see binding/pool_calls.cc and binding/delivery.cc
 * @throws {SLOPPY_E_WORKER_BRIDGE_UNAVAILABLE} with what was tried as `cause`
 */
function loadNative() {
  if (functions !== undefined) return functions;
  if (failure === undefined) {
    const tried = [];
    for (const file of candidates()) {
      try {
        if (!existsSync(file)) {
          tried.push(`${file}: no such file`);
          continue;
        }
        functions = require(file).open();
        return functions;
      } catch (error) {
        tried.push(`${file}: ${error.message}`);
      }
    }
    failure = tried;
  }
  throw workerError(Code.BridgeUnavailable, undefined, {
    cause: new Error(
      `no addon for Node ${process.version} (ABI ` +
        `${process.versions.modules}, ${process.platform}-${process.arch}); ` +
        `tried ${failure.join('; ')}. Build it with: npm run build`,
    ),
  });
}

module.exports = { loadNative };
