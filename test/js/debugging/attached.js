'use strict';
// Pools in Jest's process, an endpoint for their workers, and debuggers that
// are attached to them.

const { join } = require('node:path');

const { WorkerPool, openInspector } = require('../../../lib/index.js');
const {
  connect,
  ownOf,
  ownPools,
  placeOf,
  workersOf,
} = require('./support.js');

const { name, isOwn } = ownPools();
const MODULE = join(__dirname, 'fixtures/work.mjs');
// A wait of a client that takes longer fails, and says for what it was.
const LOST_MS = 45_000;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The things that a test has made, and that endAll() ends. */
const ends = { inspector: undefined, pools: [], clients: [] };

async function endAll() {
  for (const client of ends.clients.splice(0)) client.close();
  await ends.inspector?.close();
  ends.inspector = undefined;
  const pools = ends.pools.splice(0);
  await Promise.all(pools.map((pool) => pool.stop({ drain: false })));
}

function poolOf(options = {}) {
  const pool = WorkerPool.create(name, {
    workers: 1,
    module: MODULE,
    ...options,
  });
  ends.pools.push(pool);
  return pool;
}

const ownWorkersOf = ownOf(workersOf, isOwn);

/**
 * Opens an endpoint and attaches to all workers, with a breakpoint in each.
 *
 * @returns {Promise<{ root, paused(): Promise<{ worker, frame }> }>}
 */
async function attach(lineOf, { find = workersOf, wait = false } = {}) {
  ends.inspector ??= await openInspector({ port: 0, wait });
  const root = await connect(ends.inspector.url);
  ends.clients.push(root);
  const pauses = [];
  let wake = () => {};
  ownOf(find, isOwn)(root, async (worker) => {
    worker.on('Debugger.paused', (params) => {
      pauses.push({ worker, frame: params.callFrames[0], params });
      wake();
    });
    await worker.post('Runtime.enable');
    await worker.post('Debugger.enable');
    if (lineOf !== undefined) {
      const { url, line } = lineOf;
      await worker.post('Debugger.setBreakpointByUrl', {
        url,
        lineNumber: line,
      });
    }
    await worker.post('Runtime.runIfWaitingForDebugger');
    root.workers = [...(root.workers ?? []), worker];
  });
  if (find === workersOf) {
    await root.post('NodeWorker.enable', { waitForDebuggerOnStart: true });
  } else {
    await root.post('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
    });
  }
  const paused = async () => {
    while (pauses.length === 0) {
      await new Promise((resolve, reject) => {
        const lose = () => reject(new Error('no worker has paused'));
        const lost = setTimeout(lose, LOST_MS);
        wake = () => {
          clearTimeout(lost);
          resolve();
        };
      });
    }
    return pauses.shift();
  };
  return { root, paused };
}

/** @returns {Promise<object[]>} the sessions of workers, once there is one */
async function workersIn(root) {
  const end = performance.now() + LOST_MS;
  while (root.workers === undefined) {
    if (performance.now() > end) throw new Error('no worker was attached');
    await sleep(10);
  }
  return root.workers;
}

/** A pause before that would be of the worker's start, not of the job. */
async function spinning(worker) {
  let last;
  while (last === undefined) {
    const { result } = await worker.post('Runtime.evaluate', {
      expression: 'last',
    });
    last = result.value;
  }
}

const inModule = () => placeOf('work.mjs', 'module');
const valueIn = async ({ worker, frame }, expression) =>
  (
    await worker.post('Debugger.evaluateOnCallFrame', {
      callFrameId: frame.callFrameId,
      expression,
    })
  ).result.value;

async function disabled(pause) {
  await pause.worker.post('Debugger.disable');
}
async function pausedLoop() {
  const pool = poolOf();
  const { paused, root } = await attach();
  const controller = new AbortController();
  const job = pool.invoke('spin', null, { signal: controller.signal });
  const [worker] = await workersIn(root);
  await spinning(worker);
  await worker.post('Debugger.pause');
  const pause = await paused();
  expect(pause.frame.functionName).toBe('spin');
  return { controller, job, pause, pool, root };
}

module.exports = {
  attach,
  disabled,
  endAll,
  ends,
  inModule,
  ownWorkersOf,
  pausedLoop,
  poolOf,
  sleep,
  spinning,
  valueIn,
  workersIn,
};
