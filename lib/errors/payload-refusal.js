'use strict';

const { PAYLOAD_REFUSALS } = require('../protocol/details.js');
const { Refusal } = require('../protocol/codec/grammar.js');
const { placeOfRefusal } = require('../protocol/codec/refusal-place.js');
const { workerError } = require('../protocol/sloppy-worker-error.js');
const { withHint } = require('./hint.js');

/**
 * @param {number} reason one of the codec's Refusal
 * @param {unknown} value that it refused
 * @param {string} root what the hint calls the value
 * @returns {SloppyWorkerError} its hint names the part that was refused
 */
function payloadRefusal(reason, value, root) {
  const { code, text } = PAYLOAD_REFUSALS[reason];
  const error = workerError(code, text);
  return reason === Refusal.TOO_LARGE
    ? error
    : withHint(error, placeOfRefusal(root, value));
}

module.exports = { payloadRefusal };
