// expect: exit 0
// With logging the owner and the workers tell what they do, dated.

import assert from 'node:assert';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const library = fileURLToPath(
  new URL('../../lib/adapters/qoper8.mjs', import.meta.url),
);
const program = `
  import { QOper8 } from ${JSON.stringify(library)};
  const text = 'this.log("from the handler"); finished({ ok: 1 })';
  const qoper8 = new QOper8({
    logging: true,
    handlersByMessageType: new Map([['a', { text }]]),
  });
  await qoper8.send({ type: 'a', x: 1 });
  qoper8.logging = false;
  await qoper8.stop();
  qoper8.log('not to be seen');`;
const output = execFileSync(process.execPath, [
  '--input-type=module',
  '--eval',
  program,
]).toString();

assert.match(
  output,
  /^={56}\nqoper8-wt Build 6\.0; .* running in process \d+\n/,
);
assert.match(output, /\nMax worker pool size: 1\n={56}\n/);
for (const text of [
  'try processing queue: length 1',
  'no available workers',
  'starting new worker',
  'worker 0 was available. Sending message to it',
  'try processing queue: length 0',
  'Queue empty',
]) {
  assert.match(output, new RegExp(`^\\d{13}: ${text}$`, 'm'));
}
assert.match(output, /^\d{13}: new worker 0 started\.\.\.$/m);
assert.match(output, /^\d{13}: Message received by worker 0: \{$/m);
assert.match(output, /^\d{13}: from the handler$/m);
assert.match(output, /^\d{13}: response received from Worker: 0$/m);
assert.doesNotMatch(output, /not to be seen/);
console.log('pass');
