'use strict';

const { queueMicrotask } = require('../base/primordials.js');
const { PoolsReader } = require('../observe/pools-reader.js');
const { takeOptions } = require('../options/take-options.js');

const DEFAULT_PREFIX = 'sloppy_workers_';
const MS_PER_SECOND = 1000;

const range = (from, to, step) =>
  Array.from({ length: (to - from) / step + 1 }, (_, i) => from + i * step);
// The edges are edges of our own buckets, so that the sums are exact: from 16
// µs to 65 s, and from 64 bytes to 1 GiB.
const MS_EDGES = range(-6, 16, 2).map((exponent) => 2 ** exponent);
const BYTE_EDGES = range(6, 30, 4).map((exponent) => 2 ** exponent);

const OUTCOMES = ['completed', 'failed', 'cancelled', 'timedOut'];
const STATES = ['waiting', 'queued', 'running'];

function* outcomesOf({ counters }) {
  for (const outcome of OUTCOMES) yield [{ outcome }, counters[outcome]];
}

function* codesOf({ counters }) {
  for (const [code, count] of Object.entries(counters.byCode)) {
    yield [{ code }, count];
  }
}

function* statesOf({ gauges }) {
  for (const state of STATES) yield [{ state }, gauges[state]];
}

function* threadsOf({ gauges: { workers, busy } }) {
  if (workers === undefined) return;
  yield [{ state: 'alive' }, workers];
  yield [{ state: 'busy' }, busy];
}

const partOf = (part, field) =>
  function* (metrics) {
    if (metrics[part] !== undefined) yield [{}, metrics[part][field]];
  };

const counter = (field) =>
  function* ({ counters }) {
    if (counters[field] !== undefined) yield [{}, counters[field]];
  };

/** The series of a histogram, in the base unit of Prometheus. */
const histogram = (field, edges, perUnit) =>
  function* ({ histograms }) {
    const { buckets, count, sum } = histograms[field];
    let next = 0;
    let below = 0;
    for (const edge of edges) {
      while (next < buckets.length && buckets[next].upTo <= edge) {
        below += buckets[next].count;
        next += 1;
      }
      yield [{ le: edge / perUnit }, below, '_bucket'];
    }
    yield [{ le: '+Inf' }, count, '_bucket'];
    yield [{}, sum / perUnit, '_sum'];
    yield [{}, count, '_count'];
  };

const seconds = (field) => histogram(field, MS_EDGES, MS_PER_SECOND);
const bytes = (field) => histogram(field, BYTE_EDGES, 1);

// Name, type, description, series of one snapshot of metrics.
const METRICS = [
  ['jobs_submitted', 'counter', 'Calls that were taken', counter('submitted')],
  ['jobs_settled', 'counter', 'Jobs that ended, by outcome', outcomesOf],
  ['jobs_refused', 'counter', 'Calls that were not taken', counter('refused')],
  ['errors', 'counter', 'Jobs and calls that failed, by code', codesOf],
  [
    'threads_started',
    'counter',
    'Threads that began',
    counter('workersStarted'),
  ],
  ['threads_exited', 'counter', 'Threads that ended', counter('workersExited')],
  ['jobs', 'gauge', 'Jobs now, by state', statesOf],
  ['threads', 'gauge', 'Threads now', threadsOf],
  ['keys', 'gauge', 'Keys with jobs now', partOf('keys', 'active')],
  [
    'jobs_held',
    'gauge',
    "Queued jobs that wait for their key's turn",
    partOf('keys', 'held'),
  ],
  [
    'shared_values',
    'gauge',
    'Values that are shared now',
    partOf('shared', 'values'),
  ],
  [
    'shared_bytes',
    'gauge',
    'What they take, encoded',
    partOf('shared', 'bytes'),
  ],
  [
    'shared_encodes',
    'counter',
    'Shared values that were encoded',
    partOf('shared', 'encodes'),
  ],
  [
    'shared_decodes',
    'counter',
    'Shared values that workers decoded',
    partOf('shared', 'decodes'),
  ],
  [
    'job_queue_seconds',
    'histogram',
    'From submission to start',
    seconds('queueMs'),
  ],
  ['job_run_seconds', 'histogram', 'From start to end', seconds('runMs')],
  [
    'job_duration_seconds',
    'histogram',
    'From submission to end',
    seconds('totalMs'),
  ],
  [
    'job_cpu_seconds',
    'histogram',
    'CPU time, of a sample of short jobs',
    seconds('cpuMs'),
  ],
  ['job_payload_bytes', 'histogram', 'Sizes of inputs', bytes('payloadBytes')],
  ['job_result_bytes', 'histogram', 'Sizes of results', bytes('resultBytes')],
];

/**
 * One metric as prom-client's registries read it. Its values are read from the
 * pools at the scrape, so nothing is counted twice.
 */
class PoolsMetric {
  aggregator = 'sum';
  #snapshots;
  #at;

  /** @param {number} at its row of METRICS */
  constructor(name, type, help, at, snapshots) {
    this.name = name;
    this.type = type;
    this.help = help;
    this.#at = at;
    this.#snapshots = snapshots;
  }

  async get() {
    const { name, type, help, aggregator } = this;
    return { name, type, help, aggregator, values: this.#values() };
  }

  /**
   * Required by the interface; does nothing, because pools own their counters.
   */
  reset() {}

  // Pools of one kind and name are one series.
  #values() {
    const all = new Map();
    for (const { kind, name: pool, series } of this.#snapshots.take()) {
      for (const [own, value, suffix = ''] of series[this.#at]) {
        const labels = { kind, pool, ...own };
        const key = JSON.stringify([suffix, labels]);
        const known = all.get(key);
        if (known !== undefined) known.value += value;
        else {
          all.set(key, {
            metricName: `${this.name}${suffix}`,
            labels,
            value,
          });
        }
      }
    }
    return [...all.values()];
  }
}

function readPools(pools) {
  if (typeof pools === 'function') return pools;
  const list = Array.isArray(pools) ? [...pools] : [pools];
  if (!list.every((pool) => typeof pool?.metrics === 'function')) {
    throw new TypeError(
      'register pools must be pools, workers or queues, or a function that ' +
        'returns them.',
    );
  }
  return () => list;
}

/**
 * The series of all pools by metric, read once per scrape. A pool that cannot
 * be read is left out, because the registry's other metrics must still be
 * served.
 */
function snapshotsOf(pools) {
  const reader = new PoolsReader(pools);
  let taken = null;
  return {
    begin: () => reader.readOrThrow(() => {}),
    take() {
      if (taken !== null) return taken;
      // Set first, so that the caller's code runs once per scrape even if it
      // throws.
      taken = [];
      queueMicrotask(() => {
        taken = null;
      });
      const all = taken;
      reader.read((_pool, metrics) => {
        const { kind, name } = metrics;
        const series = METRICS.map(([, , , seriesOf]) => [
          ...seriesOf(metrics),
        ]);
        all.push({ kind, name, series });
      });
      return all;
    },
  };
}

/**
 * Adds the metrics of pools, workers and queues to a registry of prom-client.
 *
 * @param {object | object[] | (() => Iterable<object>)} pools
 * @param {object} [options]
 * @param {object} [options.registry] default: prom-client's own
 * @param {string} [options.prefix] default `sloppy_workers_`
 * @returns {{ unregister(): void }}
 * @throws {TypeError}
 * @throws {Error} prom-client is not installed, or a name is taken
 */
function register(pools, options = undefined) {
  const snapshots = snapshotsOf(readPools(pools));
  const bag = takeOptions('register', options, ['registry', 'prefix']);
  const { prefix = DEFAULT_PREFIX } = bag;
  if (typeof prefix !== 'string' || !/^([a-zA-Z_:][\w:]*)?$/.test(prefix)) {
    throw new TypeError(
      'register prefix must be letters, digits, _ and :, not a digit first.',
    );
  }
  const registry = bag.registry ?? require('prom-client').register;
  if (typeof registry.registerMetric !== 'function') {
    throw new TypeError('register registry must be a Registry of prom-client.');
  }
  // prom-client adds the suffix itself for OpenMetrics.
  const isOpenMetrics = /openmetrics/.test(registry.contentType);
  const total = isOpenMetrics ? '' : '_total';
  // Starts the histograms.
  snapshots.begin();
  const added = [];
  const unregister = () => {
    for (const metric of added.splice(0)) {
      // Other code may have replaced it.
      if (registry.getSingleMetric(metric.name) === metric) {
        registry.removeSingleMetric(metric.name);
      }
    }
  };
  try {
    METRICS.forEach(([own, type, help], at) => {
      const name = `${prefix}${own}${type === 'counter' ? total : ''}`;
      const metric = new PoolsMetric(name, type, help, at, snapshots);
      registry.registerMetric(metric);
      added.push(metric);
    });
  } catch (error) {
    // A name is taken: none is registered, so that another prefix can be tried.
    unregister();
    throw error;
  }
  return { unregister };
}

module.exports = { register };
