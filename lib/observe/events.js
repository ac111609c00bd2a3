'use strict';
// The channels of node:diagnostics_channel; docs/observability.md has their
// messages. Nothing of a payload is ever in one.

const { channel } = require('node:diagnostics_channel');
const { hasOwn } = require('../protocol/codec/captured.js');
const { freeze } = require('../base/primordials.js');

let jobsWatched = false;

const named = (name) => channel(`sloppy-workers:${name}`);

/**
 * A channel that says when its subscribers change: asking each channel anew
 * for each job would cost as much as the rest of what watching needs.
 */
function ofJobs(state) {
  const own = named(`job:${state}`);
  for (const name of ['subscribe', 'unsubscribe', 'bindStore', 'unbindStore']) {
    // Another copy of this library may have been here before.
    const before = hasOwn(own, name) ? own[name] : null;
    own[name] = function (...args) {
      // Node gives a channel another prototype with its first subscriber.
      const change = before ?? Object.getPrototypeOf(this)[name];
      const done = change.apply(this, args);
      jobsWatched = Object.values(JobEvent).some((to) => to.hasSubscribers);
      return done;
    };
  }
  return own;
}

const JobEvent = freeze({
  submitted: ofJobs('submitted'),
  waiting: ofJobs('waiting'),
  queued: ofJobs('queued'),
  started: ofJobs('started'),
  retried: ofJobs('retried'),
  settled: ofJobs('settled'),
  refused: ofJobs('refused'),
});
jobsWatched = Object.values(JobEvent).some((to) => to.hasSubscribers);
const workerStarted = named('worker:started');
const workerExited = named('worker:exited');
const poolCreated = named('pool:created');
const poolStopped = named('pool:stopped');

/** @returns {boolean} somebody listens to what becomes of jobs */
const jobsAreWatched = () => jobsWatched;

/** Calls `message` only if somebody listens. */
function publish(to, message) {
  if (to.hasSubscribers) to.publish(freeze(message()));
}

module.exports = {
  JobEvent,
  jobsAreWatched,
  poolCreated,
  poolStopped,
  publish,
  workerExited,
  workerStarted,
};
