// Node's own flags change what there is in a realm, how code is compiled and
// how much memory it has: the usual jobs run under each of them, and the one
// that forbids code from text holds in workers too.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const FLAGS = [
  ['--jitless'],
  ['--no-opt'],
  ['--always-sparkplug'],
  ['--no-lazy'],
  ['--single-threaded'],
  ['--stack-size=300'],
  ['--max-old-space-size=64', '--max-semi-space-size=1'],
  ['--disallow-code-generation-from-strings'],
  ['--disable-proto=throw'],
  ['--frozen-intrinsics', '--no-warnings'],
  ['--no-experimental-websocket'],
  ['--pending-deprecation', '--throw-deprecation'],
  ['--unhandled-rejections=strict'],
  ['--abort-on-uncaught-exception'],
  ['--enable-source-maps'],
];

const execute = promisify(execFile);

async function printed(flags, fixture) {
  const file = fileURLToPath(new URL(`fixtures/${fixture}`, import.meta.url));
  const { stdout, stderr } = await execute(process.execPath, [...flags, file]);
  // V8's own, of flags that exclude each other.
  const said = stderr.replace(/^Warning: disabling flag .*\n/gm, '');
  assert.equal(said, '', flags.join(' '));
  return stdout;
}

for (const flags of FLAGS) {
  console.log(flags.join(' '));
  assert.equal(await printed(flags, 'usual-jobs.js'), 'done\n');
}

assert.equal(
  await printed([], 'code-from-text.js'),
  '{} true\n{"runtime":"thread"} true\n{"allowEval":true} true\n',
);
assert.equal(
  await printed(
    ['--disallow-code-generation-from-strings'],
    'code-from-text.js',
  ),
  '{} false\n{"runtime":"thread"} false\n{"allowEval":true} true\n',
);
console.log('pass');
