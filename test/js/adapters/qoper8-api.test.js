'use strict';

const path = require('node:path');
const { pathToFileURL } = require('node:url');

const { QOper8 } = require('../../../lib/adapters/qoper8.js');
const {
  MAIN_EVENTS,
  fixture,
  next,
  pool,
  record,
  stopAll,
} = require('./support.js');

afterEach(stopAll);

const ECHO = { text: 'finished({ got: message.data })' };

test('has the documented properties', () => {
  const handlersByMessageType = new Map([['a', ECHO]]);
  const print = jest.spyOn(console, 'log').mockImplementation(() => {});
  const qoper8 = new QOper8({ handlersByMessageType, logging: true });
  expect(print.mock.calls[1][0]).toMatch(`running in process ${process.pid}`);
  print.mockRestore();
  expect(qoper8.name).toBe('QOper8-wt');
  expect(qoper8.build).toBe('6.0');
  expect(typeof qoper8.buildDate).toBe('string');
  expect(qoper8.logging).toBe(true);
  expect(qoper8.handlersByMessageType).toBe(handlersByMessageType);
  expect(new QOper8().logging).toBe(false);
  expect(new QOper8().handlersByMessageType).toEqual(new Map());
  expect(new QOper8().upTime()).toMatch(/^0 days 0:\d\d:\d\d$/);
});

test('methods can be handed around; those of a subclass are its own', async () => {
  const { emit, getQueueLength, message, on, start, stop } = pool({ a: ECHO });
  const got = [];
  on('mine', (data) => got.push(data));
  emit('mine', 1);
  expect([got, getQueueLength()]).toEqual([[1], 0]);
  await new Promise((resolve) => message({ type: 'a' }, resolve));
  await stop();
  start();
  await stop();

  class Mine extends QOper8 {
    getQueueLength() {
      return 7;
    }
  }
  const mine = new Mine();
  expect(mine.getQueueLength()).toBe(7);
  await mine.stop();
});

test('refuses a runtime it does not have', () => {
  expect(() => new QOper8({ runtime: 'fiber' })).toThrow(TypeError);
});

test('send resolves with the answer, marked finished', async () => {
  const qoper8 = pool({ a: ECHO });
  expect(await qoper8.send({ type: 'a', data: { hello: 'world' } })).toEqual({
    got: { hello: 'world' },
    qoper8: { finished: true },
  });
});

test('message calls back once with the answer and the worker id', async () => {
  const qoper8 = pool({ a: ECHO });
  const args = await new Promise((resolve) => {
    const returned = qoper8.message({ type: 'a', data: 1 }, (...all) =>
      resolve(all),
    );
    expect(returned).toBeUndefined();
  });
  expect(args).toEqual([{ got: 1, qoper8: { finished: true } }, 0]);
});

test('message without a callback is handled too', async () => {
  const qoper8 = pool({ a: ECHO });
  const deleted = next(qoper8, 'QBackupDelete');
  qoper8.message({ type: 'a' });
  expect(await deleted).toBe(1);
});

test('tells everything in order on a cold pool', async () => {
  const seen = [];
  const QBackup = {
    add: (id, request) => seen.push(['add', id, request]),
    delete: (id) => seen.push(['delete', id]),
  };
  const qoper8 = pool({ a: ECHO }, { QBackup });
  for (const type of MAIN_EVENTS) {
    qoper8.on(type, (data) => seen.push([type, data]));
  }
  const request = { type: 'a', data: 7 };
  await new Promise((resolve) => {
    qoper8.on('worker0Response', (answer) => seen.push(['response', answer]));
    qoper8.message(request, (answer) => seen.push(['callback', answer]));
    qoper8.on('worker0Available', () => {
      if (seen.some(([type]) => type === 'callback')) setImmediate(resolve);
    });
  });
  const threadId = expect.any(Number);
  const init = { init: true, finished: true };
  const answer = { got: 7, qoper8: { finished: true } };
  expect(seen).toEqual([
    ['QBackupAdd', { id: 1, requestObject: request }],
    ['add', 1, request],
    ['addedToQueue', { ...request, qoper8: { messageNo: 1 } }],
    ['workerStarted', 0],
    ['replyReceived', { reply: { threadId }, workerId: 0 }],
    ['response', { threadId, qoper8: init }],
    ['sentToWorker', { message: { ...request, qoper8: {} }, workerId: 0 }],
    ['replyReceived', { reply: { got: 7 }, workerId: 0 }],
    ['callback', answer],
    ['response', answer],
    ['QBackupDelete', 1],
    ['delete', 1],
  ]);
});

test('keeps one listener per event until off, called on the instance', () => {
  const qoper8 = new QOper8();
  const first = jest.fn();
  const second = jest.fn();
  qoper8.on('mine', first);
  qoper8.on('mine', second);
  qoper8.emit('mine', { a: 1 });
  expect(first).toHaveBeenCalledWith({ a: 1 });
  expect(first.mock.contexts[0]).toBe(qoper8);
  expect(second).not.toHaveBeenCalled();
  qoper8.off('mine');
  qoper8.on('mine', second);
  qoper8.emit('mine', 'text');
  expect(second).toHaveBeenCalledWith('text');
  expect(first).toHaveBeenCalledTimes(1);
});

test('log prints the time and the text only while logging', () => {
  const print = jest.spyOn(console, 'log').mockImplementation(() => {});
  const qoper8 = new QOper8();
  qoper8.log('quiet');
  expect(print).not.toHaveBeenCalled();
  qoper8.logging = true;
  qoper8.log('loud');
  expect(print.mock.calls[0][0]).toMatch(/^\d{13}: loud$/);
  print.mockRestore();
});

test('starts no more workers than poolSize, cut to maxPoolSize', async () => {
  const qoper8 = pool(
    { later: { module: fixture('later.mjs') } },
    {
      poolSize: '5',
      maxPoolSize: 2,
    },
  );
  const seen = record(qoper8, 'workerStarted');
  await Promise.all(
    [1, 2, 3, 4].map(() => qoper8.send({ type: 'later', ms: 5 })),
  );
  expect(seen).toEqual([
    ['workerStarted', 0],
    ['workerStarted', 1],
  ]);
});

test('setPoolSize counts from 1 to maxPoolSize and ignores the rest', async () => {
  const qoper8 = pool(
    { later: { module: fixture('later.mjs') } },
    { maxPoolSize: 3 },
  );
  const seen = record(qoper8, 'workerStarted');
  for (const size of [0, -1, 4, 'many', Number.NaN]) qoper8.setPoolSize(size);
  const send = () => qoper8.send({ type: 'later', ms: 5 });
  await Promise.all([send(), send()]);
  expect(seen).toHaveLength(1);
  qoper8.setPoolSize('3');
  await Promise.all([send(), send(), send(), send()]);
  expect(seen).toHaveLength(3);
});

test('queue length counts what waits, not what runs', async () => {
  const qoper8 = pool({ later: { module: fixture('later.mjs') } });
  const sends = [5, 5, 5].map((ms) => qoper8.send({ type: 'later', ms }));
  expect(qoper8.getQueueLength()).toBe(3);
  await next(qoper8, 'sentToWorker');
  expect(qoper8.getQueueLength()).toBe(2);
  await Promise.all(sends);
  expect(qoper8.getQueueLength()).toBe(0);
});

test('one worker answers in the order of the messages', async () => {
  const qoper8 = pool({ a: ECHO });
  const order = [];
  await Promise.all(
    Array.from({ length: 200 }, (_, i) =>
      qoper8.send({ type: 'a', data: i }).then(({ got }) => order.push(got)),
    ),
  );
  expect(order).toEqual(Array.from({ length: 200 }, (_, i) => i));
});

test('more messages than maxQueueLength are accepted', async () => {
  const qoper8 = pool({ a: ECHO }, { maxQueueLength: 2 });
  const answers = await Promise.all(
    [1, 2, 3, 4, 5].map((data) => qoper8.send({ type: 'a', data })),
  );
  expect(answers.map(({ got }) => got)).toEqual([1, 2, 3, 4, 5]);
});

test.each(['maxQueueLength', 'maxQLength'])(
  "overflow: 'reject' answers above %s",
  async (name) => {
    const qoper8 = pool({ a: ECHO }, { [name]: 2, overflow: 'reject' });
    const answers = await Promise.all(
      [1, 2, 3].map((data) => qoper8.send({ type: 'a', data })),
    );
    expect(answers.map(({ got }) => got)).toEqual([1, 2, undefined]);
    expect(answers[2]).toMatchObject({
      error: expect.any(String),
      code: 'SLOPPY_E_WORK_QUEUE_FULL',
      originalRequest: { type: 'a', data: 3 },
    });
  },
);

test('options and messages are only read, so both can be used again', async () => {
  const options = {
    handlersByMessageType: new Map([['a', ECHO]]),
    workerInactivityCheckInterval: 20,
    workerInactivityLimit: 5,
    onStartup: { module: fixture('startup.mjs'), arguments: { greeting: 1 } },
  };
  Object.freeze(options);
  const message = Object.freeze({ type: 'a', data: 1 });
  for (const qoper8 of [pool({}, options), pool({}, options)]) {
    expect((await qoper8.send(message)).got).toBe(1);
  }
  expect(message).toEqual({ type: 'a', data: 1 });
});

test("a message's own qoper8 property does not reach the handler", async () => {
  const qoper8 = pool({ a: { text: 'finished({ seen: message.qoper8 })' } });
  const sent = { type: 'a', qoper8: { finished: true } };
  expect((await qoper8.send(sent)).seen).toEqual({});
  expect(sent.qoper8).toEqual({ finished: true });
});

test('what is no object is refused', async () => {
  const qoper8 = pool({ a: ECHO });
  await expect(qoper8.send(undefined)).rejects.toThrow(TypeError);
  expect(() => qoper8.message('a')).toThrow(TypeError);
});

test('a message that cannot travel rejects and blocks nothing', async () => {
  const qoper8 = pool({ a: ECHO });
  await expect(
    qoper8.send({ type: 'a', data: () => 'secret' }),
  ).rejects.toMatchObject({ code: 'SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD' });
  const answer = await new Promise((resolve) => {
    qoper8.message({ type: 'a', data: () => 1 }, resolve);
  });
  expect(answer.code).toBe('SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD');
  expect((await qoper8.send({ type: 'a', data: 2 })).got).toBe(2);
});

test('modules are named by absolute path, file URL or path from the cwd', async () => {
  const file = fixture('echo.mjs');
  const relative = path.relative(process.cwd(), file);
  const qoper8 = pool({
    absolute: { module: file },
    url: { module: pathToFileURL(file).href },
    object: { module: pathToFileURL(file) },
    dotted: { module: `./${relative}` },
    bare: { module: relative },
  });
  for (const type of ['absolute', 'url', 'object', 'dotted', 'bare']) {
    expect(await qoper8.send({ type, data: type })).toMatchObject({
      echo: type,
    });
  }
});

test('text wins over module', async () => {
  const module = fixture('echo.mjs');
  const qoper8 = pool({ a: { text: 'finished({ by: "text" })', module } });
  expect(await qoper8.send({ type: 'a' })).toMatchObject({ by: 'text' });
});

test('handlers added later reach workers started later', async () => {
  const qoper8 = pool({ a: ECHO });
  await qoper8.send({ type: 'a' });
  qoper8.handlersByMessageType.set('b', ECHO);
  expect((await qoper8.send({ type: 'b' })).error).toBe(
    'No handler defined for messages of type b',
  );
  await qoper8.stop();
  qoper8.start();
  expect((await qoper8.send({ type: 'b', data: 1 })).got).toBe(1);
});

test("a listener's or callback's error surfaces and breaks nothing", async () => {
  const uncaught = [];
  const queued = jest
    .spyOn(globalThis, 'queueMicrotask')
    .mockImplementation((fn) => {
      try {
        fn();
      } catch (err) {
        uncaught.push(err.message);
      }
    });
  const qoper8 = pool({ a: ECHO });
  qoper8.on('sentToWorker', () => {
    throw new Error('listener');
  });
  await new Promise((resolve) => {
    qoper8.message({ type: 'a' }, () => {
      resolve();
      throw new Error('callback');
    });
  });
  qoper8.off('sentToWorker');
  expect((await qoper8.send({ type: 'a', data: 3 })).got).toBe(3);
  expect(uncaught).toEqual(['listener', 'callback']);
  queued.mockRestore();
});
