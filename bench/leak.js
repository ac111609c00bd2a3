'use strict';
/**
 * Does resident memory stay where it was? Creates and stops pools of one
 * worker, then runs small jobs, and samples the resident set on the way.
 *
 *     node bench/leak.js [--short] [--root /other/checkout]
 *
 * Without `--short` 10 000 pools and 1 000 000 jobs, and the samples go into
 * docs/bench/; with it a fiftieth of that, for sanitizers. Every sample is
 * taken after a full collection.
 */

const { mkdirSync, writeFileSync } = require('node:fs');
const { join, resolve } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');
const { parseArgs } = require('node:util');

const { figure } = require('./lib/format.js');
const { lineChart } = require('./lib/line-chart.js');
const { median } = require('./lib/stats.js');

const { values: options } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    root: { type: 'string' },
  },
});
if (options.root) process.env.SLOPPY_BENCH_ROOT = resolve(options.root);
const { library } = require('./lib/library.js');

const SAMPLES = 100;
const IN_FLIGHT = 256;
const share = options.short ? 50 : 1;
const folder = join(__dirname, '..', 'docs', 'bench');

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

function residentMb() {
  collect();
  return process.memoryUsage.rss() / 2 ** 20;
}

async function pools(count) {
  for (let n = 0; n < count; n += 1) {
    const pool = library.WorkerPool.create('leak', { workers: 1 });
    await pool.run(({ input }) => input + 1, { input: n });
    await pool.stop();
  }
}

const pool = library.WorkerPool.create('leak', { maxQueued: IN_FLIGHT });

async function smallJobs(count) {
  let left = count;
  async function lane() {
    while (left > 0) {
      left -= 1;
      await pool.run(({ input }) => ({ id: input.id, name: input.name }), {
        input: { id: left, name: `job ${left}` },
      });
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
}

async function sampled(title, work, total) {
  const step = Math.max(1, Math.round(total / SAMPLES));
  const points = [{ x: 0, y: residentMb() }];
  for (let done = 0; done < total; done += step) {
    await work(step);
    points.push({ x: done + step, y: residentMb() });
  }
  // The first tenth fills caches and pages in code.
  const tenth = Math.ceil(points.length / 10);
  const early = median(points.slice(tenth, 2 * tenth).map(({ y }) => y));
  const late = median(points.slice(-tenth).map(({ y }) => y));
  console.log(
    `${title}: ${figure(points[0].y)} MB at first, ${figure(early)} MB in ` +
      `the second tenth, ${figure(late)} MB in the last`,
  );
  return { title, total, early, late, points };
}

async function main() {
  const results = [
    await sampled('pools created and stopped', pools, 10_000 / share),
    await sampled('small jobs', smallJobs, 1_000_000 / share),
  ];
  await pool.stop();
  if (options.short) return;
  mkdirSync(folder, { recursive: true });
  const name = `leak-node${process.versions.node.split('.')[0]}`;
  const data = { node: process.version, results };
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(data)}\n`);
  const heading = `Resident memory on Node ${process.versions.node}, MB`;
  writeFileSync(join(folder, `${name}.svg`), lineChart(heading, results));
}

main();
