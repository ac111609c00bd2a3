'use strict';
// The outcomes of a party's promises: each has one, and one that may be.

const assert = require('node:assert');
const { Code, outcomeOf } = require('../scenario/support/check.js');

const EXPECTED = [
  'JobFailed',
  'JobCancelled',
  'JobTimeout',
  'ShutdownCancelled',
  'QueueFull',
  'QueueStopped',
  'ResourceLimit',
  'SerializationFailed',
  'Crashed',
  'StaleHandle',
  'PoolSaturated',
];

class Tally {
  counts = new Map();
  #open = [];
  #expected;

  /** @param {string[]} [more] names of codes beside the usual ones */
  constructor(more = []) {
    this.#expected = [...EXPECTED, ...more].map((name) => Code[name]);
  }

  add(promise) {
    let times = 0;
    const note = (outcome) => {
      times += 1;
      assert.strictEqual(times, 1, 'settled once');
      this.counts.set(outcome, (this.counts.get(outcome) ?? 0) + 1);
    };
    this.#open.push(outcomeOf(promise).then(note));
  }

  /** The same for a promise that has this value if it has any. */
  expect(value, promise) {
    this.add(promise.then((seen) => assert.deepStrictEqual(seen, value)));
  }

  async settle() {
    await Promise.all(this.#open);
    let total = 0;
    for (const [outcome, n] of this.counts) {
      total += n;
      assert.ok(outcome === 'ok' || this.#expected.includes(outcome), outcome);
    }
    assert.strictEqual(total, this.#open.length);
  }
}

module.exports = { Tally };
