'use strict';

// Messages that are with a worker before their turn must not be told from
// those that are not. A type has to be quick for a while before that happens.

const { next, pool, record, stopAll } = require('./support.js');

afterEach(stopAll);

const STEP = {
  text: `
    if (message.exit) process.exit(1);
    if (message.boom) throw new Error('boom');
    for (const end = Date.now() + message.spin; Date.now() < end; );
    const answer = () => finished({ no: message.no, id: this.id });
    if (message.ms) setTimeout(answer, message.ms);
    else answer();`,
};

/** Makes the type quick: one message after the other, until it is. */
async function warmUp(qoper8) {
  for (let i = 0; i < 200; i++) await qoper8.send({ type: 's' });
}

const range = (from, to) =>
  Array.from({ length: to - from }, (_, i) => from + i);

test('the events keep their order, message by message', async () => {
  const qoper8 = pool({ s: STEP });
  await warmUp(qoper8);
  const seen = [];
  qoper8.on('sentToWorker', ({ message }) => seen.push(['sent', message.no]));
  qoper8.on('replyReceived', ({ reply }) => seen.push(['reply', reply.no]));
  const numbers = range(0, 300);
  await Promise.all(
    numbers.map(
      (no) =>
        new Promise((resolve) => {
          qoper8.message({ type: 's', no }, () => {
            seen.push(['callback', no]);
            resolve();
          });
        }),
    ),
  );
  expect(seen).toEqual(
    numbers.flatMap((no) => [
      ['sent', no],
      ['reply', no],
      ['callback', no],
    ]),
  );
});

test('they count as waiting until their turn', async () => {
  const qoper8 = pool({ s: STEP });
  await warmUp(qoper8);
  const sends = range(0, 100).map((no) => qoper8.send({ type: 's', no }));
  expect(qoper8.getQueueLength()).toBe(99);
  const lengths = [];
  qoper8.on('sentToWorker', () => lengths.push(qoper8.getQueueLength()));
  await Promise.all(sends);
  expect(lengths).toEqual(range(0, 99).toReversed());
});

test.each([
  ['that waits', { ms: 1500 }],
  ['that computes without a pause', { spin: 1500 }],
])(
  'what is behind a slow message %s goes to another worker',
  async (_what, slow) => {
    const qoper8 = pool({ s: STEP }, { poolSize: 2 });
    await Promise.all([warmUp(qoper8), warmUp(qoper8)]);
    const order = [];
    const send = (no, more) =>
      qoper8.send({ type: 's', no, ...more }).then(() => order.push(no));
    await Promise.all([
      ...range(0, 40).map((no) => send(no)),
      send('slow', slow),
      ...range(41, 200).map((no) => send(no)),
    ]);
    expect(order.at(-1)).toBe('slow');
  },
);

test('a worker with nothing to do takes its share of what waits elsewhere', async () => {
  const qoper8 = pool({ s: STEP }, { poolSize: 2 });
  await Promise.all([warmUp(qoper8), warmUp(qoper8)]);
  // While the first worker has all that is there, the other one is busy.
  const first = qoper8.send({ type: 's', ms: 100 });
  const second = qoper8.send({ type: 's', no: 'second', ms: 50 });
  const answers = await Promise.all([
    ...range(0, 100).map((no) => qoper8.send({ type: 's', no, ms: 1 })),
    first,
    second,
  ]);
  const byWorker = [0, 0];
  for (const { id } of answers) byWorker[id]++;
  expect(Math.min(...byWorker)).toBeGreaterThan(10);
});

test('a worker that dies loses only the message that ran', async () => {
  const qoper8 = pool({ s: STEP });
  await warmUp(qoper8);
  const stopped = record(qoper8, 'workerStopped');
  const answers = await Promise.all(
    range(0, 200).map((no) =>
      qoper8.send({ type: 's', no, exit: no === 50, boom: no === 120 }),
    ),
  );
  const lost = answers.filter(({ error }) => error);
  expect(lost.map(({ error }) => error)).toEqual([
    'Worker Thread has shut down unexpectedly',
    'Error running Handler Method for type s',
  ]);
  expect(answers.indexOf(lost[0])).toBe(50);
  expect(answers.indexOf(lost[1])).toBe(120);
  expect(answers.filter(({ no }) => no !== undefined)).toHaveLength(198);
  expect(stopped).toHaveLength(2);
});

test('stop keeps what did not begin', async () => {
  const qoper8 = pool({ s: STEP });
  await warmUp(qoper8);
  let answered = 0;
  const sends = range(0, 100).map((no) =>
    qoper8
      .send({ type: 's', no, ms: no === 10 ? 50 : 0 })
      .then(() => answered++),
  );
  const sent = [];
  await new Promise((resolve) => {
    qoper8.on('sentToWorker', ({ message }) => {
      sent.push(message.no);
      if (message.no === 10) resolve();
    });
  });
  await qoper8.stop();
  expect([answered, qoper8.getQueueLength()]).toEqual([11, 89]);
  qoper8.off('sentToWorker');
  const first = next(qoper8, 'sentToWorker');
  qoper8.start();
  expect((await first).message.no).toBe(11);
  await Promise.all(sends);
});
