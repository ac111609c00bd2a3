// --abort-on-uncaught-exception is for what nobody catches on Node's threads.
// Nothing that a job does, and no limit that ends one, may end the process.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const file = fileURLToPath(
  new URL('fixtures/ends-of-jobs.js', import.meta.url),
);
const flag = '--abort-on-uncaught-exception';

for (const runtime of ['isolate', 'thread']) {
  const { stdout } = await promisify(execFile)(process.execPath, [
    flag,
    file,
    runtime,
  ]);
  assert.equal(stdout, 'done\n', runtime);
}
console.log('pass');
