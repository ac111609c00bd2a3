// The mistakes that the tests see: they are put into a folder, one at a time,
// and the simulation and the tests of what was touched must find them.
//
//   npm run test:mutation -- lib/admission            60 of its mutants
//   npm run test:mutation -- src/pool src/payload --sample 150 --seed 7
//   npm run test:mutation -- lib/pool --seed today    others each day
//   npm run test:mutation -- lib/pool --files map.js --sample all
//
// A part is drawn by the seed, because all of them take a day. The score is
// the share that was found; what is left is printed with its place.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { main, Problem } from './lib/fail.mjs';
import { root } from './lib/paths.mjs';
import { report } from './lib/results.mjs';
import { LATE } from './mutation/run.mjs';

// Percent. The step fails only below the floor, because a sample of 60 varies
// by ten.
const GOAL = 85;
const FLOOR = 75;
const DAY_MS = 86_400_000;

function filesOf(folder, part) {
  return readdirSync(join(root, folder), { recursive: true })
    .map((name) => `${folder}/${name}`)
    .filter((name) => /\.(js|cc)$/.test(name) && name.includes(part))
    .sort();
}

/** Numbers that the seed decides (mulberry32). */
function randomOf(seed) {
  let at = seed;
  return () => {
    at = (at + 0x6d2b79f5) | 0;
    let t = Math.imul(at ^ (at >>> 15), 1 | at);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function draw(all, count, seed) {
  const random = randomOf(seed);
  const left = [...all];
  const drawn = [];
  while (drawn.length < count && left.length > 0) {
    const at = Math.floor(random() * left.length);
    drawn.push(...left.splice(at, 1));
  }
  return drawn;
}

async function languageOf(folder) {
  if (folder.startsWith('lib/')) return import('./mutation/js.mjs');
  if (folder.startsWith('src/')) return import('./mutation/cc.mjs');
  throw new Problem('name a folder of lib or src');
}

function show({ file, line, kind, text, by }, end) {
  const what = text.replace(/\s+/g, ' ').slice(0, 70);
  console.log(`${end}: ${file}:${line} ${kind}: ${what} → ${by.slice(0, 40)}`);
}

/** Each lane takes the next mutant until there is none. */
async function lane(language, folder, queue, results) {
  const place = await language.open(folder);
  for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
    const by = await language.kill(place, mutant);
    results.push({ mutant, by });
    if (by === language.NOT_BUILT) continue;
    show(mutant, by === undefined ? 'SURVIVED' : `killed by ${by}`);
  }
}

async function test(folder, { sample, seed, files, lanes }) {
  const language = await languageOf(folder);
  const all = filesOf(folder, files).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return language.mutantsOf(text).map((mutant) => ({
      ...mutant,
      file,
      text: text.slice(mutant.start, mutant.end),
    }));
  });
  const count = sample === 'all' ? all.length : Number(sample);
  const queue = draw(all, count, seed);
  console.log(`${queue.length} of ${all.length} mutants of ${folder}`);
  const results = [];
  const folders = [];
  try {
    await language.prepare();
    const running = Array.from({ length: lanes }, () => {
      const place = mkdtempSync(join(tmpdir(), 'sw-mutants-'));
      folders.push(place);
      return lane(language, place, queue, results);
    });
    await Promise.all(running);
  } finally {
    for (const place of folders) {
      rmSync(place, { recursive: true, force: true });
    }
  }
  tell(folder, seed, results, language);
}

function tell(folder, seed, results, language) {
  const built = results.filter(({ by }) => by !== language.NOT_BUILT);
  for (const { mutant, by } of built) {
    if (by === undefined) show(mutant, 'SURVIVED');
  }
  const killed = built.filter(({ by }) => by !== undefined).length;
  const score = built.length === 0 ? 0 : (100 * killed) / built.length;
  const late = built.filter(({ by }) => by?.endsWith(LATE)).length;
  const about = `${killed} of ${built.length} killed (${late} ${LATE}), ${score.toFixed(0)} %`;
  console.log(`${folder}, seed ${seed}: ${about} (goal ${GOAL} %)`);
  const isGood = score >= FLOOR;
  report(`mutation of ${folder}`, isGood ? { passed: killed } : { failed: 1 });
}

const today = () => Math.floor(Date.now() / DAY_MS);

await main(async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      sample: { type: 'string', default: '60' },
      seed: { type: 'string', default: '1' },
      files: { type: 'string', default: '' },
      lanes: { type: 'string', default: '2' },
    },
  });
  if (positionals.length === 0) throw new Problem('name a folder');
  const seed = values.seed === 'today' ? today() : Number(values.seed);
  const lanes = Number(values.lanes);
  for (const folder of positionals) {
    await test(folder, { ...values, seed, lanes });
  }
});
