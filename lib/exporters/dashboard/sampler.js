'use strict';

const { PoolsReader } = require('../../observe/pools-reader.js');

const DONE = ['completed', 'failed', 'cancelled', 'timedOut'];

const doneOf = (counters) =>
  DONE.reduce((total, outcome) => total + counters[outcome], 0);

/** Values recorded between two snapshots of a histogram, by bucket. */
function bucketsBetween(before, after) {
  const known = new Map();
  for (const { upTo, count } of before?.buckets ?? []) known.set(upTo, count);
  return after.buckets
    .map(({ upTo, count }) => ({ upTo, count: count - (known.get(upTo) ?? 0) }))
    .filter(({ count }) => count > 0);
}

/** @returns {number | null} null if no value was recorded */
function percentile(buckets, share) {
  const total = buckets.reduce((sum, { count }) => sum + count, 0);
  let below = 0;
  for (const { upTo, count } of buckets) {
    below += count;
    if (below >= share * total) return upTo;
  }
  return null;
}

/**
 * Turns the metrics of pools into changes from one sample to the next: rates,
 * and percentiles of the jobs that ended meanwhile.
 */
class Sampler {
  #reader;
  #last = new Map();
  #lastAt = 0;

  /** @param {() => Iterable<Measured>} pools */
  constructor(pools) {
    this.#reader = new PoolsReader(pools);
  }

  /**
   * Takes the first reading, which starts the histograms.
   *
   * @throws whatever the caller's code throws
   */
  begin() {
    this.#reader.readOrThrow(() => {});
  }

  /**
   * @returns {{ at: number, pools: object[], isPartial?: true }} `at` in ms
   *   since 1970; partial if a pool could not be read
   */
  take() {
    const now = performance.now();
    const seconds = (now - this.#lastAt) / 1000;
    this.#lastAt = now;
    const last = this.#last;
    const next = new Map();
    this.#last = next;
    const pools = [];
    const isWhole = this.#reader.read((pool, metrics) => {
      pools.push(sampleOf(metrics, last.get(pool), seconds));
      next.set(pool, metrics);
    });
    const sample = { at: Date.now(), pools };
    return isWhole ? sample : { ...sample, isPartial: true };
  }
}

function sampleOf(metrics, last, seconds) {
  const { kind, name, counters, gauges, histograms, keys, shared } = metrics;
  const rate = (count) => (last === undefined ? 0 : count / seconds);
  const before = last?.counters ?? counters;
  const latency = bucketsBetween(last?.histograms.totalMs, histograms.totalMs);
  return {
    kind,
    name,
    ...gauges,
    counters,
    keys,
    shared,
    donePerSecond: rate(doneOf(counters) - doneOf(before)),
    failedPerSecond: rate(
      doneOf(counters) -
        counters.completed -
        (doneOf(before) - before.completed),
    ),
    p50: last === undefined ? null : percentile(latency, 0.5),
    p99: last === undefined ? null : percentile(latency, 0.99),
    latency: {
      count: histograms.totalMs.count,
      p50: histograms.totalMs.p50,
      p99: histograms.totalMs.p99,
    },
  };
}

module.exports = { Sampler };
