'use strict';
// Refuses misspelled options of calls. Their names are looked at in place,
// because a copy would cost more than a tiny job's other steps together.

const { hasOwn } = require('../protocol/codec/captured.js');
const { refuseName } = require('./mistaken-options.js');

const QUEUE_CALL = ['signal', 'deadline', 'timeoutMs', 'runTimeoutMs'];
const CALL = [
  ...QUEUE_CALL,
  'transfer',
  'onMessage',
  'priority',
  'key',
  'receipt',
  'weight',
];
const RUN = [...CALL, 'input', 'modules'];
const MAP = [...CALL, 'modules', 'concurrency'];

const KNOWN = { __proto__: null };
for (const name of [...RUN, ...MAP]) KNOWN[name] = true;

/**
 * @param {string} operation prefix of the error's text
 * @param {unknown} options of the call, from `ownOptions`
 * @param {readonly string[]} known which of them can be meant
 * @throws {TypeError} for an unknown option that resembles a known one
 */
function refuseMistakenCall(operation, options, known) {
  for (const name in options) {
    // Not what others put on Object.prototype.
    if (KNOWN[name] === undefined && hasOwn(options, name)) {
      refuseName(operation, name, known);
    }
  }
}

module.exports = { CALL, MAP, QUEUE_CALL, RUN, refuseMistakenCall };
