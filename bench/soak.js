'use strict';
// Resident memory over very many jobs and isolates, drawn as an SVG:
//   node bench/soak.js [--jobs 10000000] [--isolates 100000] [--out docs/bench/soak.svg]

const { writeFileSync } = require('node:fs');
const { parseArgs } = require('node:util');
const { WorkerPool } = require('../lib/index.js');

const IN_FLIGHT = 256;
const SAMPLE_MS = 500;
const WIDTH = 720;
const HEIGHT = 240;
const MARGIN = 40;

const samples = [];
const mb = () => process.memoryUsage.rss() / 2 ** 20;

async function run(count, pool, job, label) {
  let left = count;
  let seen = performance.now();
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      await pool.run(job, { input: { n: left, text: 'soak' } });
      if (performance.now() - seen < SAMPLE_MS) continue;
      seen = performance.now();
      samples.push({ label, mb: mb() });
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
  await pool.stop();
  samples.push({ label, mb: mb() });
  console.log(`${label}: ${Math.round(mb())} MB`);
}

function draw(title) {
  const top = Math.ceil(Math.max(...samples.map((s) => s.mb)) / 50) * 50;
  const x = (i) => MARGIN + (i / (samples.length - 1)) * (WIDTH - 2 * MARGIN);
  const y = (value) => HEIGHT - MARGIN - (value / top) * (HEIGHT - 2 * MARGIN);
  const line = samples.map(
    (s, i) => `${x(i).toFixed(1)},${y(s.mb).toFixed(1)}`,
  );
  const switchAt = samples.findIndex((s) => s.label !== samples[0].label);
  const text = (at, height, words) =>
    `<text x="${at}" y="${height}" font-size="12">${words}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif">`,
    `<title>${title}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="white"/>`,
    text(MARGIN, 20, title),
    ...[0, top / 2, top].map(
      (value) =>
        `<path d="M${MARGIN} ${y(value)}H${WIDTH - MARGIN}" stroke="#ccc"/>` +
        text(4, y(value) + 4, `${value}`),
    ),
    `<path d="M${x(switchAt)} ${MARGIN}V${HEIGHT - MARGIN}" stroke="#999" stroke-dasharray="4"/>`,
    text(
      MARGIN,
      HEIGHT - 12,
      'resident MB: jobs, then a fresh isolate for each job',
    ),
    `<polyline fill="none" stroke="#1f6feb" stroke-width="2" points="${line.join(' ')}"/>`,
    '</svg>\n',
  ].join('\n');
}

async function main() {
  const { values } = parseArgs({
    options: {
      jobs: { type: 'string', default: '10000000' },
      isolates: { type: 'string', default: '100000' },
      out: { type: 'string', default: 'docs/bench/soak.svg' },
    },
  });
  const jobs = Number(values.jobs);
  const isolates = Number(values.isolates);
  const options = { workers: 2, maxQueued: IN_FLIGHT };
  const echo = ({ input }) => input.n;
  await run(jobs, WorkerPool.create('jobs', options), echo, 'jobs');
  const fresh = { ...options, isolation: 'isolate' };
  await run(isolates, WorkerPool.create('isolates', fresh), echo, 'isolates');
  const title = `${jobs} jobs and ${isolates} isolates on Node ${process.version}`;
  writeFileSync(values.out, draw(title));
}

main();
