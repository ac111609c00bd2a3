'use strict';

const { Code } = require('../../../../lib/protocol/diagnostics.gen.js');
const {
  workerError,
} = require('../../../../lib/protocol/sloppy-worker-error.js');

const WAY_OUT =
  "run the worker on a thread of Node's own (runtime: 'thread'), or call it in " +
  "the owner's thread and hand the result to the worker: as payload, as init " +
  'data, or through a host function ' +
  '({ host: { name: async (...args) => … } })';

/**
 * The error for a part of Node that a worker isolate does not have.
 *
 * @param {string} module without `node:`
 * @param {string} [member]
 * @param {string} [importer] the file that asked for the module
 */
function unsupportedError(module, member = undefined, importer = undefined) {
  const what = member ? `node:${module} (${member})` : `node:${module}`;
  const who = importer ? `, imported by ${importer},` : '';
  return workerError(
    Code.StartupFailed,
    `${what}${who} is not available in a worker isolate; ${WAY_OUT}`,
  );
}

/** The error for an unknown name with `node:`: Node's. */
function unknownError(module, importer = undefined) {
  const who = importer ? `, imported by ${importer}` : '';
  const text =
    `there is no built-in module node:${module}${who}; packages are imported ` +
    'without node:';
  return Object.assign(new Error(text), { code: 'ERR_UNKNOWN_BUILTIN_MODULE' });
}

/**
 * A stand-in that can be read, extended and inherited from, but not called.
 *
 * @param {string} module
 * @param {string} member
 * @param {{ path?: string }} [asker] the file that has asked for the module
 * @returns {Function}
 */
function unsupported(module, member, asker = undefined) {
  const name = member.split('.').at(-1);
  return {
    // biome-ignore lint/complexity/useArrowFunction: classes extend it.
    [name]: function () {
      throw unsupportedError(module, member, asker?.path);
    },
  }[name];
}

module.exports = { unknownError, unsupported, unsupportedError };
