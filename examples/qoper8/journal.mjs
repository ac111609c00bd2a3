// A queue that survives the process: what an earlier run did not answer is
// queued again. Run it in this folder, and kill it in between:
//   node journal.mjs <file>

import { Journal } from 'sloppy-workers/journal';
import { QOper8 } from 'sloppy-workers/qoper8';

const journal = Journal.open(process.argv[2] ?? 'journal.db');
const qoper8 = new QOper8({
  handlersByMessageType: new Map([
    ['myMessage', { module: './myMessage.mjs' }],
  ]),
  QBackup: journal,
});

console.log(`${journal.recover(qoper8)} messages came from an earlier run`);
for (let i = 0; i < 100; i++) {
  qoper8.message({ type: 'myMessage', data: { i } });
}
await qoper8.send({ type: 'myMessage', data: 'the last one' });
await qoper8.stop();
console.log(`${journal.size} messages left`);
journal.close();
