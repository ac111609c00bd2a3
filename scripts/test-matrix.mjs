// Builds and tests on other Node versions: npm run test:matrix -- 22 24 26
//
// The binary and the headers come from the npm package of that Node and stay
// in .nodes/<major>. Everything runs by that node itself.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { main, Problem } from './lib/fail.mjs';
import { root } from './lib/paths.mjs';
import { report } from './lib/results.mjs';
import { capture, passThrough } from './lib/run.mjs';

const nodesDir = join(root, '.nodes');
const suites = [
  'run-unit-tests.mjs',
  'run-native-tests.mjs',
  'run-js-tests.mjs',
  'run-scenarios.mjs',
];

function must(command, args, cwd) {
  const { status, stdout, output } = capture(command, args, { cwd });
  if (status === 0) return stdout;
  throw new Problem(`${command} ${args.join(' ')} failed\n${output}`);
}

/** Returns the folder with bin/node and include/node of the newest release. */
function fetchNode(major) {
  const folder = join(nodesDir, major);
  if (existsSync(join(folder, 'bin/node'))) return folder;
  const name = `node-${process.platform}-${process.arch}@${major}`;
  console.log(`fetching ${name} from npm`);
  mkdirSync(nodesDir, { recursive: true });
  // Unpacked aside and renamed, so that an interrupted run leaves no half.
  const aside = mkdtempSync(join(nodesDir, 'new-'));
  try {
    const packed = must(
      'npm',
      ['pack', '--json', '--loglevel=error', name],
      aside,
    );
    const [{ filename }] = JSON.parse(packed);
    must('tar', ['-xzf', filename], aside);
    rmSync(folder, { recursive: true, force: true });
    renameSync(join(aside, 'package'), folder);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
  return folder;
}

async function testOn(major) {
  console.log(`\n== Node ${major}`);
  const folder = fetchNode(major);
  const node = join(folder, 'bin/node');
  const env = { ...process.env, SW_SUITE_SUFFIX: ` on Node ${major}` };
  const run = (script, ...args) =>
    passThrough(node, [join(root, 'scripts', script), ...args], {
      cwd: root,
      env,
    });
  if ((await run('build.mjs', '--tests')) !== 0) {
    report(`build on Node ${major}`, { failed: 1 });
    return;
  }
  for (const suite of suites) {
    if ((await run(suite)) !== 0) process.exitCode = 1;
  }
}

await main(async () => {
  const majors = process.argv.slice(2);
  if (majors.length === 0 || !majors.every((word) => /^\d+$/.test(word))) {
    throw new Problem('usage: npm run test:matrix -- <major>...');
  }
  for (const major of majors) await testOn(major);
});
