// A server that renders React, on its main thread and in a pool, while another
// route is asked:  node examples/server-rendering/main.mjs
//
//   --seconds 10 --rounds 5   measure for longer; the ways take turns
//   --save                    write docs/bench/server-rendering.{json,svg}

import assert from 'node:assert';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { WorkerPool } from 'sloppy-workers';
import { chart } from './chart.mjs';
import { listen } from './server.mjs';

// React renders several times as fast; workers see the same environment.
process.env.NODE_ENV = 'production';
const { render } = await import('./page.mjs');

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '1' },
    save: { type: 'boolean', default: false },
  },
});
const execute = promisify(execFile);
const loadProgram = fileURLToPath(new URL('./load.mjs', import.meta.url));
const milliseconds = 1000 * Number(options.seconds);

const pool = WorkerPool.create('pages', {
  module: new URL('./page.mjs', import.meta.url),
  workers: Math.max(1, cpus().length - 1),
  maxQueued: 100,
});
const ways = {
  'on the main thread': render,
  'in a pool': (rows) => pool.invoke('render', rows, { timeoutMs: 10_000 }),
};
const expected = createHash('sha256').update(render(1000)).digest('hex');

async function measure(way) {
  const { url, close } = await listen(ways[way]);
  try {
    const args = [loadProgram, url, String(milliseconds)];
    const { stdout } = await execute(process.execPath, args);
    const { pages, ...figures } = JSON.parse(stdout);
    assert.deepStrictEqual(pages, [expected]);
    return figures;
  } finally {
    await close();
  }
}

const median = (numbers) =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

const rounds = Object.fromEntries(Object.keys(ways).map((way) => [way, []]));
for (let round = 0; round < Number(options.rounds); round += 1) {
  for (const way of Object.keys(ways)) rounds[way].push(await measure(way));
}
const rows = Object.entries(rounds).map(([way, figures]) => ({
  way,
  pagesPerSecond: median(figures.map((row) => row.pagesPerSecond)),
  p50: median(figures.map((row) => row.p50)),
  p99: median(figures.map((row) => row.p99)),
}));
for (const { way, pagesPerSecond, p50, p99 } of rows) {
  console.log(
    `${way}: ${pagesPerSecond.toFixed(0)} pages a second, the other route ` +
      `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
  );
}
await pool.stop();

if (options.save) {
  const file = (end) =>
    new URL(`../../docs/bench/server-rendering.${end}`, import.meta.url);
  const about = {
    node: process.version,
    measured: new Date().toISOString(),
    cores: cpus().length,
    seconds: Number(options.seconds),
    rounds: Number(options.rounds),
  };
  const text = JSON.stringify({ ...about, rows }, null, 2);
  writeFileSync(file('json'), `${text}\n`);
  writeFileSync(file('svg'), chart(about, rows));
}
console.log('ok');
