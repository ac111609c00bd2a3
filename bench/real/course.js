'use strict';
/**
 * The course of each real job, from the first call to the hundredth, on each of
 * the subjects. Every figure is the median over rounds; every subject of a round
 * has a process of its own, because code that is optimised in one isolate delays
 * the others of its process; the subjects of a round follow each other, so that
 * all meet the same moods of the machine:
 *
 *     node bench/real/course.js [--rounds 3] [--node /other/node] [job]...
 *
 * Prints Markdown: CPU once the code is warm, the first answer, peak memory, and
 * what a second worker adds.
 */

const { execFileSync } = require('node:child_process');
const { parseArgs } = require('node:util');

const { WARM_JOBS, openers } = require('../lib/real-question.js');
const { median } = require('../lib/stats.js');
const { processCpuUs } = require('../lib/thread-usage.js');
const { inputs } = require('./inputs.js');

const SUBJECTS = Object.keys(openers);
const DIRECT = 'direct call';
const JOBS = 31;
const WARM_PAIRS = 40;
const PAIRS = 15;
// Far beyond the longest.
const PATIENCE_MS = 300_000;

/** @returns {Promise<number>} ms of CPU of a job, the median of JOBS */
async function warmCpu(call, input) {
  for (let n = 1; n < WARM_JOBS; n += 1) await call(input);
  const taken = [];
  for (let n = 0; n < JOBS; n += 1) {
    const before = processCpuUs();
    await call(input);
    taken.push((processCpuUs() - before) / 1000);
  }
  return median(taken);
}

/** @returns {Promise<number>} ms of `width` jobs at once, the median of PAIRS */
async function wallOf(call, input, width, warm) {
  const taken = [];
  for (let n = -warm; n < PAIRS; n += 1) {
    const begin = performance.now();
    await Promise.all(Array.from({ length: width }, () => call(input)));
    if (n >= 0) taken.push(performance.now() - begin);
  }
  return median(taken);
}

/** @returns {Promise<object>} what one subject needs for one job */
async function run(subject, name) {
  const input = inputs[name]();
  const begin = performance.now();
  const one = await openers[subject](name, 1);
  await one.call(input);
  const first = performance.now() - begin;
  const cpu = await warmCpu(one.call, input);
  const peak = process.resourceUsage().maxRSS / 1024;
  if (subject === DIRECT) return { first, cpu, peak };
  const alone = await wallOf(one.call, input, 1, 0);
  await one.close?.();
  const two = await openers[subject](name, 2);
  const together = await wallOf(two.call, input, 2, WARM_PAIRS);
  await two.close?.();
  return { first, cpu, peak, second: (2 * alone) / together };
}

function ask(node, subject, name) {
  const args = [__filename, '--subject', subject, name];
  const text = execFileSync(node, args, {
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
    timeout: PATIENCE_MS,
  });
  return JSON.parse(text);
}

function collect(node, names, rounds) {
  const samples = new Map();
  for (const name of names) {
    for (let round = 0; round < rounds; round += 1) {
      for (const subject of SUBJECTS) {
        const key = `${name}/${subject}`;
        if (!samples.has(key)) samples.set(key, []);
        samples.get(key).push(ask(node, subject, name));
      }
    }
    process.stderr.write(`${name}\n`);
  }
  return samples;
}

const TABLES = [
  { key: 'cpu', title: 'CPU of a job, code warm, ms', digits: 1 },
  { key: 'first', title: 'Create to first answer, ms', digits: 0 },
  { key: 'peak', title: 'Peak resident memory of the process, MB', digits: 0 },
  { key: 'second', title: 'Two workers, jobs per second relative to one' },
];

function printTable(samples, names, { key, title, digits }) {
  const row = (cells) => console.log(`| ${cells.join(' | ')} |`);
  const subjects =
    key === 'second' ? SUBJECTS.filter((s) => s !== DIRECT) : SUBJECTS;
  console.log(`\n${title}:\n`);
  row(['', ...subjects]);
  row(['---', ...subjects.map(() => '---')]);
  for (const name of names) {
    const values = (subject) =>
      samples.get(`${name}/${subject}`).map((sample) => sample[key]);
    const cell = (subject) => {
      const value = median(values(subject));
      if (digits === undefined) return value.toFixed(2);
      if (subject === DIRECT) return value.toFixed(digits);
      const ratios = values(subject).map((v, n) => v / values(DIRECT)[n]);
      return `${value.toFixed(digits)} (${median(ratios).toFixed(2)})`;
    };
    row([name, ...subjects.map(cell)]);
  }
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    node: { type: 'string', default: process.execPath },
    subject: { type: 'string' },
  },
});

async function main() {
  if (options.subject !== undefined) {
    console.log(JSON.stringify(await run(options.subject, positionals[0])));
    process.exit(0);
  }
  const names = positionals.length > 0 ? positionals : Object.keys(inputs);
  const samples = collect(options.node, names, Number(options.rounds));
  const version = execFileSync(options.node, ['--version'], {
    encoding: 'utf8',
  });
  console.log(`Node ${version.trim()}, ${options.rounds} rounds`);
  for (const table of TABLES) printTable(samples, names, table);
}

main();
