'use strict';
/**
 * The CPU of each real job on each of the subjects, one job at a time in one
 * process and in turn, because processes differ more than subjects do:
 *
 *     node bench/real/compare.js [job]...
 */

const { openers } = require('../lib/real-question.js');
const { median } = require('../lib/stats.js');
const { processCpuUs } = require('../lib/thread-usage.js');
const { inputs } = require('./inputs.js');

const SUBJECTS = [
  'direct call',
  'worker_threads',
  'sloppy-workers',
  'sloppy-workers, 64 MB',
  'sloppy-workers, 512 MB',
];
const WARM_JOBS = 25;
const JOBS = 31;

async function compare(name) {
  const opened = await Promise.all(SUBJECTS.map((peer) => openers[peer](name)));
  const input = inputs[name]();
  const taken = SUBJECTS.map(() => []);
  for (let n = -WARM_JOBS; n < JOBS; n += 1) {
    for (const [at, { call }] of opened.entries()) {
      const before = processCpuUs();
      await call(input);
      if (n >= 0) taken[at].push((processCpuUs() - before) / 1000);
    }
  }
  await Promise.all(opened.map(({ close }) => close?.()));
  return taken.map(median);
}

async function main() {
  const row = (cells) => console.log(`| ${cells.join(' | ')} |`);
  const chosen = process.argv.slice(2);
  row([process.version, ...SUBJECTS]);
  row(['---', ...SUBJECTS.map(() => '---')]);
  for (const name of chosen.length > 0 ? chosen : Object.keys(inputs)) {
    const [direct, ...others] = await compare(name);
    const relative = (ms) => `${ms.toFixed(1)} (${(ms / direct).toFixed(2)})`;
    row([name, direct.toFixed(1), ...others.map(relative)]);
  }
}

main();
