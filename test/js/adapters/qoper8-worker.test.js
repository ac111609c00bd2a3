'use strict';

const { fixture, holdTimers, pool, record, stopAll } = require('./support.js');

afterEach(stopAll);

test('a handler sees its context', async () => {
  const text = `finished({
    id: this.id,
    keys: ['postMessage', 'on', 'off', 'emit', 'log', 'upTime',
      'getMessageCount'].filter((key) => typeof this[key] === 'function'),
    upTime: this.upTime(),
    count: this.getMessageCount(),
    message,
  })`;
  const answer = await pool({ a: { text } }).send({ type: 'a', x: 1 });
  expect(answer).toMatchObject({
    id: 0,
    upTime: expect.stringMatching(/^0 days 0:\d\d:\d\d$/),
    count: 1,
    message: { type: 'a', x: 1, qoper8: {} },
  });
  expect(answer.keys).toHaveLength(7);
});

test('what a handler puts on this is gone with its call', async () => {
  const text = `
    const before = this.mine;
    this.mine = 1;
    finished({ before: before ?? 'nothing' })`;
  const qoper8 = pool({ a: { text } });
  await qoper8.send({ type: 'a' });
  expect((await qoper8.send({ type: 'a' })).before).toBe('nothing');
});

test("a module's state stays in its worker", async () => {
  const qoper8 = pool({ c: { module: fixture('counter.mjs') } });
  await qoper8.send({ type: 'c' });
  expect((await qoper8.send({ type: 'c' })).calls).toBe(2);
  await qoper8.stop();
  qoper8.start();
  expect((await qoper8.send({ type: 'c' })).calls).toBe(1);
});

test('a handler may answer later, and its return value says nothing', async () => {
  const text = 'setTimeout(() => finished({ late: true }), 10); return 5';
  expect(await pool({ a: { text } }).send({ type: 'a' })).toMatchObject({
    late: true,
  });
});

test('fulfilment of a returned promise alone does not finish', async () => {
  const text = `
    setTimeout(() => finished({ by: 'finished' }), 20);
    return Promise.resolve({ by: 'promise' })`;
  expect(await pool({ a: { text } }).send({ type: 'a' })).toMatchObject({
    by: 'finished',
  });
});

test('intermediate messages come as replyReceived, before the answer', async () => {
  const text = `
    this.postMessage({ type: 'custom', data: { foo: 'bar' } });
    this.postMessage({ type: 'custom', data: { foo: 'baz' } });
    finished({ last: true })`;
  const qoper8 = pool({ a: { text } });
  const seen = [];
  qoper8.on('replyReceived', ({ reply, workerId }) => {
    if (reply.type === 'custom') seen.push([reply.data.foo, workerId]);
  });
  const answers = [];
  await new Promise((resolve) => {
    qoper8.message({ type: 'a' }, (answer) => answers.push(answer));
    qoper8.on('QBackupDelete', resolve);
  });
  expect(seen).toEqual([
    ['bar', 0],
    ['baz', 0],
  ]);
  expect(answers).toEqual([{ last: true, qoper8: { finished: true } }]);
});

test('events in the worker', async () => {
  const listen = `
    for (const type of ['received', 'finished', 'error', 'handler_imported',
      'handlerechoLoaded']) {
      this.on(type, (data) => this.postMessage({ event: type, data }));
      this.on(type, () => this.postMessage({ event: 'second listener' }));
    }
    this.on('dropped', () => this.postMessage({ event: 'dropped' }));
    this.off('dropped');
    this.emit('dropped');
    finished()`;
  const qoper8 = pool({
    listen: { text: listen },
    echo: { text: 'finished({ got: message.x })' },
    boom: { text: 'throw new Error("bang")' },
  });
  const seen = [];
  qoper8.on('replyReceived', ({ reply }) => {
    if (reply.event) seen.push([reply.event, reply.data]);
  });
  await qoper8.send({ type: 'listen' });
  await qoper8.send({ type: 'echo', x: 1 });
  await qoper8.send({ type: 'nope' });
  await qoper8.send({ type: 'boom' });
  const error = 'Error running Handler Method for type boom';
  expect(seen.map(([type]) => type)).toEqual([
    'finished',
    'received',
    'handler_imported',
    'handlerechoLoaded',
    'finished',
    'received',
    'error',
    'finished',
    'received',
    'handler_imported',
    'error',
  ]);
  expect(seen[1][1]).toEqual({ message: { type: 'echo', x: 1 } });
  expect(seen[4][1]).toEqual({ got: 1, qoper8: { finished: true } });
  expect(seen[6][1]).toBe('No handler defined for messages of type nope');
  expect(seen[7][1]).toEqual({
    error: 'No handler defined for messages of type nope',
    originalMessage: { type: 'nope' },
    qoper8: { finished: true },
  });
  expect(seen[10][1]).toEqual({ error, caughtError: expect.any(String) });
});

test("the pool's own messages are told in the worker as well", async () => {
  const listen = `
    const tell = (data) => this.postMessage({ told: data });
    this.on('received', ({ message }) => tell(message));
    this.on('finished', ({ memory, ...data }) => tell(Object.keys(data)));
    setTimeout(finished, 0)`;
  const qoper8 = pool({ listen: { text: listen } });
  const seen = record(qoper8, 'replyReceived');
  await qoper8.send({ type: 'listen' });
  await qoper8.getStats();
  await qoper8.stop();
  const told = seen.map(([, { reply }]) => reply.told).filter(Boolean);
  expect(told).toEqual([
    ['qoper8'],
    { type: 'qoper8_getStats' },
    ['threadId', 'uptime', 'noOfMessages', 'qoper8'],
    { type: 'qoper8_terminate' },
  ]);
});

test('what this.postMessage gives back is undefined', async () => {
  const text = 'finished({ back: String(this.postMessage({ a: 1 })) })';
  const answer = await pool({ a: { text } }).send({ type: 'a' });
  expect(answer.back).toBe('undefined');
});

test('the startup module shapes the context and hears the start', async () => {
  const qoper8 = pool(
    { a: { text: 'finished({ hi: this.greeting, seen: this.seen })' } },
    {
      onStartup: {
        module: fixture('startup.mjs'),
        arguments: { greeting: 'ho' },
      },
    },
  );
  expect(await qoper8.send({ type: 'a' })).toMatchObject({
    hi: 'ho',
    seen: [['started', { id: 0 }]],
  });
});

test('stop is heard in the worker, which can still post', async () => {
  const qoper8 = pool(
    { a: { text: 'finished()' } },
    {
      onStartup: {
        module: fixture('startup.mjs'),
        arguments: { greeting: 'ho' },
      },
    },
  );
  await qoper8.send({ type: 'a' });
  const seen = record(qoper8, 'replyReceived', 'workerStopped');
  await qoper8.stop();
  expect(seen).toEqual([
    ['replyReceived', { reply: { farewell: 'ho' }, workerId: 0 }],
    ['replyReceived', { reply: {}, workerId: 0 }],
    ['workerStopped', 0],
  ]);
});

test('what is posted on shutdown_signal_sent arrives after the rest', async () => {
  const text = `
    this.on('shutdown_signal_sent', () => this.postMessage({ last: 'words' }));
    finished()`;
  // It has as much time for them as it needs.
  holdTimers(100);
  const qoper8 = pool({ a: { text } });
  await qoper8.send({ type: 'a' });
  const seen = record(qoper8, 'replyReceived', 'workerStopped', 'stop');
  await qoper8.stop();
  expect(seen).toEqual([
    ['replyReceived', { reply: {}, workerId: 0 }],
    ['workerStopped', 0],
    ['replyReceived', { reply: { last: 'words' }, workerId: 0 }],
    ['stop', undefined],
  ]);
});

test('the startup module is awaited', async () => {
  const qoper8 = pool(
    { a: { text: 'finished({ ready: this.ready() })' } },
    { onStartup: { module: fixture('startup-async.mjs') } },
  );
  expect((await qoper8.send({ type: 'a' })).ready).toBe(true);
});

test('startup arguments may hold functions, by their source', async () => {
  const qoper8 = pool(
    { a: { text: 'finished({ doubled: this.doubled })' } },
    {
      onStartup: {
        module: fixture('startup.mjs'),
        arguments: { greeting: 1, twice: (n) => n * 2, deep: [{ m() {} }] },
      },
    },
  );
  expect((await qoper8.send({ type: 'a' })).doubled).toBe(42);
});

test('setOnStartupModule counts once, and not after onStartup', async () => {
  const hi = { a: { text: 'finished({ hi: this.greeting })' } };
  const module = fixture('startup.mjs');
  const startup = (greeting) => ({ module, arguments: { greeting } });
  const late = pool(hi);
  late.setOnStartupModule();
  late.setOnStartupModule(startup('first'));
  late.setOnStartupModule(startup('second'));
  expect((await late.send({ type: 'a' })).hi).toBe('first');
  const given = pool(hi, { onStartup: startup('option') });
  given.setOnStartupModule(startup('method'));
  expect((await given.send({ type: 'a' })).hi).toBe('option');
});

test('each worker runs the startup module, replacements too', async () => {
  const qoper8 = pool(
    { a: { text: 'finished({ seen: this.seen })' }, t: { text: 'throw 1' } },
    { onStartup: { module: fixture('startup.mjs') } },
  );
  await qoper8.send({ type: 't' });
  expect((await qoper8.send({ type: 'a' })).seen).toEqual([
    ['started', { id: 1 }],
  ]);
});

test("what a handler makes of onmessage is not the pool's", async () => {
  const text = `
    globalThis.seen ??= 0;
    globalThis.onmessage = () => { globalThis.seen++; };
    finished({ seen: globalThis.seen, type: typeof globalThis.onmessage })`;
  const qoper8 = pool({ a: { text } }, { runtime: 'isolate' });
  const answer = { seen: 0, type: 'function' };
  expect(await qoper8.send({ type: 'a' })).toMatchObject(answer);
  expect(await qoper8.send({ type: 'a' })).toMatchObject(answer);
});
