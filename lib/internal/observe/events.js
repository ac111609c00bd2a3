'use strict';
// The channels of node:diagnostics_channel; docs/observability.md has their
// messages. Nothing of a payload is ever in one.

const { channel } = require('node:diagnostics_channel');

const named = (name) => channel(`sloppy-workers:${name}`);

const JobEvent = Object.freeze({
  submitted: named('job:submitted'),
  waiting: named('job:waiting'),
  queued: named('job:queued'),
  started: named('job:started'),
  retried: named('job:retried'),
  settled: named('job:settled'),
  refused: named('job:refused'),
});
const workerStarted = named('worker:started');
const workerExited = named('worker:exited');
const poolCreated = named('pool:created');
const poolStopped = named('pool:stopped');

const { submitted, waiting, queued, started, retried, settled, refused } =
  JobEvent;

/** @returns {boolean} somebody listens to what becomes of jobs */
function jobsAreWatched() {
  return (
    submitted.hasSubscribers ||
    settled.hasSubscribers ||
    started.hasSubscribers ||
    queued.hasSubscribers ||
    waiting.hasSubscribers ||
    retried.hasSubscribers
  );
}

/** Calls `message` only if somebody listens. */
function publish(to, message) {
  if (to.hasSubscribers) to.publish(Object.freeze(message()));
}

module.exports = {
  JobEvent,
  jobsAreWatched,
  poolCreated,
  poolStopped,
  publish,
  refused,
  workerExited,
  workerStarted,
};
