// Runs the GoogleTest addon inside this node:
//   node scripts/run-native-tests.mjs [--preset <name>] [gtest arguments]

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildDir } from './lib/paths.mjs';

const { values, positionals } = parseArgs({
  options: { preset: { type: 'string', default: 'release' } },
  allowPositionals: true,
  strict: false,
});
const gtestArguments = process.argv
  .slice(2)
  .filter((word) => word.startsWith('--gtest'));
const dir = buildDir(process.versions.modules, values.preset);
const require = createRequire(import.meta.url);
const tests = require(join(dir, 'sloppy_workers_native_tests.node'));
process.exitCode = tests.run([...gtestArguments, ...positionals]);
