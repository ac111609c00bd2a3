'use strict';

/** Stored in `job.state`; the partial indexes and triggers name the numbers. */
const State = Object.freeze({
  Waiting: 0,
  Active: 1,
  Completed: 2,
  Failed: 3,
  Delayed: 4,
  WaitingChildren: 5,
});

/** The states by number, as events and errors name them. */
const STATE_NAMES = [
  'waiting',
  'active',
  'completed',
  'failed',
  'delayed',
  'waiting-children',
];

/** Stored in `dep.status`: how a parent sees its child. */
const Child = Object.freeze({
  Pending: 0,
  Processed: 1,
  Ignored: 2,
  Failed: 3,
});

/**
 * A waiting job with rank 0 is in the list `wait`, any other is `prioritized`.
 *
 * @param {{ state: number, rank: number }} job
 * @returns {string}
 */
const stateOf = ({ state, rank }) =>
  state === State.Waiting && rank > 0 ? 'prioritized' : STATE_NAMES[state];

module.exports = { Child, STATE_NAMES, State, stateOf };
