'use strict';
// Rounds of a fuzzer: what it takes from the command line, and what must hold
// after each round whatever is fuzzed.

const assert = require('node:assert');
const { parseArgs } = require('node:util');

const { Random } = require('../chaos/random.js');

const MAX_GROWTH = 256 << 20;
const LOOK_AFTER = 10_000;

/**
 * @param {string} name
 * @param {object} options
 * @param {object} options.counts of what has happened, to be printed
 * @param {(random: Random) => void} options.round
 * @param {(error: unknown) => boolean} options.isExpected whether a round may
 *   end with it; `counts.refused` has how many do
 */
function runRounds(name, { counts, isExpected, round }) {
  const { values } = parseArgs({
    options: {
      cases: { type: 'string', default: '200000' },
      seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    },
  });
  console.log(`${name} on ${process.version}, seed ${values.seed}`);
  const own = Reflect.ownKeys(Object.prototype).length;
  let before = process.memoryUsage().rss;
  for (let n = 1; n <= Number(values.cases); n += 1) {
    // A seed of its own, so that a round is seen again by its number.
    const seed = Number(values.seed) + n;
    try {
      round(new Random(seed));
    } catch (error) {
      if (!isExpected(error)) {
        console.error(`seen again by --seed ${seed - 1} --cases 1`);
        throw error;
      }
      counts.refused += 1;
    }
    if (n % LOOK_AFTER !== 0) continue;
    assert.strictEqual(Reflect.ownKeys(Object.prototype).length, own);
    const { rss } = process.memoryUsage();
    assert.ok(rss - before < MAX_GROWTH, `${rss - before} bytes more`);
    before = rss;
  }
  console.log(counts);
  for (const [what, count] of Object.entries(counts)) {
    assert.ok(count > 0, `none of ${what}`);
  }
}

/** Reports as many kinds of rounds; an error that `body` throws ends it all. */
async function report(name, passed, body) {
  try {
    body();
    const results = await import('../../scripts/lib/results.mjs');
    results.report(name, { passed });
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
}

module.exports = { report, runRounds };
