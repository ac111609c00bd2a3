'use strict';

const { fixture, holdTimers, next, pool, record, stopAll } =
  require('./support.js');

afterEach(stopAll);

const ECHO = { text: 'finished({ got: message.data })' };
const LATER = { module: fixture('later.mjs') };

test('stop waits for what runs and keeps what waits', async () => {
  const qoper8 = pool({ later: LATER });
  const seen = record(
    qoper8,
    'workerStopped',
    'stop',
    'start',
    'workerStarted',
  );
  const settled = [];
  const send = (ms) =>
    qoper8.send({ type: 'later', ms }).then(() => settled.push(ms));
  const sends = [send(50), send(1), send(2)];
  await next(qoper8, 'sentToWorker');
  expect(await qoper8.stop()).toBeUndefined();
  expect(settled).toEqual([50]);
  expect(qoper8.getQueueLength()).toBe(2);
  qoper8.start();
  await Promise.all(sends);
  expect(settled).toEqual([50, 1, 2]);
  expect(seen).toEqual([
    ['workerStarted', 0],
    ['workerStopped', 0],
    ['stop', undefined],
    ['start', undefined],
    ['workerStarted', 1],
  ]);
});

test('stop on a pool that never ran tells so at once', async () => {
  const qoper8 = pool();
  const seen = record(qoper8, 'stop');
  await Promise.all([qoper8.stop(), qoper8.stop()]);
  expect(seen).toHaveLength(2);
});

test('await using stops', async () => {
  const qoper8 = pool({ a: ECHO });
  await qoper8.send({ type: 'a' });
  const stopped = next(qoper8, 'stop');
  await qoper8[Symbol.asyncDispose]();
  await stopped;
});

test('getStats gives the figures of the process and of each worker', async () => {
  const qoper8 = pool({ a: ECHO, later: LATER }, { poolSize: 2 });
  await Promise.all([qoper8.send({ type: 'a' }), qoper8.send({ type: 'a' })]);
  await qoper8.send({ type: 'nope' });
  const busy = qoper8.send({ type: 'later', ms: 30 });
  const stats = await qoper8.getStats();
  const memory = {
    rss: expect.stringMatching(/^\d+\.\d\d$/),
    heapTotal: expect.stringMatching(/^\d+\.\d\d$/),
    heapUsed: expect.stringMatching(/^\d+\.\d\d$/),
  };
  expect(stats.main_process).toEqual({
    pid: process.pid,
    upTime: expect.stringMatching(/^0 days 0:\d\d:\d\d$/),
    noOfMessages: 4,
    memory,
    queue_length: 0,
  });
  expect(Object.keys(stats.worker_threads)).toEqual(['0', '1']);
  const workers = Object.values(stats.worker_threads);
  for (const worker of workers) {
    expect(worker).toEqual({
      threadId: expect.any(Number),
      uptime: expect.stringMatching(/^0 days 0:\d\d:\d\d$/),
      noOfMessages: expect.any(Number),
      memory,
      qoper8: { finished: true },
    });
  }
  // A busy worker was waited for; the unknown type had no handler to count.
  expect(workers.reduce((sum, worker) => sum + worker.noOfMessages, 0)).toBe(3);
  expect((await busy).waited).toBe(30);
});

test('getStats outlives a worker that ends under it', async () => {
  const qoper8 = pool({
    exit: { text: 'setTimeout(() => process.exit(1), 20)' },
  });
  const exit = qoper8.send({ type: 'exit' });
  await next(qoper8, 'sentToWorker');
  expect((await qoper8.getStats()).worker_threads).toEqual({});
  expect((await exit).error).toBe('Worker Thread has shut down unexpectedly');
});

test('backup entries are added at queueing and deleted at the end', async () => {
  const kept = new Map();
  const QBackup = {
    add: (id, request) => kept.set(id, request),
    delete: (id) => kept.delete(id),
  };
  const limit = 100_000;
  const timers = holdTimers(limit);
  const qoper8 = pool(
    {
      a: { text: 'this.postMessage({ step: 1 }); finished()' },
      later: LATER,
      t: { text: 'throw 1' },
      exit: { text: 'process.exit(1)' },
      hang: { text: ';' },
    },
    { QBackup, handlerTimeout: limit },
  );
  qoper8.on('sentToWorker', ({ message }) => {
    if (message.type === 'hang') setImmediate(timers.fire, limit);
  });
  const steps = [];
  qoper8.on('replyReceived', ({ reply }) => {
    if (reply.step) steps.push([...kept.keys()]);
  });
  for (const type of ['a', 't', 'exit', 'hang', 'nope']) {
    const sent = qoper8.send({ type, x: 1 });
    expect([...kept.values()]).toEqual([{ type, x: 1 }]);
    await sent;
    expect(kept.size).toBe(0);
  }
  expect(steps).toEqual([[1]]);
  qoper8.message({ type: 'later', ms: 20 });
  qoper8.message({ type: 'a' });
  await qoper8.stop();
  expect([...kept]).toEqual([[7, { type: 'a' }]]);
});

test('what the backup hooks throw or reject with goes no further', async () => {
  const QBackup = {
    add: () => {
      throw new Error('add');
    },
    delete: async () => {
      throw new Error('delete');
    },
  };
  const qoper8 = pool({ a: ECHO }, { QBackup });
  expect((await qoper8.send({ type: 'a', data: 1 })).got).toBe(1);
});

const IDLE = {
  workerInactivityCheckInterval: 0.02,
  workerInactivityLimit: 0.05 / 60,
};

test('an idle worker is shut down after its stop event, and replaced', async () => {
  const qoper8 = pool(
    { a: ECHO },
    { ...IDLE, onStartup: { module: fixture('startup.mjs') } },
  );
  await qoper8.send({ type: 'a' });
  const seen = record(qoper8, 'replyReceived');
  expect(await next(qoper8, 'workerStopped')).toBe(0);
  expect(seen.map(([, { reply }]) => reply)).toEqual([
    { farewell: undefined },
    {},
  ]);
  expect((await qoper8.send({ type: 'a', data: 5 })).got).toBe(5);
});

test('a busy worker over the limit ends after its answer', async () => {
  const qoper8 = pool({ later: LATER }, IDLE);
  const seen = [];
  const stopped = next(qoper8, 'workerStopped').then((id) => seen.push(id));
  seen.push(await qoper8.send({ type: 'later', ms: 200 }));
  await stopped;
  expect(seen).toEqual([{ waited: 200, qoper8: { finished: true } }, 0]);
});
