// Runs the GoogleTest executable of the core:
//   node scripts/run-unit-tests.mjs [--preset <name>] [--gtest_filter=...]

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runGoogleTest } from './lib/gtest.mjs';
import { buildDir } from './lib/paths.mjs';

const { values } = parseArgs({
  options: { preset: { type: 'string', default: 'release' } },
  strict: false,
});
const extra = process.argv.filter((word) => word.startsWith('--gtest'));
const abi = process.versions.modules;
const file = join(buildDir(abi, values.preset), 'sw_unit_tests');
await runGoogleTest('unit', [file, ...extra], {
  file,
  abi,
  preset: values.preset,
});
