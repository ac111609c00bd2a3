'use strict';
// Random graphs of modules give in workers what they give in Node itself.
const { compareGraphs } = require('../graphs/main.js');
const { assert, pass } = require('./support/check.js');

// Seeds of graphs that once differed, or ended the process, are among them.
for (const [first, count] of [
  [5, 20],
  [1000, 12],
  [90, 1],
  [97, 1],
  [162, 1],
  [300, 1],
  [2167, 1],
  [2560, 1],
  [3105, 1],
  [100_028, 1],
  [100_087, 1],
  [100_251, 1],
  [245_012, 1],
  [322_086, 1],
]) {
  assert.strictEqual(compareGraphs(first, count), 0);
}
assert.strictEqual(compareGraphs(21, 15, { wide: true }), 0);
pass();
