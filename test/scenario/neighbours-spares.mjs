// expect: exit 0
// A pool that no message needed has no workers, and does not hold the process.

import assert from 'node:assert/strict';
import { QOper8 } from '../../lib/adapters/qoper8.mjs';

const qoper8 = new QOper8({ poolSize: 2 });
qoper8.on('workerStarted', () => assert.fail('no message, no worker'));
const { worker_threads: workers } = await qoper8.getStats();
assert.deepEqual(workers, {});
console.log('pass');
