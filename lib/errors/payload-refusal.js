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
 * @param {(part: unknown) => boolean} [isRefused] whether a part of it cannot be
 *   cloned either; default: it was no clone
 * @returns {SloppyWorkerError} its hint names the part that was refused
 */
function payloadRefusal(reason, value, root, isRefused = undefined) {
  const { code, text } = PAYLOAD_REFUSALS[reason];
  const error = workerError(code, text);
  if (reason === Refusal.TOO_LARGE) return error;
  if (isRefused === undefined) {
    return withHint(error, placeOfRefusal(root, value));
  }
  // Loaded late, because few pools clone.
  const { placeInClone } = require('../protocol/codec/clone-place.js');
  return withHint(error, placeInClone(root, value, isRefused));
}

module.exports = { payloadRefusal };
