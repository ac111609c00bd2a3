'use strict';
// The common parts of the conformance tests. The tests use the public API only.

const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { Worker, WorkerPool } = require('../../../lib/index.js');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');

// Set by test/js/support/on-threads.js.
const runtime = process.env.SLOPPY_WORKERS_RUNTIME || 'isolate';
/** A test of what threads and processes cannot do: see docs/threads.md. */
const testOnIsolates = runtime === 'isolate' ? test : test.skip;
const resources = [];
const folders = [];

/** A pool that ends with its test. */
function createPool(options, name = 'pool') {
  const pool = WorkerPool.create(name, { runtime, ...options });
  resources.push(pool);
  return pool;
}

/** @returns {string} the path of a new module with this text */
function moduleFile(text, name = 'module.mjs') {
  const folder = mkdtempSync(join(tmpdir(), 'sw-conformance-'));
  folders.push(folder);
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** A worker that ends with its test. */
async function startWorker(text, options) {
  const worker = await Worker.start(moduleFile(text), { runtime, ...options });
  resources.push(worker);
  return worker;
}

async function stopAll() {
  const stopped = resources.splice(0);
  await Promise.all(
    stopped.map((resource) => resource.stop({ drain: false, timeoutMs: 0 })),
  );
  for (const folder of folders.splice(0)) {
    rmSync(folder, { recursive: true });
  }
}

/**
 * A job that runs until it is cancelled.
 *
 * @returns {{ started: Promise<void>, promise: Promise<unknown> }} resolved
 *   when it runs; never rejects by itself
 */
function occupy(pool, options = {}) {
  let onMessage;
  const started = new Promise((resolve) => {
    onMessage = () => resolve();
  });
  const promise = pool.run(
    ({ emit }) => {
      emit('started');
      for (;;);
    },
    { ...options, onMessage },
  );
  promise.catch(() => {});
  return { started, promise };
}

/** A pool whose one worker is busy until `release` is called. */
async function busyPool(options, name) {
  const controller = new AbortController();
  const pool = createPool({ workers: 1, ...options }, name);
  const { started, promise } = occupy(pool, { signal: controller.signal });
  await started;
  return { pool, blocker: promise, release: () => controller.abort() };
}

function expectBalanced({ queue }) {
  const { stats, queued, active } = queue;
  expect(stats.enqueued).toBe(
    stats.completed +
      stats.failed +
      stats.cancelled +
      stats.timedOut +
      queued +
      active,
  );
  expect(stats.retryExhausted).toBeLessThanOrEqual(stats.failed);
}

/**
 * A gate that jobs wait for: they call the host function `wait`.
 *
 * @returns {{ wait: Function, open: () => void,
 *   entered(count: number): Promise<void> }} resolved when so many wait
 */
function createGate() {
  let open;
  const opened = new Promise((resolve) => {
    open = resolve;
  });
  let count = 0;
  let tell = () => {};
  return {
    open,
    wait() {
      count += 1;
      tell();
      return opened;
    },
    async entered(wanted) {
      while (count < wanted) {
        await new Promise((resolve) => {
          tell = resolve;
        });
      }
    },
  };
}

/** @returns {Promise<unknown>} what the promise rejects with */
async function rejection(promise) {
  let value;
  try {
    value = await promise;
  } catch (error) {
    return error;
  }
  throw new Error(`resolved with ${typeof value} instead of rejecting`);
}

/**
 * Runs a job whose time is over while it runs, which it says by `emit`. A time
 * that was over before, on a busy machine, was too short: it gets more.
 *
 * @returns {Promise<unknown>} what it rejects with
 */
async function lateWhileRunning(pool, fn) {
  for (let timeoutMs = 20; ; timeoutMs *= 2) {
    const onMessage = jest.fn();
    const error = await rejection(pool.run(fn, { timeoutMs, onMessage }));
    if (onMessage.mock.calls.length > 0) return error;
    expect(error.code).toBe(Code.JobTimeout);
  }
}

/** How promises end: 'resolved', or the code or class of the rejection. */
async function outcomes(promises) {
  const settled = await Promise.allSettled(promises);
  return settled.map(({ status, reason }) =>
    status === 'fulfilled' ? 'resolved' : (reason.code ?? reason.name),
  );
}

module.exports = {
  busyPool,
  createGate,
  createPool,
  expectBalanced,
  lateWhileRunning,
  moduleFile,
  occupy,
  outcomes,
  rejection,
  runtime,
  startWorker,
  stopAll,
  testOnIsolates,
};
