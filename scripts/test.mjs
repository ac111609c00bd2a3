// npm test: every step in order, each also an npm script of its own. A failed
// step does not hide the later ones, except that nothing runs without
// dependencies and no native step without a build.

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildDir, root } from './lib/paths.mjs';
import { closingLine, readResults, report } from './lib/results.mjs';
import { passThrough } from './lib/run.mjs';

const steps = [
  { name: 'setup', script: 'setup.mjs', args: ['--no-build'], stops: 'all' },
  { name: 'lint', script: 'lint.mjs' },
  { name: 'build', script: 'build.mjs', args: ['--tests'], stops: 'native' },
  { name: 'test:unit', script: 'run-unit-tests.mjs', native: true },
  { name: 'test:native', script: 'run-native-tests.mjs', native: true },
  { name: 'test:js', script: 'run-js-tests.mjs', native: true },
  { name: 'test:scenario', script: 'run-scenarios.mjs', native: true },
  { name: 'test:examples', script: 'run-examples.mjs', native: true },
  { name: 'test:readme', script: 'check-readme.mjs', native: true },
  { name: 'test:types', script: 'check-types.mjs' },
  { name: 'test:samples', script: 'check-samples.mjs' },
  { name: 'test:package', script: 'check-package.mjs', native: true },
];

const results =
  process.env.SW_RESULTS ??
  join(buildDir(process.versions.modules, '.'), 'test-results.jsonl');
const env = { ...process.env, SW_RESULTS: results };
mkdirSync(join(results, '..'), { recursive: true });
if (!process.env.SW_RESULTS) rmSync(results, { force: true });
process.env.SW_RESULTS = results;

const before = readResults(results).length;
const failedIn = (rows) => rows.some((row) => row.failed > 0);
let stopped;
for (const step of steps) {
  if (stopped === 'all' || (stopped === 'native' && step.native)) {
    console.log(`\n== ${step.name}: SKIPPED (an earlier step failed)`);
    continue;
  }
  console.log(`\n== ${step.name}`);
  const known = readResults(results).length;
  const path = join(root, 'scripts', step.script);
  const args = [path, ...(step.args ?? [])];
  const began = performance.now();
  const status = await passThrough(process.execPath, args, { cwd: root, env });
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`== ${step.name} took ${seconds} s`);
  if (status === 0) continue;
  stopped ??= step.stops;
  // A step that broke before it could report still counts.
  const rows = readResults(results).slice(known);
  if (!failedIn(rows)) report(step.name, { failed: 1 });
}

const rows = readResults(results).slice(before);
console.log(`\nnpm test: ${closingLine(rows)}`);
process.exitCode = failedIn(rows) ? 1 : 0;
