'use strict';
// Random mixes of everything that a process may do with this library:
//   node test/chaos/main.js [--minutes 1] [--seed n] [--rounds n]
//
// Each round prints its seed; `--seed n --rounds 1` plays it again. After each
// round every promise has settled once, the counts add up, and no thread,
// descriptor, handle, isolate, realm, buffer or threadsafe function has stayed
// behind.

const { parseArgs } = require('node:util');
const { ACTORS } = require('./actors.js');
const { expectNoMoreThan, takeInventory } = require('./leaks.js');
const { Random } = require('./random.js');

const WARM_UP = 3;
const MAX_GROWTH_MB = 700;

const ROUND_MS = 240_000;

/** Rejects if a round hangs, with what there is. */
async function withinLimit(round) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => {
      const counts = JSON.stringify(takeInventory());
      reject(new Error(`no end in ${ROUND_MS} ms: ${counts}`));
    }, ROUND_MS);
  });
  try {
    await Promise.race([round, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function playRound(seed) {
  const random = new Random(seed);
  const actors = Array.from({ length: 1 + random.below(4) }, () =>
    random.pick(ACTORS)(new Random(random.below(2 ** 31))),
  );
  await Promise.all(actors);
}

/** Every kind of party once, so that what stays for good is there. */
async function warmUp() {
  const random = new Random(1);
  for (let i = 0; i < WARM_UP; i++) {
    await Promise.all(ACTORS.map((actor) => actor(random)));
  }
}

async function main() {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '1' },
      rounds: { type: 'string', default: 'Infinity' },
      seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
      suite: { type: 'string', default: 'chaos' },
    },
  });
  const first = Number(values.seed);
  console.log(`chaos on ${process.version}, seed ${first}`);
  await warmUp();
  const before = takeInventory();
  const mb = () => Math.round(process.memoryUsage.rss() / 2 ** 20);
  const begunMb = mb();
  const end = performance.now() + Number(values.minutes) * 60_000;
  let rounds = 0;
  let seed = first;
  try {
    for (; rounds < Number(values.rounds); rounds++) {
      if (rounds > 0 && performance.now() > end) break;
      seed = (first + rounds) | 0;
      await withinLimit(playRound(seed));
      await expectNoMoreThan(before);
      if (mb() > begunMb + MAX_GROWTH_MB)
        throw new Error(`${mb()} MB resident`);
    }
  } catch (error) {
    console.log(`round ${rounds} failed: --seed ${seed} --rounds 1`);
    throw error;
  }
  console.log(`${rounds} rounds, ${JSON.stringify(before)}, ${mb()} MB`);
  const { report } = await import('../../scripts/lib/results.mjs');
  report(values.suite, { passed: rounds });
}

process.on('unhandledRejection', (error) => {
  console.log('unhandled rejection');
  throw error;
});
main().catch((error) => {
  console.error(error);
  process.exit(1);
});
