// A strict TypeScript project, compiled by tsc and run:
//   node examples/typescript/main.mjs
//
// The isolates also run TypeScript as it is (option `module` with a .ts file);
// what is compiled here works on every Node.

import assert from 'node:assert';
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const here = dirname(fileURLToPath(import.meta.url));
const compiler = join(
  dirname(require.resolve('typescript/package.json')),
  'bin/tsc',
);

execFileSync(process.execPath, [compiler, '--project', here], {
  stdio: 'inherit',
});
const program = join(here, '../../build/examples/typescript/main.mjs');
const output = execFileSync(process.execPath, [program], { encoding: 'utf8' });
process.stdout.write(output);
assert.match(output, /^roof: 5 ± 2\n5\nRangeError: too hot\n/);
console.log('ok');
