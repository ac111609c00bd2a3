'use strict';

// Messages that are with a worker before their turn must not be told from
// those that are not. A type has to be quick for a while before that happens.

const { next, pool, record, stopAll } = require('./support.js');

afterEach(stopAll);

const STEP = {
  text: `
    if (message.exit) process.exit(1);
    if (message.boom) throw new Error('boom');
    const gate = message.gate && new Int32Array(message.gate);
    const isShut = () => gate !== undefined && Atomics.load(gate, 0) === 0;
    while (message.spins && isShut());
    const answer = () => {
      if (isShut()) setTimeout(answer, 1);
      else finished({ no: message.no, id: this.id });
    };
    answer();`,
};

/** Shared memory: the handler of a message that has it waits until \`open\`. */
function createGate() {
  const gate = new SharedArrayBuffer(4);
  return { gate, open: () => Atomics.store(new Int32Array(gate), 0, 1) };
}

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
  ['that waits', { spins: false }],
  ['that computes without a pause', { spins: true }],
])(
  'what is behind a slow message %s goes to another worker',
  async (_what, slow) => {
    const qoper8 = pool({ s: STEP }, { poolSize: 2 });
    await Promise.all([warmUp(qoper8), warmUp(qoper8)]);
    const { gate, open } = createGate();
    const send = (no, more) => qoper8.send({ type: 's', no, ...more });
    const before = range(0, 40).map((no) => send(no));
    const last = send('slow', { gate, ...slow });
    const behind = range(41, 200).map((no) => send(no));
    const answers = await Promise.all([...before, ...behind]);
    expect(answers).toHaveLength(199);
    open();
    expect((await last).no).toBe('slow');
  },
);

test('a worker with nothing to do takes its share of what waits elsewhere', async () => {
  const qoper8 = pool({ s: STEP }, { poolSize: 2 });
  await Promise.all([warmUp(qoper8), warmUp(qoper8)]);
  // Both are busy, and what comes then waits with both; one goes on.
  const [one, other] = [createGate(), createGate()];
  const first = qoper8.send({ type: 's', gate: one.gate });
  const second = qoper8.send({ type: 's', gate: other.gate });
  const rest = range(0, 100).map((no) => qoper8.send({ type: 's', no }));
  other.open();
  const { id } = await second;
  const answers = await Promise.all(rest);
  expect(new Set(answers.map((answer) => answer.id))).toEqual(new Set([id]));
  one.open();
  expect((await first).id).not.toBe(id);
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
  const { gate, open } = createGate();
  let answered = 0;
  const sends = range(0, 100).map((no) =>
    qoper8
      .send({ type: 's', no, gate: no === 10 ? gate : undefined })
      .then(() => answered++),
  );
  await new Promise((resolve) => {
    qoper8.on('sentToWorker', ({ message }) => {
      if (message.no === 10) resolve();
    });
  });
  const stopped = qoper8.stop();
  open();
  await stopped;
  expect([answered, qoper8.getQueueLength()]).toEqual([11, 89]);
  qoper8.off('sentToWorker');
  const first = next(qoper8, 'sentToWorker');
  qoper8.start();
  expect((await first).message.no).toBe(11);
  await Promise.all(sends);
});

test('types are forgotten, the oldest first', () => {
  const { Lookahead } = require('../../../lib/adapters/qoper8/lookahead.js');
  const lookahead = new Lookahead(new Map(), [], {});
  const first = lookahead.paceOf('first');
  expect(lookahead.paceOf('first')).toBe(first);
  // A sender that names each message does this.
  for (let i = 0; i < 100; i += 1) lookahead.paceOf({ id: i });
  expect(lookahead.paceOf('first')).toBe(first);
  for (let i = 0; i < 2000; i += 1) lookahead.paceOf(`type ${i}`);
  expect(lookahead.paceOf('first')).not.toBe(first);
});
