// npm test: every step, each also an npm script of its own. A failed step does
// not hide the later ones, except that nothing runs without dependencies and no
// native step without a build.
//
//   --spread  long tests are left to the Nodes that have them beside this one, as
//             in `.ci/run` (lib/spread-tests.mjs), and what runs on Node's threads
//             as well to that whose threads start fastest

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildDir, root } from './lib/paths.mjs';
import { closingLine, readResults, report } from './lib/results.mjs';
import { collect, passThrough } from './lib/run.mjs';
import { leftToOthers } from './lib/spread-tests.mjs';

const { values: options } = parseArgs({
  options: { spread: { type: 'boolean', default: false } },
});
if (options.spread) {
  const [major] = process.versions.node.split('.');
  process.env.SW_LEFT_OUT = leftToOthers(major).join(' ');
  process.env.SW_ONLY_ISOLATES = '1';
}

const inOrder = [
  { name: 'setup', script: 'setup.mjs', args: ['--no-build'], stops: 'all' },
  { name: 'lint', script: 'lint.mjs' },
  { name: 'build', script: 'build.mjs', args: ['--tests'], stops: 'native' },
  { name: 'test:unit', script: 'run-unit-tests.mjs', native: true },
  { name: 'test:native', script: 'run-native-tests.mjs', native: true },
  { name: 'test:js', script: 'run-js-tests.mjs', native: true },
  { name: 'test:scenario', script: 'run-scenarios.mjs', native: true },
];
// Those that use one core: two at a time, the long ones first.
const side = [
  { name: 'test:package', script: 'check-package.mjs', native: true },
  { name: 'test:examples', script: 'run-examples.mjs', native: true },
  { name: 'test:types', script: 'check-types.mjs' },
  { name: 'test:samples', script: 'check-samples.mjs' },
  { name: 'test:readme', script: 'check-readme.mjs', native: true },
];

const results =
  process.env.SW_RESULTS ??
  join(buildDir(process.versions.modules, '.'), 'test-results.jsonl');
mkdirSync(join(results, '..'), { recursive: true });
if (!process.env.SW_RESULTS) rmSync(results, { force: true });
process.env.SW_RESULTS = results;

const before = readResults(results).length;
const failedIn = (rows) => rows.some((row) => row.failed > 0);
let stopped;

function execute({ script, args = [] }, run) {
  const file = join(root, 'scripts', script);
  return run(process.execPath, [file, ...args], { cwd: root });
}

async function runStep(step, isShown) {
  const { name } = step;
  if (stopped === 'all' || (stopped === 'native' && step.native)) {
    console.log(`\n== ${name}: SKIPPED (an earlier step failed)`);
    return;
  }
  if (isShown) console.log(`\n== ${name}`);
  const known = readResults(results).length;
  const began = performance.now();
  const { status, output } = isShown
    ? { status: await execute(step, passThrough) }
    : await execute(step, collect);
  const seconds = Math.round((performance.now() - began) / 1000);
  if (!isShown) console.log(`\n== ${name}\n${output.trimEnd()}`);
  console.log(`== ${name} took ${seconds} s`);
  if (status === 0) return;
  stopped ??= step.stops;
  // A step that broke before it could report still counts.
  if (!failedIn(readResults(results).slice(known))) report(name, { failed: 1 });
}

for (const step of inOrder) await runStep(step, true);
const lane = async () => {
  for (let step = side.shift(); step; step = side.shift()) {
    await runStep(step, false);
  }
};
await Promise.all([lane(), lane()]);

const rows = readResults(results).slice(before);
console.log(`\nnpm test: ${closingLine(rows)}`);
process.exitCode = failedIn(rows) ? 1 : 0;
