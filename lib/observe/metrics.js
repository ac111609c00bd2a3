'use strict';

const { min } = require('../base/primordials.js');

const freeze = Object.freeze;

function metricsOf({ kind, name, meter }, counters, gauges, more) {
  return freeze({
    ...more,
    kind,
    name,
    since: meter.since,
    counters,
    gauges: freeze(gauges),
    histograms: meter.snapshot(),
  });
}

// Only of pools that have shared something.
function sharedOf(native) {
  const shares = native?.shares ?? null;
  return shares === null ? undefined : { shared: freeze(shares.snapshot()) };
}

// Only of pools that have had a job with a key.
function keysOf({ lanes }) {
  return lanes === null ? undefined : { keys: freeze(lanes.snapshot()) };
}

/**
 * @param {Watch} watch
 * @param {Admission} admission
 * @param {NativePool | null} native null before the first job
 * @returns {object} frozen; see PoolMetrics in types/metrics.d.ts
 */
function poolMetrics(watch, admission, native) {
  watch.measure();
  const [queued, running, workers] = native?.counts() ?? [0, 0, 0];
  return metricsOf(
    watch,
    freeze({
      ...admission.counters(),
      workersStarted: watch.workersStarted,
      workersExited: watch.workersExited,
    }),
    {
      waiting: admission.waiting,
      queued: queued + admission.places.heldBack,
      running,
      workers,
      // An abandoned thread keeps its job, but no longer counts as a worker.
      busy: min(running, workers),
    },
    { ...keysOf(admission), ...sharedOf(native) },
  );
}

/** @returns {object} frozen; see QueueMetrics in types/metrics.d.ts */
function queueMetrics(watch, admission) {
  watch.measure();
  const { queued, active } = admission.snapshot();
  return metricsOf(watch, admission.counters(), {
    waiting: admission.waiting,
    queued,
    running: active,
  });
}

module.exports = { poolMetrics, queueMetrics };
