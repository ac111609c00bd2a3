'use strict';

// The mistakes of the original, one test each, and what is done on purpose in
// another way.

const { QOper8 } = require('../../../lib/adapters/qoper8.js');
const { fixture, holdTimers, next, pool, record, stopAll } =
  require('./support.js');

afterEach(stopAll);

const ECHO = { text: 'finished({ got: message.data })' };
const DOWN = 'Worker Thread has shut down unexpectedly';

test('a handler in an endless loop is ended and replaced', async () => {
  const limit = 100_000;
  const timers = holdTimers(limit);
  const qoper8 = pool(
    { loop: { text: 'this.postMessage({ loops: true }); for (;;);' }, a: ECHO },
    { handlerTimeout: limit },
  );
  const stopped = record(qoper8, 'workerStopped');
  qoper8.on('replyReceived', ({ reply }) => {
    if (reply.loops) timers.fire(limit);
  });
  expect(await qoper8.send({ type: 'loop' })).toEqual({
    error: 'Worker Thread handler timeout exceeded',
    originalRequest: { type: 'loop' },
  });
  expect((await qoper8.send({ type: 'a', data: 1 })).got).toBe(1);
  expect(stopped).toEqual([['workerStopped', 0]]);
});

test.each([
  [
    'an error in a timer',
    'setTimeout(() => { throw new Error("late") })',
    DOWN,
  ],
  [
    'a rejected async handler',
    'return Promise.reject(new Error("async"))',
    'Error running Handler Method for type t',
  ],
  [
    'a text that does not parse',
    'this is no code',
    'Error running Handler Method for type t',
  ],
  ['a rejection nobody sees', 'Promise.reject(new Error("lost"))', DOWN],
])('%s becomes the answer', async (_name, text, error) => {
  const qoper8 = pool({ t: { text }, a: ECHO });
  expect((await qoper8.send({ type: 't' })).error).toBe(error);
  expect((await qoper8.send({ type: 'a', data: 1 })).got).toBe(1);
});

test('a late error is the cause of the answer, unseen by equality', async () => {
  const text = 'setTimeout(() => { throw new TypeError("late") })';
  const answer = await pool({ t: { text } }).send({ type: 't' });
  expect(Object.keys(answer)).toEqual(['error', 'originalRequest']);
  expect(answer.cause.message).toBe('late');
});

test('a rejected async handler tells what it rejected with', async () => {
  const text = 'return Promise.reject(new RangeError("async"))';
  const answer = await pool({ t: { text } }).send({ type: 't', x: 1 });
  expect(JSON.parse(answer.caughtError).message).toBe('async');
  expect(answer).toMatchObject({
    shutdown: true,
    originalMessage: { type: 't', x: 1 },
    workerId: 0,
  });
});

test('worker death during a message without a callback', async () => {
  const qoper8 = pool({ exit: { text: 'process.exit(1)' }, a: ECHO });
  const exited = next(qoper8, 'threadExit');
  qoper8.message({ type: 'exit' });
  expect(await exited).toEqual({ type: 'exit' });
  expect((await qoper8.send({ type: 'a', data: 1 })).got).toBe(1);
});

test('worker death between messages', async () => {
  const text = 'finished(); setTimeout(() => process.exit(1), 1)';
  const qoper8 = pool({ exit: { text }, a: ECHO });
  const stopped = next(qoper8, 'workerStopped');
  await qoper8.send({ type: 'exit' });
  expect(await stopped).toBe(0);
  expect((await qoper8.send({ type: 'a', data: 1 })).got).toBe(1);
});

test('the same object queued twice is answered twice', async () => {
  const qoper8 = pool({ a: ECHO });
  const message = { type: 'a', data: 1 };
  const answers = await Promise.all([
    qoper8.send(message),
    qoper8.send(message),
    qoper8.send(message),
  ]);
  expect(answers.map(({ got }) => got)).toEqual([1, 1, 1]);
  expect(message).toEqual({ type: 'a', data: 1 });
});

test('a second finished is ignored', async () => {
  const twice = `
    finished({ no: 1 });
    finished({ no: 2 });
    setTimeout(() => finished({ no: 3 }), 5);`;
  const later = 'setTimeout(() => finished({ no: "later" }), 30)';
  const qoper8 = pool({ twice: { text: twice }, later: { text: later } });
  const [first, second] = await Promise.all([
    qoper8.send({ type: 'twice' }),
    qoper8.send({ type: 'later' }),
  ]);
  expect([first.no, second.no]).toEqual([1, 'later']);
});

test('an error after finished does not answer again', async () => {
  const text = 'finished({ no: 1 }); throw new Error("after")';
  const qoper8 = pool({ t: { text }, a: ECHO });
  const [first, second] = await Promise.all([
    qoper8.send({ type: 't' }),
    qoper8.send({ type: 'a', data: 2 }),
  ]);
  expect([first.no, second.got]).toEqual([1, 2]);
});

test('send resolves with the answer, not with an intermediate message', async () => {
  const text = `
    this.postMessage({ step: 1 });
    setTimeout(() => {
      this.postMessage({ step: 2 });
      finished({ done: true });
    }, 5);`;
  expect(await pool({ a: { text } }).send({ type: 'a' })).toEqual({
    done: true,
    qoper8: { finished: true },
  });
});

test.each([
  ['cannot be loaded', './gone.mjs', 'Unable to load'],
  ['throws', fixture('startup-throws.mjs'), 'Error running'],
])(
  'a startup module that %s is told and blocks nothing',
  async (_name, module, how) => {
    const qoper8 = pool({ a: ECHO }, { onStartup: { module } });
    const seen = record(
      qoper8,
      'replyReceived',
      'workerStopped',
      'QBackupDelete',
    );
    const request = { type: 'a', data: 1 };
    const cause = `${how} onStartup customisation module ${module}`;
    const answer = await qoper8.send(request);
    expect(answer).toEqual({
      error: `QOper8 Worker 0 has not been initialised: ${cause}`,
      caughtError: expect.any(String),
      originalMessage: request,
      workerId: 0,
      qoper8: { finished: true },
    });
    expect(answer.code).toBe('SLOPPY_E_WORKER_ISOLATE_STARTUP_FAILED');
    const { caughtError } = answer;
    expect(JSON.parse(caughtError).message).toMatch(/no database|gone\.mjs/);
    expect(seen).toEqual([
      [
        'replyReceived',
        { reply: { error: cause, caughtError, workerId: 0 }, workerId: 0 },
      ],
      ['workerStopped', 0],
      ['QBackupDelete', 1],
    ]);
    // Every message is told, not only the first one.
    const more = await Promise.all([
      qoper8.send(request),
      qoper8.send(request),
    ]);
    expect(more.map(({ workerId }) => workerId)).toEqual([1, 2]);
    expect(await qoper8.stop()).toBeUndefined();
  },
);

test('startup arguments that cannot travel are told as well', async () => {
  const module = fixture('startup.mjs');
  const qoper8 = pool(
    { a: ECHO },
    { onStartup: { module, arguments: { key: Symbol('secret') } } },
  );
  const sends = [1, 2].map((data) => qoper8.send({ type: 'a', data }));
  const answers = await Promise.all(sends);
  expect(answers.map(({ originalMessage }) => originalMessage.data)).toEqual([
    1, 2,
  ]);
  expect(answers[0].code).toBe('SLOPPY_E_WORKER_ISOLATE_STARTUP_FAILED');
  expect(answers[0].caughtError).not.toMatch(/secret/);
  await qoper8.stop();
});

test('a message is queued as it was when it was sent', async () => {
  const qoper8 = pool({ a: ECHO });
  const message = { type: 'a', data: 1 };
  const first = qoper8.send(message);
  message.data = 2;
  const second = qoper8.send(message);
  message.data = 3;
  expect([(await first).got, (await second).got]).toEqual([1, 2]);
});

test('a worker that ends in its startup is told as well', async () => {
  const qoper8 = pool(
    { a: ECHO },
    { onStartup: { module: `data:text/javascript,process.exit(4)` } },
  );
  expect(await qoper8.send({ type: 'a' })).toMatchObject({
    error: 'QOper8 Worker 0 has not been initialised',
    originalMessage: { type: 'a' },
  });
});

test.each([
  ['waits for ever', ';'],
  ['loops for ever', 'for (;;);'],
])(
  'stop ends a handler that %s without a handlerTimeout',
  async (_name, text) => {
    const qoper8 = pool({ hang: { text } }, { stopTimeout: 150 });
    const answer = qoper8.send({ type: 'hang' });
    await next(qoper8, 'sentToWorker');
    await qoper8.stop();
    expect(await answer).toEqual({
      error: DOWN,
      originalRequest: { type: 'hang' },
    });
  },
);

test('start takes up a backlog with as many workers as allowed', async () => {
  const qoper8 = pool(
    { later: { module: fixture('later.mjs') } },
    { poolSize: 3 },
  );
  const sends = Array.from({ length: 9 }, () =>
    qoper8.send({ type: 'later', ms: 20 }),
  );
  await next(qoper8, 'sentToWorker');
  await qoper8.stop();
  const waiting = qoper8.getQueueLength();
  expect(waiting).toBeGreaterThanOrEqual(6);
  const seen = record(qoper8, 'workerStarted');
  qoper8.start();
  expect(seen).toHaveLength(3);
  await Promise.all(sends);
});

test('instances share one listener per signal and remove it on stop', async () => {
  const before = ['SIGINT', 'SIGTERM'].map((name) =>
    process.listenerCount(name),
  );
  const all = Array.from({ length: 12 }, () => new QOper8());
  const counts = () =>
    ['SIGINT', 'SIGTERM'].map(
      (name, i) => process.listenerCount(name) - before[i],
    );
  const others = counts();
  expect(Math.max(...others)).toBeLessThanOrEqual(1);
  await Promise.all(all.map((qoper8) => qoper8.stop()));
  all[0].start();
  await all[0].stop();
  expect(counts()).toEqual([0, 0]);
});
