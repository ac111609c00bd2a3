// `instanceof SloppyWorkerError` between copies of the package and realms: the
// module as it is, a second copy of it, and a vm context.

import assert from 'node:assert';
import { createRequire } from 'node:module';
import vm from 'node:vm';
import { SloppyWorkerError, WorkerPool } from '../../lib/index.mjs';

const require = createRequire(import.meta.url);
const required = require('../../lib/index.js');
assert.strictEqual(required.SloppyWorkerError, SloppyWorkerError);

for (const file of Object.keys(require.cache)) delete require.cache[file];
const copy = require('../../lib/index.js');
assert.notStrictEqual(copy.SloppyWorkerError, SloppyWorkerError);

const [one, other] = [WorkerPool, copy.WorkerPool].map((Pool) =>
  Pool.create('realms'),
);
for (const pool of [one, other]) {
  const error = await pool
    .run(() => {
      throw new TypeError('x');
    })
    .catch((thrown) => thrown);
  for (const Class of [SloppyWorkerError, copy.SloppyWorkerError]) {
    assert.ok(error instanceof Class);
    assert.ok(new Class('X', 'y') instanceof SloppyWorkerError);
  }
  const context = vm.createContext({ error, SloppyWorkerError });
  assert.ok(vm.runInContext('error instanceof SloppyWorkerError', context));
  assert.ok(error.cause instanceof TypeError);
}

// Only what is one: a name and a code can be anybody's.
const forged = Object.assign(new Error('x'), {
  name: 'SloppyWorkerError',
  code: 'SLOPPY_E_WORKER_CRASHED',
});
for (const value of [forged, {}, null, undefined, 'x', 5, new Error('x')]) {
  assert.strictEqual(value instanceof SloppyWorkerError, false);
}
class Mine extends SloppyWorkerError {}
assert.ok(new Mine('X', 'y') instanceof SloppyWorkerError);
assert.ok(!(new SloppyWorkerError('X', 'y') instanceof Mine));

await Promise.all([one.stop(), other.stop()]);
console.log('pass');
