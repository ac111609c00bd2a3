// expect: exit 0
// A heap over its limit ends its worker, with the limit as the cause.

import assert from 'node:assert';
import { QOper8 } from '../../lib/qoper8.mjs';

// Small pieces: Node cannot stop one allocation that is too large by itself.
const text = 'let list; for (;;) list = { list };';
const qoper8 = new QOper8({
  memoryLimitMb: 32,
  handlersByMessageType: new Map([
    ['grow', { text }],
    ['a', { text: 'finished({ ok: 1 })' }],
  ]),
});
const answer = await qoper8.send({ type: 'grow' });
assert.strictEqual(answer.error, 'Worker Thread has shut down unexpectedly');
assert.strictEqual(answer.code, 'SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED');
assert.strictEqual((await qoper8.send({ type: 'a' })).ok, 1);
await qoper8.stop();
console.log('pass');
