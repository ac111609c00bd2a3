// expect: exit 0
// A heap over its limit ends its worker, with the limit as the cause, whether
// it grew by small pieces or by one that is too large.

import assert from 'node:assert';
import { QOper8 } from '../../lib/adapters/qoper8.mjs';

const GROWING = [
  'let list; for (;;) list = { list };',
  'const all = new Set(); for (;;) all.add(all.size);',
  'const all = new Array(2 ** 24); for (;;) all.push(...all.slice(0, 9e4));',
];
for (const runtime of ['isolate', 'thread']) {
  for (const text of GROWING) {
    console.log(runtime, text);
    const qoper8 = new QOper8({
      runtime,
      memoryLimitMb: 32,
      handlersByMessageType: new Map([
        ['grow', { text }],
        ['a', { text: 'finished({ ok: 1 })' }],
      ]),
    });
    const answer = await qoper8.send({ type: 'grow' });
    assert.strictEqual(
      answer.error,
      'Worker Thread has shut down unexpectedly',
    );
    assert.strictEqual(answer.code, 'SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED');
    assert.strictEqual((await qoper8.send({ type: 'a' })).ok, 1);
    await qoper8.stop();
  }
}
console.log('pass');
