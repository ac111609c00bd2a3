// Runs Jest with this node: node scripts/run-js-tests.mjs [jest arguments]

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './lib/paths.mjs';
import { report, skip } from './lib/results.mjs';
import { passThrough } from './lib/run.mjs';

const jest = join(root, 'node_modules/jest/bin/jest.js');

async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'sw-jest-'));
  const json = join(folder, 'result.json');
  try {
    const status = await passThrough(
      process.execPath,
      [jest, '--json', `--outputFile=${json}`, ...process.argv.slice(2)],
      // With --json Jest prints the whole report to stdout as well.
      { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
    );
    if (!existsSync(json)) {
      console.error(`jest ended early with exit code ${status}`);
      report('js', { failed: 1 });
      return;
    }
    const result = JSON.parse(readFileSync(json, 'utf8'));
    const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
    report('js', {
      passed: result.numPassedTests,
      failed: failed || (status === 0 ? 0 : 1),
      skipped: result.numPendingTests + result.numTodoTests,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (existsSync(join(root, 'test/js'))) await run();
else skip('js', 'test/js is not there');
