// expect: exit 0
// exitOnStop ends the process at the end of stop(), whatever holds it.

import { QOper8 } from '../../lib/adapters/qoper8.mjs';

const qoper8 = new QOper8({
  exitOnStop: true,
  handlersByMessageType: new Map([['a', { text: 'finished()' }]]),
});
await qoper8.send({ type: 'a' });
setInterval(() => {}, 1000);
qoper8.on('stop', () => console.log('pass'));
await qoper8.stop();
console.log('still here');
