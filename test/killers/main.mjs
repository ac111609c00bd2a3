// Every kind of harm of kinds.js, each in a process of its own:
//   node test/killers/main.mjs [--jobs 2] [kind]...
// Counts the faults that were tried and those that the process survived.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { report } from '../../scripts/lib/results.mjs';
import kinds from './kinds.js';

// The limit of programs that hang; longer under emulation.
const LIMIT_MS = Number(process.env.SW_TEST_TIMEOUT_MS ?? 120_000);
const one = fileURLToPath(new URL('./one.js', import.meta.url));

const { values, positionals } = parseArgs({
  options: { jobs: { type: 'string', default: '2' } },
  allowPositionals: true,
});

function execute(kind) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [one, kind], {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LIMIT_MS,
      killSignal: 'SIGKILL',
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text) => {
        output = (output + text).slice(-2000);
      });
    }
    child.once('close', (code, signal) => {
      const passed = code === 0 && output.includes('pass');
      resolve({ passed, ended: signal ?? `exit ${code}`, output });
    });
  });
}

const queue = positionals.length > 0 ? positionals : Object.keys(kinds);
const counts = { passed: 0, failed: 0 };
const tried = queue.length;
const lane = async () => {
  for (let kind = queue.shift(); kind !== undefined; kind = queue.shift()) {
    const { passed, ended, output } = await execute(kind);
    counts[passed ? 'passed' : 'failed'] += 1;
    if (!passed) console.log(`FAIL ${kind}: ${ended}\n${output}`);
  }
};
await Promise.all(Array.from({ length: Number(values.jobs) }, lane));
console.log(`${tried} faults tried, ${counts.passed} survived`);
report('killers', counts);
