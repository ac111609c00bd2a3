// expect: exit 0
// With keepAlive an idle worker holds the process until its idle limit.

import { QOper8 } from '../../lib/adapters/qoper8.mjs';

const qoper8 = new QOper8({
  keepAlive: true,
  workerInactivityCheckInterval: 0.05,
  workerInactivityLimit: 0.2 / 60,
  handlersByMessageType: new Map([['a', { text: 'finished()' }]]),
});
qoper8.on('workerStopped', () => console.log('pass'));
await qoper8.send({ type: 'a' });
