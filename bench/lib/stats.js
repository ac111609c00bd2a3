'use strict';

/**
 * @param {number[]} samples not changed
 * @param {number} fraction 0 to 1
 */
function quantile(samples, fraction) {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = Math.ceil(fraction * sorted.length) - 1;
  return sorted[Math.min(Math.max(at, 0), sorted.length - 1)];
}

const mean = (samples) =>
  samples.reduce((sum, sample) => sum + sample, 0) / samples.length;

const median = (samples) => quantile(samples, 0.5);

/** @returns {{ median: number, low: number, high: number, rounds: number }} */
function summary(samples) {
  return {
    median: median(samples),
    low: quantile(samples, 0.25),
    high: quantile(samples, 0.75),
    rounds: samples.length,
  };
}

module.exports = { mean, median, quantile, summary };
