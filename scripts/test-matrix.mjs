// Builds and tests on other Node versions: npm run test:matrix -- 22 24 26
//
// The binary and the headers come from the npm package of that Node and stay
// in .nodes/<major>. Everything runs by that node itself. The unit tests are not
// repeated, because the core that they test knows nothing of Node.

import { join } from 'node:path';
import { main } from './lib/fail.mjs';
import { fetchNode, readMajors } from './lib/fetch-node.mjs';
import { root } from './lib/paths.mjs';
import { report } from './lib/results.mjs';
import { passThrough } from './lib/run.mjs';

const targets = ['sloppy_workers', 'sloppy_workers_native_tests'];
const suites = [
  'run-native-tests.mjs',
  'run-js-tests.mjs',
  'run-scenarios.mjs',
];

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
  const built = targets.flatMap((name) => ['--target', name]);
  if ((await run('build.mjs', '--tests', ...built)) !== 0) {
    report(`build on Node ${major}`, { failed: 1 });
    return;
  }
  for (const suite of suites) {
    if ((await run(suite)) !== 0) process.exitCode = 1;
  }
}

await main(async () => {
  const majors = readMajors(
    process.argv.slice(2),
    'npm run test:matrix -- <major>...',
  );
  for (const major of majors) await testOn(major);
});
