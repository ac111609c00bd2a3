'use strict';

const os = require('node:os');

const { PRIORITY_LOW } = os.constants.priority;

/**
 * Makes the process less urgent for the system; on Linux the calling thread, as
 * far as it has its own, and those that it starts.
 *
 * @param {number} nice 1 to 19
 */
function lowerPriority(nice) {
  try {
    os.setPriority(Math.min(os.getPriority() + nice, PRIORITY_LOW));
  } catch {
    // The system has another opinion, and it is only a wish.
  }
}

module.exports = { lowerPriority };
