// A project tested with Jest:  node examples/jest/main.mjs

import assert from 'node:assert';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const here = dirname(fileURLToPath(import.meta.url));
const jest = join(dirname(require.resolve('jest/package.json')), 'bin/jest.js');

const { status, stdout, stderr } = spawnSync(
  process.execPath,
  [jest, '--config', join(here, 'jest.config.cjs'), '--ci', '--coverage'],
  { encoding: 'utf8' },
);
console.log(stderr + stdout);
assert.strictEqual(status, 0);
console.log('ok');
