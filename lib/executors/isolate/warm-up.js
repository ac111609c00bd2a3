'use strict';

const { Admission } = require('../../admission/admission.js');
const { readCall } = require('../read-call.js');

// Enough calls for V8 to compile the path of a job on both sides.
const TIMES = 8;

// Names the global object, so that the realm defines its globals in advance.
const echo = ({ input }) => (globalThis === undefined ? null : input);

/**
 * Lets an executor without a pool run jobs of ours, so that the first one of
 * its pool finds their way compiled and known.
 *
 * @param {NativePool} executor that is attached to its pool later
 * @returns {Promise<void>} never rejects
 */
async function warmUp(executor) {
  const admission = Admission.forOne('spare', executor);
  for (let n = 0; n < TIMES; n += 1) {
    const entry = executor.entries.function(echo);
    try {
      await admission.admitPlain(
        entry,
        readCall(executor, admission, entry, n),
      );
    } catch {
      // The jobs of the pool will report the failure.
      return;
    }
  }
}

module.exports = { warmUp };
