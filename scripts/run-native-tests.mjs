// Runs the GoogleTest addon in a fresh process of this node:
//   node scripts/run-native-tests.mjs [--preset <name>] [--gtest_filter=...]

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runGoogleTest } from './lib/gtest.mjs';
import { buildDir, root } from './lib/paths.mjs';

const { values } = parseArgs({
  options: { preset: { type: 'string', default: 'release' } },
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
