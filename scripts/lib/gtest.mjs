import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildDir } from './paths.mjs';
import { report, skip } from './results.mjs';
import { passThrough } from './run.mjs';

const outcome = (test) => {
  if (test.failures) return 'failed';
  return test.result === 'SKIPPED' ? 'skipped' : 'passed';
};

function countTests(path) {
  // GoogleTest writes its file at the end: without one the run crashed.
  if (!existsSync(path)) return undefined;
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const { testsuites } = JSON.parse(readFileSync(path, 'utf8'));
  for (const test of testsuites.flatMap((suite) => suite.testsuite)) {
    if (test.status !== 'NOTRUN') counts[outcome(test)] += 1;
  }
  return counts;
}

/**
 * Runs one GoogleTest program and reports its counts.
 * @param {string} suite the name in the report
 * @param {string[]} command program and arguments
 * @param {{ file: string, preset: string, abi: string, platform?: string,
 *   dir?: string, env?: object, pathThere?: (path: string) => string }} build
 *   `file` is what the build must have made; `pathThere` is what the program
 *   calls a path of this machine
 */
export async function runGoogleTest(suite, command, build) {
  const dir = build.dir ?? buildDir(build.abi, build.preset, build.platform);
  const missing = existsSync(join(dir, 'gtest-missing'));
  if (missing && !process.env.CI) {
    skip(
      suite,
      'GoogleTest is missing; on Debian: apt-get install libgtest-dev',
    );
    return;
  }
  if (missing || !existsSync(build.file)) {
    console.error(`${build.file} is not built: run npm run build -- --tests`);
    report(suite, { failed: 1 });
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'sw-gtest-'));
  const json = join(folder, 'result.json');
  const jsonThere = build.pathThere?.(json) ?? json;
  try {
    const [program, ...args] = command;
    const status = await passThrough(
      program,
      [...args, '--gtest_brief=1', `--gtest_output=json:${jsonThere}`],
      { env: { ...process.env, ...build.env } },
    );
    const counts = countTests(json);
    if (!counts) console.error(`${suite} ended early with exit code ${status}`);
    const total = counts ?? { failed: 1 };
    // A sanitizer or a crash at exit fails a run whose tests all passed.
    if (counts && status !== 0 && counts.failed === 0) {
      console.error(`${suite}: tests passed, but the exit code is ${status}`);
      total.failed = 1;
    }
    report(suite, total);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
