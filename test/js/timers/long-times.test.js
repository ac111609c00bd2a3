'use strict';
// Times beyond what a timer of Node's can be. Node warns of one that is too
// long, and fires it at once.

const path = require('node:path');

const { runNode } = require('../support/run-node.js');
const { MAX_TIMER_MS, timerMs } = require('../../../lib/base/timer-ms.js');
const { folderWith, removeFolders } = require('../modules/support.js');

test.each([
  [0, 0],
  [5, 5],
  [2 ** 31 - 1, MAX_TIMER_MS],
  [2 ** 31, MAX_TIMER_MS],
  [1e300, MAX_TIMER_MS],
  [Infinity, MAX_TIMER_MS],
])('%p as a timer', (ms, expected) => {
  expect(timerMs(ms)).toBe(expected);
});

afterAll(removeFolders);

const POOL = `
  const { WorkerPool, Worker, WorkQueue, Time, Sloppy, BackgroundService } =
    require('./lib/index.js');
  const pool = WorkerPool.create('p', { runtime, idleTimeoutMs: long,
    cancelGraceMs: long, runTimeoutMs: long });
`;
// Each ends by itself, or is ended.
const CASES = {
  pool: `${POOL}
    await pool.run(() => 1, { timeoutMs: long, runTimeoutMs: long });
    const abort = new AbortController();
    const late = pool.run(() => { for (;;); }, { signal: abort.signal })
      .catch(() => {});
    await wait(100);
    abort.abort();
    await late;
    pool.stop({ timeoutMs: long, drain: false });`,
  worker: `${POOL}
    const worker = await Worker.start(tasks, { runtime, startTimeoutMs: long,
      init: { module: tasks, timeoutMs: long } });
    await worker.invoke('fn', 1, { timeoutMs: long });
    await worker.stop({ timeoutMs: long });`,
  queue: `${POOL}
    const queue = WorkQueue.create('q', { maxAttempts: 2, backoffMs: long,
      runTimeoutMs: long });
    queue.process(() => { throw new Error(); });
    queue.enqueue(1, { timeoutMs: long }).catch(() => {});`,
  time: `${POOL}
    const most = 0xffffffff;
    Time.delay(most);
    Time.every(most, () => {});
    Time.interval(most).next();
    Time.timeout(() => new Promise(() => {}), { afterMs: most });
    new (require('./lib/index.js').CancellationController)({ timeoutMs: most });`,
  app: `${POOL}
    const app = Sloppy.create();
    app.onShutdown(() => new Promise(() => {}));
    app.openScope();
    app.shutdown({ timeoutMs: long });`,
  service: `${POOL}
    const service = BackgroundService.create('s', () => new Promise(() => {}));
    service.start();
    await wait(1);
    service.stop('r', { timeoutMs: long });`,
  dashboard: `${POOL}
    const { createDashboard } = require('./lib/exporters/dashboard.js');
    const http = require('node:http');
    const dashboard = createDashboard({ pools: pool, interval: long });
    const server = http.createServer(dashboard).listen(0, () => {
      const { port } = server.address();
      http.get({ port, path: '/?events' }).on('response', () => {});
    });
    await wait(100);`,
  qoper8: `
    const { QOper8 } = require('./lib/adapters/qoper8.js');
    const pool = new QOper8({ runtime, handlerTimeout: long, poolSize: 1,
      workerInactivityCheckInterval: long, workerInactivityLimit: long,
      stopTimeout: long,
      handlersByMessageType: new Map([['a', { module: handler }]]) });
    await pool.send({ type: 'a' });
    pool.stop();`,
  attachment: `
    const { Attachment } = require('./lib/adapters/bullmq/attachment.js');
    const worker = Object.assign(new (require('node:events'))(), {
      opts: { lockDuration: long * 100, maxStalledCount: 5 },
      concurrency: 1, close() {} });
    new Attachment(worker, { running: { endOf() {}, endAll() {
      console.log('ended at once'); }, renewed() {},
      *[Symbol.iterator]() {} }, jobsAtOnce: 1, closeTimeoutMs: long,
      onClosed() {} });
    worker.emit('closing');`,
  'waiters of SQLite': `
    const { Waiters } = require('./lib/adapters/sqlite/waiters.js');
    const { Waking } = require('./lib/adapters/sqlite/waking.js');
    const waking = new Waking({ file: tasks, pollMs: long,
      readVersion: () => 1, onChange() {} });
    new Waiters(async (look) => look(), waking).wait({ queue: 'q',
      timeoutMs: long, signal: new AbortController().signal, look: () => ({}) });`,
};

const PROGRAM = (body, runtime, folder) => `
  const runtime = '${runtime}';
  const tasks = ${JSON.stringify(path.join(folder, 'tasks.mjs'))};
  const handler = ${JSON.stringify(path.join(folder, 'handler.cjs'))};
  const long = 2 ** 41;
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  process.on('warning', ({ name }) => {
    if (name === 'TimeoutOverflowWarning') console.log(name);
  });
  (async () => {
    ${body}
    await wait(50);
    console.log('over');
    process.exit(0);
  })();
`;

const TABLE = Object.keys(CASES).flatMap((name) =>
  ['isolate', 'thread'].map((runtime) => [name, runtime]),
);

test.each(TABLE)('%s (%s)', (name, runtime) => {
  const folder = folderWith({
    'tasks.mjs': 'export const fn = () => 1; export const init = () => 1;',
    'handler.cjs': 'module.exports = (message, done) => done({ ok: 1 });',
  });
  const program = PROGRAM(CASES[name], runtime, folder);
  expect(runNode(['-e', program])).toBe('over\n');
});
