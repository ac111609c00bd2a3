// expect: exit 0
// SIGTERM stops every instance: what runs is finished, workers hear `stop`,
// and the process ends because nothing keeps it.

import assert from 'node:assert';
import { QOper8 } from '../../lib/adapters/qoper8.mjs';

const text = `
  this.on('stop', () => this.postMessage({ heard: 'stop' }));
  setTimeout(() => finished({ done: true }), 100);`;
const pools = [1, 2].map(
  () => new QOper8({ handlersByMessageType: new Map([['a', { text }]]) }),
);
const seen = [];
for (const qoper8 of pools) {
  qoper8.on('replyReceived', ({ reply }) => {
    if (reply.heard || reply.done) seen.push(reply);
  });
  qoper8.on('stop', () => seen.push('stop'));
  qoper8.message({ type: 'a' });
}
await Promise.all(
  pools.map((qoper8) => new Promise((go) => qoper8.on('sentToWorker', go))),
);
process.on('exit', () => {
  assert.deepStrictEqual(
    seen.map((entry) => entry.heard ?? entry.done ?? entry).sort(),
    ['stop', 'stop', 'stop', 'stop', true, true],
  );
  assert.strictEqual(process.listenerCount('SIGTERM'), 0);
  console.log('pass');
});
process.kill(process.pid, 'SIGTERM');
