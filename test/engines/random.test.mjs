// Random calls on a file and on Redis: what is seen is the same after each.
//
// ENGINES_SEED=17 runs one seed, ENGINES_SEEDS=500 as many.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engine, places } from './lib/harness.mjs';
import { Chance, nextCall } from './lib/random.mjs';
import { Side } from './lib/random-side.mjs';

const stores = Object.fromEntries(places());
const CALLS = 60;
const { ENGINES_SEED: only, ENGINES_SEEDS: count = 10 } = process.env;
const seeds = only
  ? [Number(only)]
  : Array.from({ length: Number(count) }, (_, at) => at + 1);

const reason = stores.redis && stores.sqlite ? false : 'no Redis or no SQLite';

/** @returns {string[]} where two plain values differ */
function differences(actual, expected, path = '') {
  if (JSON.stringify(actual) === JSON.stringify(expected)) return [];
  const isPlain = (value) => typeof value === 'object' && value !== null;
  if (!isPlain(actual) || !isPlain(expected)) {
    const text = [actual, expected].map((value) => JSON.stringify(value));
    return [`${path}: ${text[0]}, on Redis ${text[1]}`];
  }
  const keys = new Set([...Object.keys(actual), ...Object.keys(expected)]);
  return [...keys].flatMap((key) =>
    differences(actual[key], expected[key], `${path}.${key}`),
  );
}

for (const seed of seeds) {
  test(`seed ${seed}`, { skip: reason }, async () => {
    const sides = ['redis', 'sqlite'].map(
      (name) => new Side(engine(name, stores[name])),
    );
    const chance = new Chance(seed);
    const calls = [];
    try {
      for (let n = 0; n < CALLS; n++) {
        const next = nextCall(chance);
        const [onRedis, onFile] = await Promise.all(
          sides.map(async (side) => ({
            said: await side.run(next),
            ...(await side.look(next)),
          })),
        );
        calls.push(`${next.text} ${JSON.stringify(onRedis.said)}`);
        const found = differences(onFile, onRedis);
        if (found.length === 0) continue;
        assert.fail(
          `${found.slice(0, 20).join('\n')}\nafter\n${calls.join('\n')}`,
        );
      }
    } finally {
      for (const side of sides) await side.close();
    }
  });
}
