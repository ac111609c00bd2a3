// Runs Jest and the scenarios on the library in the form in which it is
// published (lib/library-bundle.mjs): npm run test:published

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from './lib/fail.mjs';
import { listFiles } from './lib/files.mjs';
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

// Tests of the repository itself, of how its files are loaded, and of what is
// inside of isolates, which is in the addon and the same in both forms.
const LEFT_OUT = [
  /\/(cold-start|published|release|runtime\/globals|security-numbers)\.test\.js$/,
  /\/(web|runtime-in-isolate)\//,
];

/** It puts something else in the place of a module. */
const mocks = (file) => /\bjest\.mock\(/.test(readFileSync(file, 'utf8'));

await main(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sw-published-'));
  const env = { ...process.env, SW_SUITE_SUFFIX: ' as published' };
  try {
    publishedCopy(folder, needed);
    for (const test of listFiles(['test/js'], /\.test\.js$/)) {
      const copy = join(folder, test);
      const isOut = LEFT_OUT.some((pattern) => pattern.test(test));
      if (isOut || mocks(copy)) rmSync(copy);
    }
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
