'use strict';
// Time limits in a copy of the library that is loaded after another one has had
// isolates of this process debugged.

const { join } = require('node:path');

const { WorkerPool, openInspector } = require('../../../lib/index.js');
const { connect, workersOf } = require('./support.js');

const MODULE = join(__dirname, 'fixtures/work.mjs');
const HELD_MS = 300;

/** Holds the limits of this process for a while, and lets them go. */
async function holdLimits() {
  const inspector = await openInspector({ port: 0 });
  const root = await connect(inspector.url);
  // Each of them: other files of tests may have left some in this process.
  workersOf(root, async (worker) => {
    await new Promise((resolve) => setTimeout(resolve, HELD_MS));
    await worker.post('Runtime.runIfWaitingForDebugger');
  });
  await root.post('NodeWorker.enable', { waitForDebuggerOnStart: true });
  const pool = WorkerPool.create('debugged', { workers: 1, module: MODULE });
  await pool.invoke('crunch', { n: 1 });
  root.close();
  await inspector.close();
  await pool.stop();
}

test('are as long as they say', async () => {
  await holdLimits();
  jest.resetModules();
  const copy = require('../../../lib/index.js');
  const pool = copy.WorkerPool.create('copy', { workers: 1 });
  const remaining = ({ deadline }) => deadline.remainingMs();
  const left = await pool.run(remaining, { timeoutMs: 60_000 });
  await pool.stop();
  expect(left).toBeLessThanOrEqual(60_000);
});
