// Runs examples/*/main.mjs, each in a process of its own:
//   node scripts/run-examples.mjs [name part]...
//
// An example passes when it ends in time, with exit code 0, and the last line
// it printed is `ok`.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib/paths.mjs';
import { report } from './lib/results.mjs';
import { capture } from './lib/run.mjs';

const folder = join(root, 'examples');
const wanted = process.argv.slice(2);
const LIMIT_MS = 240_000;

function runExample(name) {
  const { status, stdout, output } = capture(
    process.execPath,
    [join(folder, name, 'main.mjs')],
    { cwd: root, timeout: LIMIT_MS, killSignal: 'SIGKILL' },
  );
  const lastLine = stdout.trimEnd().split('\n').at(-1);
  if (status === 0 && lastLine === 'ok') {
    console.log(`  pass ${name}`);
    return true;
  }
  const lines = output.trimEnd().split('\n').slice(-40);
  console.log(`  FAIL ${name}: exit code ${status}, last line ${lastLine}`);
  for (const line of lines) console.log(`    | ${line}`);
  return false;
}

const isWanted = (name) =>
  wanted.length === 0 || wanted.some((part) => name.includes(part));

const counts = { passed: 0, failed: 0 };
const names = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
for (const name of names.filter(isWanted)) {
  if (existsSync(join(folder, name, 'main.mjs'))) {
    counts[runExample(name) ? 'passed' : 'failed'] += 1;
  } else {
    console.log(`  (${name} has no main.mjs: Jest checks what it prints)`);
  }
}
report('examples', counts);
