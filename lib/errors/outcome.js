'use strict';

const { Code } = require('../protocol/diagnostics.gen.js');
const { freeze } = require('../base/primordials.js');

/** How a job ended. `Exhausted` is a failure after more than one attempt. */
const Outcome = freeze({
  Completed: 0,
  Failed: 1,
  Exhausted: 2,
  Cancelled: 3,
  TimedOut: 4,
});

/** @returns {number} the Outcome for the code of a job's error */
function outcomeOf(code) {
  if (code === Code.JobTimeout) return Outcome.TimedOut;
  if (code === Code.JobCancelled || code === Code.ShutdownCancelled) {
    return Outcome.Cancelled;
  }
  return Outcome.Failed;
}

/** The same for a job that was abandoned before its code ended. */
const outcomeOfAbandoned = ({ code }) =>
  code === Code.JobTimeout ? Outcome.TimedOut : Outcome.Cancelled;

module.exports = { Outcome, outcomeOf, outcomeOfAbandoned };
