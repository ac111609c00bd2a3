'use strict';
// The reports of a worker, on a port that only it and its owner know. A worker
// runs code that the owner must not trust, so each message is checked.

const { codeById } = require('../../protocol/diagnostics.gen.js');

const { isInteger } = Number;

/** The kinds of messages. */
const Report = Object.freeze({
  /** `{ at, state, timeoutMs }`: `init` or the module's top level begins. */
  Starts: 1,
  /** Jobs may come. */
  Ready: 2,
  /**
   * `{ seq, at }`: the run of a job whose time is limited begins, from a worker
   * whose words do not show it (AheadWords).
   */
  Began: 3,
  /** `{ seq, channel, value }`: from a job, or with `seq` 0 from the worker. */
  Message: 4,
  /** A shared value was decoded. */
  TookShared: 5,
  /** `{ seq, status, detail, value, spoilt }`: the end of a job. */
  Done: 6,
  /** `{ at, status, detail, value }`: the worker cannot start. */
  Failed: 7,
  /** A message for the worker could not be read. */
  Unreadable: 8,
  /** `{ id, figures }`: what the owner has asked for. */
  Figures: 9,
});

/**
 * The states of a worker's start, in the memory that both have. Each part of the
 * start that has a limit has a state of its own, from `Runs` on.
 */
const Start = Object.freeze({ Booting: 0, Idle: 1, Ready: 2, Runs: 3 });

const isSeq = (value) => isInteger(value) && value >= 0;
const isTime = (value) => typeof value === 'bigint';
// Not NaN, which would disturb the order of all limits of this thread.
const isDuration = (value) => typeof value === 'number' && value >= 0;

const isEnd = ({ status, detail }) =>
  (status === 0 || codeById(status) !== undefined) &&
  isInteger(detail) &&
  detail >= 0;

const CHECKS = {
  __proto__: null,
  [Report.Starts]: ({ at, state, timeoutMs }) =>
    isTime(at) && isSeq(state) && isDuration(timeoutMs),
  [Report.Ready]: () => true,
  [Report.Began]: ({ seq, at }) => isSeq(seq) && isTime(at),
  [Report.Message]: ({ seq, channel }) => isSeq(seq) && isInteger(channel),
  [Report.TookShared]: () => true,
  [Report.Done]: (data) => isSeq(data.seq) && isEnd(data),
  [Report.Failed]: (data) => isTime(data.at) && isEnd(data),
  [Report.Unreadable]: () => true,
  [Report.Figures]: ({ id }) => isSeq(id),
};

/**
 * @param {unknown} data from a worker's port
 * @returns {boolean} it is one of Report, with all that belongs to it
 */
function isReport(data) {
  if (typeof data !== 'object' || data === null) return false;
  return CHECKS[data.kind]?.(data) === true;
}

module.exports = { Report, Start, isReport };
