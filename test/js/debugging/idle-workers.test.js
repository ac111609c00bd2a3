'use strict';
// A worker without a job, and its debugger.

const { WorkerPool, openInspector } = require('../../../lib/index.js');
const { connect, ownOf, ownPools, workersOf } = require('./support.js');

const { name, isOwn } = ownPools();

let inspector;
let root;
let pool;
beforeEach(async () => {
  inspector = await openInspector({ port: 0 });
  root = await connect(inspector.url);
  pool = WorkerPool.create(name, { workers: 1 });
});
afterEach(async () => {
  root.close();
  await inspector.close();
  await pool.stop({ drain: false });
});

/** Has a job run in a worker, and waits until `pauseIn` pauses it after that. */
async function pausedAfter(job, pauseIn) {
  await pool.run(() => 1);
  const attached = new Promise((resolve) => {
    ownOf(workersOf, isOwn)(root, resolve);
  });
  await root.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  const worker = await attached;
  await worker.post('Debugger.enable');
  await pool.run(job);
  const evaluated = pauseIn(worker);
  await worker.next('Debugger.paused');
  return { worker, evaluated };
}

const inExpression = () =>
  pausedAfter(
    () => 1,
    (worker) =>
      worker.post('Runtime.evaluate', { expression: 'debugger; 6 * 7' }),
  );
const inTimer = () =>
  pausedAfter(
    () => {
      setTimeout(() => {
        // biome-ignore lint/suspicious/noDebugger: this is the test
        debugger;
      }, 1);
    },
    () => undefined,
  );

test('an expression pauses in it, and goes on', async () => {
  const { worker, evaluated } = await inExpression();
  await worker.post('Debugger.resume');
  const { result } = await evaluated;
  expect(result.value).toBe(42);
  expect(await pool.run(() => 2)).toBe(2);
});

test.each([
  ['an expression', inExpression],
  ['a timer', inTimer],
])('a pause in %s ends with the pool', async (_name, pause) => {
  const { evaluated } = await pause();
  const ended = evaluated?.then(
    () => 'evaluated',
    () => 'ended',
  );
  await pool.stop({ timeoutMs: 200 });
  expect(await ended).toBe(evaluated && 'ended');
});

test('an expression pauses before a job that comes with it', async () => {
  const { worker, evaluated } = await inExpression();
  const job = pool.run(() => 3);
  await worker.post('Debugger.resume');
  await evaluated;
  expect(await job).toBe(3);
});
