'use strict';
// A worker without a job, and its debugger.

const { attach, endAll, poolOf, sleep, workersIn } = require('./attached.js');

afterEach(endAll);

/** A worker that has run a job, and what waits until it pauses. */
async function after(job) {
  const pool = poolOf({ module: undefined });
  const { root, paused } = await attach();
  await pool.run(job);
  const [worker] = await workersIn(root);
  return { pool, worker, paused: paused() };
}

/** One that comes while the worker is busy ending the job does not pause. */
async function inExpression() {
  const { pool, worker, paused } = await after(() => 1);
  for (let tries = 0; tries < 100; tries++) {
    const evaluated = worker.post('Runtime.evaluate', {
      expression: 'debugger; 6 * 7',
    });
    const answer = evaluated.then(() => undefined);
    const pause = await Promise.race([paused, answer]);
    if (pause !== undefined) return { pool, worker, evaluated };
    await sleep(10);
  }
  throw new Error('no expression has paused');
}

async function inTimer() {
  const { pool, paused } = await after(() => {
    setTimeout(() => {
      // biome-ignore lint/suspicious/noDebugger: this is the test
      debugger;
    }, 1);
  });
  await paused;
  return { pool };
}

test('an expression pauses in it, and goes on', async () => {
  const { pool, worker, evaluated } = await inExpression();
  await worker.post('Debugger.resume');
  const { result } = await evaluated;
  expect(result.value).toBe(42);
  expect(await pool.run(() => 2)).toBe(2);
});

test.each([
  ['an expression', inExpression],
  ['a timer', inTimer],
])('a pause in %s ends with the pool', async (_name, pause) => {
  const { pool, evaluated } = await pause();
  const ended = evaluated?.then(
    () => 'evaluated',
    () => 'ended',
  );
  await pool.stop({ timeoutMs: 200 });
  expect(await ended).toBe(evaluated && 'ended');
});

test('an expression pauses before a job that comes with it', async () => {
  const { pool, worker, evaluated } = await inExpression();
  const job = pool.run(() => 3);
  await worker.post('Debugger.resume');
  await evaluated;
  expect(await job).toBe(3);
});
