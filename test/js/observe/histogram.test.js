'use strict';

const fc = require('fast-check');

const { bytes, milliseconds } = require('../../../lib/observe/histogram.js');

const ofAll = (values, histogram = milliseconds()) => {
  for (const value of values) histogram.record(value);
  return histogram.snapshot();
};

test('an empty histogram is all zeros', () => {
  expect(ofAll([])).toEqual({
    count: 0,
    sum: 0,
    min: 0,
    max: 0,
    mean: 0,
    p50: 0,
    p90: 0,
    p99: 0,
    buckets: [],
  });
});

test('count, sum, extremes and mean are exact', () => {
  expect(ofAll([4, 1, 7])).toMatchObject({
    count: 3,
    sum: 12,
    min: 1,
    max: 7,
    mean: 4,
  });
});

test('percentiles lie within an eighth of the value they stand for', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0.002, max: 1e6, noNaN: true }), {
        minLength: 1,
        maxLength: 300,
      }),
      (values) => {
        const snapshot = ofAll(values);
        const sorted = [...values].sort((a, b) => a - b);
        for (const [name, share] of [
          ['p50', 0.5],
          ['p90', 0.9],
          ['p99', 0.99],
        ]) {
          const exact = sorted[Math.ceil(share * sorted.length) - 1];
          expect(Math.abs(snapshot[name] - exact)).toBeLessThanOrEqual(
            exact / 8,
          );
        }
      },
    ),
  );
});

test('every value is in the bucket that ends above it', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e7, noNaN: true }), (value) => {
      const { buckets } = ofAll([value]);
      expect(buckets).toHaveLength(1);
      // Values beyond the last bucket are counted in it.
      if (value < 2 ** 22) expect(buckets[0].upTo).toBeGreaterThan(value);
    }),
  );
});

test('values outside the scale are counted in its first and last bucket', () => {
  const { buckets, count, max } = ofAll([0, 1e-9, 1e12]);
  expect(buckets.map((bucket) => bucket.count)).toEqual([2, 1]);
  expect({ count, max }).toEqual({ count: 3, max: 1e12 });
  expect(ofAll([0, 8], bytes()).buckets).toEqual([
    { upTo: 1.125, count: 1 },
    { upTo: 9, count: 1 },
  ]);
});

test('a snapshot is frozen and does not follow', () => {
  const histogram = milliseconds();
  histogram.record(1);
  const before = histogram.snapshot();
  histogram.record(2);
  expect(before.count).toBe(1);
  expect(Object.isFrozen(before)).toBe(true);
  expect(Object.isFrozen(before.buckets)).toBe(true);
});
