'use strict';
// Reports of what a process says. Each is made in one piece: V8 makes a new kind of
// object for each copy of another one that is changed, which cost a sixth of a tiny
// job.

const { hrtime } = require('../../base/own-time.js');
const { Report } = require('../owned/reports.js');
const { Kind } = require('./kinds.js');

/** @returns {object} the report that the run of a job begins */
const beganReport = (seq) => ({ kind: Report.Began, seq, at: hrtime() });

/**
 * @param {object} said of Conversation: an end, or a message
 * @returns {object} one of Report
 */
function reportOf({ kind, seq, channel, status, detail, value, spoilt }) {
  if (kind === Kind.Message) {
    return { kind: Report.Message, seq, channel, value };
  }
  if (kind === Kind.Done) {
    return { kind: Report.Done, seq, status, detail, value, spoilt };
  }
  return { kind: Report.Failed, at: hrtime(), status, detail, value };
}

module.exports = { beganReport, reportOf };
