'use strict';
// The channels of node:diagnostics_channel; docs/observability.md has their
// messages. No message holds any part of a payload.

const { channel } = require('node:diagnostics_channel');
const { hasOwn } = require('../protocol/codec/captured.js');
const { freeze } = require('../base/primordials.js');

let jobsWatched = false;

const named = (name) => channel(`sloppy-workers:${name}`);

/**
 * Makes a channel report changes of its subscribers, because checking every
 * channel for each job would double the cost of observation.
 */
function ofJobs(state) {
  const own = named(`job:${state}`);
  for (const name of ['subscribe', 'unsubscribe', 'bindStore', 'unbindStore']) {
    // Another copy of this library may have patched the channel before.
    const before = hasOwn(own, name) ? own[name] : null;
    own[name] = function (...args) {
      // Node changes a channel's prototype at its first subscriber.
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

/** @returns {boolean} whether a channel of jobs has subscribers */
const jobsAreWatched = () => jobsWatched;

/** Publishes `message()`, which is called only if there are subscribers. */
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
