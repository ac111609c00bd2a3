// The QBackup hooks over a Redis server:
//   node redis-backup.mjs redis://localhost:6379 [messages] [crash]
// With `crash` it kills itself in the middle; the next run takes up the rest.

import { createClient } from 'redis';
import { QOper8 } from 'sloppy-workers/qoper8';

const [url, messages = '100', mode] = process.argv.slice(2);
const count = Number(messages);
const client = await createClient({ url }).connect();

// Message ids start at 1 in every process, so each run has a hash of its own.
const run = await client.incr('qoper8:run');
const entriesOf = (number) => `qoper8:entries:${number}`;
let deleted = 0;
const QBackup = {
  add: (id, request) =>
    client.hSet(entriesOf(run), String(id), JSON.stringify(request)),
  delete: (id) => {
    deleted++;
    return client.hDel(entriesOf(run), String(id));
  },
};

const text = 'setTimeout(() => finished({ no: message.no }))';
const qoper8 = new QOper8({
  poolSize: 4,
  handlersByMessageType: new Map([['count', { text }]]),
  QBackup,
});

const answers = [];
const send = (request) => answers.push(qoper8.send(request));

for (let earlier = 1; earlier < run; earlier++) {
  const left = await client.hGetAll(entriesOf(earlier));
  console.log(`run ${earlier} left ${Object.keys(left).length} messages`);
  for (const request of Object.values(left)) send(JSON.parse(request));
  await client.del(entriesOf(earlier));
}

const first = answers.length;
for (let no = 0; no < count; no++) send({ type: 'count', no });
await answers[first + count / 2];
if (mode === 'crash') {
  console.log(`deleted ${deleted} of ${count}`);
  process.kill(process.pid, 'SIGKILL');
}

await Promise.all(answers);
await qoper8.stop();
console.log(`answered ${answers.length}`);
console.log(`left ${await client.hLen(entriesOf(run))}`);
client.destroy();
