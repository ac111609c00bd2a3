'use strict';

const { fixture, holdTimers, next, pool, record, stopAll } =
  require('./support.js');

afterEach(stopAll);

const FINISHED = { finished: true };
const ECHO = { text: 'finished({ got: message.data })' };

test('no type', async () => {
  const qoper8 = pool({ a: ECHO });
  const request = { data: 1 };
  expect(await qoper8.send(request)).toEqual({
    error: 'No type or handler specified in message sent to worker 0',
    originalMessage: request,
    qoper8: FINISHED,
  });
  expect((await qoper8.send({ type: 'a', data: 1 })).got).toBe(1);
});

test('unknown type', async () => {
  const qoper8 = pool();
  const request = { type: 'nope', data: { deep: [1] } };
  const answer = await qoper8.send(request);
  expect(answer).toEqual({
    error: 'No handler defined for messages of type nope',
    originalMessage: request,
    qoper8: FINISHED,
  });
  expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
});

test('a module that cannot be loaded; the worker stays', async () => {
  const qoper8 = pool({ gone: { module: './gone.mjs' }, a: ECHO });
  const stopped = record(qoper8, 'workerStopped');
  const request = { type: 'gone', data: 1 };
  const answer = await qoper8.send(request);
  expect(answer).toEqual({
    error: 'Unable to load Handler module ./gone.mjs',
    caughtError: expect.any(String),
    originalMessage: request,
    workerId: 0,
    qoper8: FINISHED,
  });
  const caught = JSON.parse(answer.caughtError);
  expect(caught.message).toMatch(/gone\.mjs/);
  expect(typeof caught.stack).toBe('string');
  expect((await qoper8.send(request)).workerId).toBe(0);
  expect((await qoper8.send({ type: 'a', data: 1 })).got).toBe(1);
  expect(stopped).toEqual([]);
});

test('a handler that throws; the worker ends and is replaced', async () => {
  const qoper8 = pool({ t: { module: fixture('throws.mjs') }, a: ECHO });
  const seen = record(
    qoper8,
    'replyReceived',
    'worker0Available',
    'worker0Response',
    'QBackupDelete',
    'worker0Terminated',
    'workerStopped',
    'workerStarted',
  );
  const request = { type: 't', hello: 'world' };
  const answer = await qoper8.send(request);
  expect(answer).toEqual({
    error: 'Error running Handler Method for type t',
    caughtError: expect.any(String),
    shutdown: true,
    originalMessage: request,
    workerId: 0,
    qoper8: FINISHED,
  });
  expect(Object.keys(answer)).toEqual([
    'error',
    'caughtError',
    'shutdown',
    'originalMessage',
    'workerId',
    'qoper8',
  ]);
  expect(JSON.parse(answer.caughtError)).toEqual({
    stack: expect.stringMatching(/^ReferenceError: y is not defined\n/),
    message: 'y is not defined',
  });
  expect(answer.code).toBe('SLOPPY_E_WORK_JOB_FAILED');
  expect((await qoper8.send({ type: 'a', data: 1 })).got).toBe(1);
  expect(seen.map(([type]) => type)).toEqual([
    'workerStarted',
    'replyReceived',
    'worker0Available',
    'worker0Response',
    'replyReceived',
    'worker0Available',
    'worker0Response',
    'QBackupDelete',
    'worker0Terminated',
    'workerStopped',
    'workerStarted',
    'replyReceived',
    'replyReceived',
    'QBackupDelete',
  ]);
  expect(seen.at(-4)).toEqual(['workerStarted', 1]);
});

test('a module without a handler is a handler error', async () => {
  const qoper8 = pool({ n: { module: fixture('no-handler.mjs') } });
  expect(await qoper8.send({ type: 'n' })).toMatchObject({
    error: 'Error running Handler Method for type n',
    shutdown: true,
  });
});

test.each([
  ['a string', "throw 'plain'", '"plain"'],
  ['null', 'throw null', 'null'],
  ['undefined', 'throw undefined', 'undefined'],
])('a handler can throw %s', async (_name, text, caughtError) => {
  const answer = await pool({ t: { text } }).send({ type: 't' });
  expect(answer).toMatchObject({ shutdown: true, caughtError });
});

test('handlerTimeout counts from dispatch and answers exactly this', async () => {
  const [limit, grace] = [100_000, 250];
  const timers = holdTimers(limit, grace);
  const text = 'if (message.quick) finished({ quick: true })';
  const qoper8 = pool({ t: { text } }, { handlerTimeout: limit });
  const seen = record(
    qoper8,
    'replyReceived',
    'workerStopped',
    'workerStarted',
    'QBackupDelete',
  );
  const request = { type: 't', hello: 'world' };
  const sends = [qoper8.send(request), qoper8.send({ type: 't', quick: true })];
  expect(timers.count(limit)).toBe(0);
  await next(qoper8, 'sentToWorker');
  expect(timers.count(limit)).toBe(1);
  timers.fire(limit);
  const [timedOut, quick] = await Promise.all(sends);
  expect(timedOut).toEqual({
    error: 'Worker Thread handler timeout exceeded',
    originalRequest: request,
  });
  expect(timedOut.code).toBe('SLOPPY_E_WORK_JOB_TIMEOUT');
  expect(quick).toEqual({ quick: true, qoper8: FINISHED });
  const threadId = expect.any(Number);
  expect(seen).toEqual([
    ['workerStarted', 0],
    ['replyReceived', { reply: { threadId }, workerId: 0 }],
    ['QBackupDelete', 1],
    ['replyReceived', { reply: {}, workerId: 0 }],
    ['workerStopped', 0],
    ['workerStarted', 1],
    ['replyReceived', { reply: { threadId }, workerId: 1 }],
    ['replyReceived', { reply: { quick: true }, workerId: 1 }],
    ['QBackupDelete', 2],
  ]);
});

test('a worker that exits answers, tells and is replaced', async () => {
  const qoper8 = pool({ exit: { text: 'process.exit(3)' }, a: ECHO });
  const request = { type: 'exit', data: 1 };
  const seen = record(qoper8, 'QBackupDelete', 'threadExit', 'workerStopped');
  await new Promise((resolve) => {
    qoper8.message(request, (answer, id) => {
      seen.push(['callback', answer, id]);
      resolve();
    });
  });
  const error = 'Worker Thread has shut down unexpectedly';
  expect(seen).toEqual([
    ['QBackupDelete', 1],
    ['threadExit', request],
    ['workerStopped', 0],
    ['callback', { error, originalRequest: request }, 0],
  ]);
  expect(seen[3][1].code).toBe('SLOPPY_E_WORKER_CRASHED');
  expect((await qoper8.send({ type: 'a', data: 1 })).got).toBe(1);
});

test('after stop, send answers and message is dropped', async () => {
  const qoper8 = pool({ a: ECHO });
  await qoper8.send({ type: 'a' });
  await qoper8.stop();
  const seen = record(qoper8, 'addedToQueue', 'QBackupAdd');
  expect(await qoper8.send({ type: 'a' })).toEqual({
    error: 'QOper8 has been stopped',
  });
  const callback = jest.fn();
  qoper8.message({ type: 'a' }, callback);
  expect(callback.mock.calls).toEqual([[{ error: 'QOper8 has been stopped' }]]);
  expect(qoper8.message({ type: 'a' })).toBeUndefined();
  expect(qoper8.getQueueLength()).toBe(0);
  expect(seen).toEqual([]);
});

test.each([
  ['nothing', 'finished()', {}],
  ['null', 'finished(null)', {}],
  ['0', 'finished(0)', {}],
  ['an empty text', "finished('')", {}],
  ['false', 'finished(false)', {}],
  ['a text', "finished('abc')", { value: 'abc' }],
  ['a number', 'finished(7)', { value: 7 }],
  ['true', 'finished(true)', { value: true }],
  ['the message', 'finished(message)', { type: 'a', x: 1 }],
])('finished with %s', async (_name, text, expected) => {
  expect(await pool({ a: { text } }).send({ type: 'a', x: 1 })).toEqual({
    ...expected,
    qoper8: FINISHED,
  });
});

test('finished with an array gives the array', async () => {
  const answer = await pool({ a: { text: 'finished([1, 2])' } }).send({
    type: 'a',
  });
  expect([...answer]).toEqual([1, 2]);
});

test('an answer that cannot travel is a handler error', async () => {
  const text = 'finished({ f: () => 1 })';
  expect(await pool({ a: { text } }).send({ type: 'a' })).toMatchObject({
    error: 'Error running Handler Method for type a',
    shutdown: true,
  });
});

test('an exception of the platform is told with its text', async () => {
  const text = 'structuredClone(() => {})';
  const { caughtError } = await pool({ a: { text } }).send({ type: 'a' });
  expect(JSON.parse(caughtError).message).toMatch(/could not be cloned/);
});

test('the reserved message types', async () => {
  const qoper8 = pool({ a: ECHO });
  await qoper8.send({ type: 'a' });
  expect(await qoper8.send({ type: 'qoper8_getStats' })).toEqual({
    threadId: expect.any(Number),
    uptime: expect.stringMatching(/^0 days 0:\d\d:\d\d$/),
    noOfMessages: 1,
    memory: expect.any(Object),
    qoper8: FINISHED,
  });
  const stopped = next(qoper8, 'workerStopped');
  expect(await qoper8.send({ type: 'qoper8_terminate' })).toEqual({
    qoper8: { shutdown: true },
  });
  expect(await stopped).toBe(0);
  expect((await qoper8.send({ type: 'a', data: 2 })).got).toBe(2);
});
