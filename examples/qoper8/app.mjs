// Sends a few messages through a pool of two workers. Run it in this folder:
//   node app.mjs

import { QOper8 } from 'sloppy-workers/qoper8';

const qoper8 = new QOper8({
  poolSize: 2,
  handlersByMessageType: new Map([
    ['myMessage', { module: './myMessage.mjs' }],
    ['shout', { text: 'finished({ text: this.prefix + message.text })' }],
    [
      'steps',
      { text: 'this.postMessage({ step: 1 }); finished({ steps: 1 })' },
    ],
  ]),
  onStartup: { module: './startup.mjs', arguments: { prefix: '> ' } },
  handlerTimeout: 5000,
});

qoper8.on('replyReceived', ({ reply }) => {
  if (reply.step) console.log('intermediate message', reply);
});

console.log(await qoper8.send({ type: 'myMessage', data: { hello: 'world' } }));
console.log(await qoper8.send({ type: 'shout', text: 'hello' }));
console.log(await qoper8.send({ type: 'steps' }));
console.log(await qoper8.send({ type: 'unknown' }));
await qoper8.stop();
