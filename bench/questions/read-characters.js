'use strict';

const { jobs } = require('../jobs.js');
const { openPool } = require('../peers/index.js');

// Length of a text, and how many come together. The shortest pass takes 0.3 ms.
const SIZES = {
  '10 B': [10, 1000],
  '1 KB': [1000, 100],
  '100 KB': [100_000, 3],
  '10 MB': [10_000_000, 1],
};
const UNITS = { 'one byte': 'lorem ipsum\n', 'two bytes': 'lörem ipsµm €\n' };
const UNITS_A_PASS = 300_000;

const lines = {};
for (const size of Object.keys(SIZES)) {
  for (const unit of Object.keys(UNITS)) {
    for (const way of ['there', 'back']) {
      lines[`${size}, ${unit}, ${way}`] = {
        title: `${size} of ${unit} a character, ${way === 'there' ? 'in the job' : 'of its result'}`,
        unit: '×',
        better: 'lower',
        goals: [{ limit: 1.1 }],
      };
    }
  }
}

const flatText = (unit, size) =>
  JSON.parse(JSON.stringify(unit.repeat(size / unit.length + 1))).slice(
    0,
    size,
  );

async function measure(pool, quick) {
  const found = {};
  for (const [name, [size, count]] of Object.entries(SIZES)) {
    if (quick && size > 1e6) continue;
    for (const [width, unit] of Object.entries(UNITS)) {
      const passes = Math.ceil(UNITS_A_PASS / (size * count));
      const texts = Array.from({ length: count }, () => flatText(unit, size));
      const there = await pool.call({ texts, passes });
      found[`${name}, ${width}, there`] = there.ratio;
      found[`${name}, ${width}, back`] = jobs.readCharacters({
        texts: there.texts,
        passes,
      }).ratio;
    }
  }
  return found;
}

const subjects = {};
for (const peer of ['sloppy-workers', 'worker_threads']) {
  subjects[peer] = async ({ quick }) => {
    const pool = await openPool(peer, { job: 'readCharacters' });
    await measure(pool, quick);
    return { round: () => measure(pool, quick), close: pool.close };
  };
}

module.exports = {
  title: "Reading every character of what came, relative to the realm's own",
  maxRounds: 5,
  lines,
  subjects,
};
