// Runs Jest and the scenarios on the library in the form in which it is
// published (lib/library-bundle.mjs): npm run test:published

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from './lib/fail.mjs';
import { publishedCopy } from './lib/published-copy.mjs';
import { passThrough } from './lib/run.mjs';

const suites = ['run-js-tests.mjs', 'run-scenarios.mjs'];
const needed = [
  'bench',
  'bin',
  'docs',
  'examples',
  'jest.config.js',
  'scripts',
  'test',
  'types',
];

// Of the repository itself, of how its files are loaded, and with another in
// place of one.
const left = [
  'cold-start.test.js',
  'neighbours/qoper8-spares.test.js',
  'published.test.js',
  'release.test.js',
  'runtime/globals.test.js',
  'security-numbers.test.js',
];

await main(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sw-published-'));
  const env = { ...process.env, SW_SUITE_SUFFIX: ' as published' };
  try {
    publishedCopy(folder, needed);
    for (const name of left) rmSync(join(folder, 'test/js', name));
    for (const suite of suites) {
      const script = join(folder, 'scripts', suite);
      const run = { cwd: folder, env };
      if ((await passThrough(process.execPath, [script], run)) !== 0) {
        process.exitCode = 1;
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
