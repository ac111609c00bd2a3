'use strict';

const { copyPayload } = require('../payload/copy-payload.js');
const { isCloned } = require('../protocol/codec/grammar.js');
const { refuseMistaken } = require('./mistaken-options.js');
const { INIT } = require('./option-sets.js');
const { readModulePath } = require('../entries/module-path.js');
const { isPlainObject, ownOptions } = require('../base/validate.js');

function readData(data, carry) {
  if (!isCloned(carry)) return copyPayload(data ?? null).value;
  // Loaded late, because few pools clone.
  const { cloneValue } = require('../payload/clone-value.js');
  const { payloadRefusal } = require('../errors/payload-refusal.js');
  try {
    return cloneValue(data);
  } catch (error) {
    throw payloadRefusal(error.reason, null, 'init.data');
  }
}

/**
 * Reads the option `init` of pools and workers.
 *
 * @param {string} operation `WorkerPool.create` or `Worker.start`
 * @param {unknown} init
 * @param {string | undefined} module the path that `init.module` defaults to
 * @param {number} carry one of Carry
 * @returns {{ module: string, data: unknown, timeoutMs: number } | undefined}
 * @throws {TypeError}
 * @throws {SloppyWorkerError} for data that cannot travel
 */
function readInit(operation, given, module, carry) {
  const init = ownOptions(given);
  if (init === undefined || init === null) return undefined;
  if (!isPlainObject(init)) {
    throw new TypeError(`${operation} init must be a plain object.`);
  }
  refuseMistaken(`${operation} init`, init, INIT.names);
  if (init.module === undefined && module === undefined) {
    throw new TypeError(`${operation} init requires a module.`);
  }
  return {
    module:
      init.module === undefined
        ? module
        : readModulePath(`${operation} init`, init.module),
    data: readData(init.data, carry),
    timeoutMs: INIT.read(`${operation} init`, init, 'timeoutMs'),
  };
}

module.exports = { readInit };
