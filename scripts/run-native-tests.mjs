// Runs the GoogleTest addon in a fresh process of this node, and without a
// filter compares our bindings with this Node's own:
//   node scripts/run-native-tests.mjs [--preset <name>] [--gtest_filter=...]
//     [--rounds 40] [--seed 1]

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runGoogleTest } from './lib/gtest.mjs';
import { buildDir, root } from './lib/paths.mjs';

const { values } = parseArgs({
  options: {
    preset: { type: 'string', default: 'release' },
    rounds: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
  },
  strict: false,
});
const extra = process.argv.filter((word) => word.startsWith('--gtest'));
const abi = process.versions.modules;
const file = join(
  buildDir(abi, values.preset),
  'sloppy_workers_native_tests.node',
);
const runner = join(root, 'test/native/run.cjs');
await runGoogleTest('native', [process.execPath, runner, file, ...extra], {
  file,
  abi,
  preset: values.preset,
});

const differ = join(root, 'test/native/differ/run.cjs');
if (extra.length === 0 && existsSync(file)) {
  for (const cases of ['buffer', 'texts', 'url', 'zlib']) {
    const { status, signal } = spawnSync(
      process.execPath,
      [
        '--no-warnings',
        '--expose-internals',
        differ,
        file,
        cases,
        values.rounds,
        values.seed,
      ],
      { stdio: 'inherit' },
    );
    if (status !== 0) {
      console.error(`differ ${cases}: exit ${status ?? signal}`);
      process.exitCode = 1;
    }
  }
}
