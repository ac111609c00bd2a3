'use strict';

const { processFacts, systemNumbers } = require('./process-facts.js');
const { realmOptions } = require('../realm-options.js');
const { freeze } = require('../../base/primordials.js');
const { reserveFor } = require('./reserve.js');
const { POOL } = require('../../options/option-sets.js');
const { Isolation } = require('../../protocol/wire.gen.js');

const { stringify } = JSON;
const ISOLATION = freeze({
  worker: Isolation.Worker,
  context: Isolation.Context,
  isolate: Isolation.Isolate,
});

// Whether the realm may be made late: it has nothing to do before its first
// job.
const mayStartLate = (settings) =>
  settings.module === undefined &&
  settings.init === undefined &&
  settings.host === undefined &&
  settings.port !== true &&
  settings.announceIdle !== true &&
  settings.concurrentJobsPerWorker === 1;

const NATIVE = POOL.names.filter(
  (name) => POOL.rows[name].native !== undefined,
);

/** The settings that the addon takes as they are, by its names for them. */
function asGiven(settings) {
  const given = { __proto__: null };
  for (let i = 0; i < NATIVE.length; i++) {
    given[POOL.rows[NATIVE[i]].native] = settings[NATIVE[i]];
  }
  return given;
}

/**
 * The options for `createPool` of the addon (binding/pool_calls.cc).
 *
 * @param {object} settings of a pool or worker, checked
 * @param {number} spinMs how long idle workers poll
 * @param {boolean} starts whether its first worker starts at once
 */
const nativeOptions = (settings, spinMs, starts) => ({
  name: settings.name,
  ...asGiven(settings),
  spinMs,
  isolation: ISOLATION[settings.isolation],
  endsWithIsolate: settings.port === true,
  announceIdle:
    settings.announceIdle === true ||
    settings.init !== undefined ||
    settings.module !== undefined,
  lateRuntime: mayStartLate(settings),
  realmOptions: stringify(realmOptions(settings)),
  processFacts: processFacts(settings),
  systemNumbers: systemNumbers(),
  capacity: settings.capacity,
  reserve: reserveFor(settings),
  deadlineFirst: settings.order === 'deadline',
  // `init` needs its data first; a job that arrives before the start fails with
  // it.
  starts:
    starts && settings.init === undefined && settings.module === undefined,
});

module.exports = { nativeOptions };
