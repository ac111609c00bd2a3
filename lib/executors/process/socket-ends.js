'use strict';

const { looseFunctions } = require('../../addon/load.js');

/**
 * @returns {{ ours: number, theirs: number } | undefined} the descriptors of a
 *   socket's two ends, of which no other process gets one, with the addon on Linux
 */
function makeEnds() {
  try {
    return looseFunctions().makeEnds();
  } catch {
    // The addon is missing or forbidden.
    return undefined;
  }
}

module.exports = { makeEnds };
