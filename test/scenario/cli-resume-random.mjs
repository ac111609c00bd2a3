// limit: 900 s
// `map --checkpoint` interrupted over and over at random moments: each record
// is in the results or among the dead letters, once, and in order.
//
//   node test/scenario/cli-resume-random.mjs [rounds] [seed]

import assert from 'node:assert';
import { spawn } from 'node:child_process';
import {
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const { Random } = createRequire(import.meta.url)('../chaos/random.js');

const bin = fileURLToPath(
  new URL('../../bin/sloppy-workers.js', import.meta.url),
);
const [rounds = 6, seed = Date.now() & 0xffff] = process.argv
  .slice(2)
  .map(Number);
const random = new Random(seed);
const COUNT = 4000;
const MOST_INTERRUPTIONS = 12;
const SIGNALS = ['SIGINT', 'SIGKILL', 'SIGTERM'];
const EXITS = { SIGINT: 130, SIGTERM: 143 };
const ids = Array.from({ length: COUNT }, (_, id) => id);

// Every record takes a while, and those of the 50s fail.
const MODULE = `
function work(id) {
  const end = performance.now() + 0.15;
  while (performance.now() < end);
  if (id % 100 >= 50 && id % 7 === 0) throw new RangeError('seven');
  return { id };
}
export const record = ({ id }) => work(Number(id));
export const line = (text) => JSON.stringify(work(Number(text.split(' ')[0])));
`;
const mayFail = (id) => id % 100 >= 50 && id % 7 === 0;

const INPUTS = {
  ndjson: (id) => `{"id":${id},"text":"é${'€'.repeat(id % 40)}"}\n`,
  json: (id) => `${id === 0 ? '[' : ','}{"id":${id},"text":"],\\"{"}\n`,
  csv: (id) => `${id === 0 ? 'id,text\n' : ''}${id},"a ""b""\n${id}"\n`,
  lines: (id) => `${id} ${'x'.repeat(id % 60)}\r\n`,
};

const OUTPUTS = {
  ndjson: (text) => readLines(text).map((line) => JSON.parse(line).id),
  json: (text) => JSON.parse(text).map(({ id }) => id),
  csv: (text) => readLines(text).slice(1).map(Number),
};

const readLines = (text) => (text === '' ? [] : text.trimEnd().split('\n'));

const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs;

/** Resolves when the run has saved how far it is, or is over. */
async function underWay(child, checkpoint) {
  const before = changedAt(checkpoint);
  while (child.exitCode === null && changedAt(checkpoint) === before) {
    await delay(3);
  }
}

async function interrupt(child, { signal, checkpoint, afterMs }) {
  if (checkpoint !== undefined) await underWay(child, checkpoint);
  await delay(afterMs);
  child.kill(signal);
}

function execute(args, interruption) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [bin, ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    if (interruption !== undefined) interrupt(child, interruption);
    child.on('close', (code, by) => resolve({ code, by, stderr }));
  });
}

async function round(folder) {
  const format = random.pick(Object.keys(INPUTS));
  const isOrdered = random.chance(0.5);
  const keepsFailures = random.chance(0.7);
  const file = (name) => join(folder, name);
  writeFileSync(file('tasks.mjs'), MODULE);
  const ending = format === 'json' ? ']' : '';
  writeFileSync(
    file(`in.${format}`),
    ids.map(INPUTS[format]).join('') + ending,
  );
  const to = format === 'lines' ? 'lines' : random.pick(Object.keys(OUTPUTS));
  const args = [
    ...[
      'map',
      `${file('tasks.mjs')}#${format === 'lines' ? 'line' : 'record'}`,
    ],
    ...[file(`in.${format}`), '--format', format],
    ...['--output', file('out'), '--output-format', to],
    ...['--checkpoint', file('checkpoint'), '--checkpoint-interval', '15ms'],
    ...['--workers', '2', ...(isOrdered ? [] : ['--unordered'])],
    ...[
      '--on-error',
      ...(keepsFailures ? ['dead-letter', file('bad')] : ['skip']),
    ],
    ...(random.chance(0.5) ? ['--batch', `${1 + random.below(60)}`] : []),
  ];
  const ends = [];
  for (let i = 0; i < MOST_INTERRUPTIONS; i += 1) {
    const signal = random.pick(SIGNALS);
    // Some while it starts, most while it works.
    const checkpoint = random.chance(0.8) ? file('checkpoint') : undefined;
    const afterMs = random.below(250);
    const end = await execute(args, { signal, checkpoint, afterMs });
    ends.push(end.by ?? end.code);
    if (end.code === 0) break;
    // A signal ends it as any other process before it listens.
    const isStopped = end.by === signal || end.code === EXITS[signal];
    assert.ok(isStopped, `${signal}: ${end.code} ${end.by} ${end.stderr}`);
  }
  const last = await execute(args);
  assert.strictEqual(last.code, 0, last.stderr);

  const label = `${format} to ${to}${isOrdered ? '' : ', unordered'}: ${ends}`;
  console.log(label);
  const read = OUTPUTS[to] ?? OUTPUTS.ndjson;
  const found = read(readFileSync(file('out'), 'utf8'));
  if (!isOrdered) found.sort((a, b) => a - b);
  const good = ids.filter((id) => !mayFail(id));
  assert.deepStrictEqual(found, good, label);
  if (!keepsFailures) return;
  const letters = readLines(readFileSync(file('bad'), 'utf8'));
  const records = letters.map((letter) => JSON.parse(letter).record);
  if (!isOrdered) records.sort((a, b) => a - b);
  // A record's number counts lines, and the header of CSV is the first.
  const first = format === 'csv' ? 2 : 1;
  assert.deepStrictEqual(
    records,
    ids.filter(mayFail).map((id) => id + first),
    label,
  );
}

console.log(`seed ${seed}`);
for (let i = 0; i < rounds; i += 1) {
  const folder = mkdtempSync(join(tmpdir(), 'sw-resume-'));
  await round(folder);
  rmSync(folder, { recursive: true });
}
console.log('pass');
