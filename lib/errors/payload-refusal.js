'use strict';

const { PAYLOAD_REFUSALS } = require('../protocol/details.js');
const { Refusal } = require('../protocol/codec/grammar.js');
const { placeOfRefusal } = require('../protocol/codec/refusal-place.js');
const { workerError } = require('../protocol/sloppy-worker-error.js');
const { withHint } = require('./hint.js');

/**
 * @param {number} reason the codec's Refusal
 * @param {unknown} value the refused one
 * @param {string} root the value's name in the hint
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
