'use strict';
// Pools whose workers are kept busy, so that the order in which keys get their
// turns shows.

const { WorkerPool } = require('../../../lib/index.js');
const { occupy } = require('../conformance/support.js');

const pools = [];

function poolWith(options) {
  const pool = WorkerPool.create('lanes', { maxQueued: 100_000, ...options });
  pools.push(pool);
  return pool;
}

/** Stops what a test has made, in `afterEach`. */
async function stopPools() {
  const left = pools.splice(0);
  await Promise.all(
    left.map((pool) => pool.stop({ drain: false, timeoutMs: 0 })),
  );
}

/** @returns {{ opened: Promise<void>, open: () => void }} */
function createGate() {
  let open;
  const opened = new Promise((resolve) => {
    open = () => resolve();
  });
  return { opened, open };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Occupies a worker. @returns {() => Promise<void>} ends it */
async function busy(pool, options) {
  const controller = new AbortController();
  const { signal } = controller;
  const { started, promise } = occupy(pool, { ...options, signal });
  await started;
  return async () => {
    controller.abort();
    await promise.catch(() => {});
  };
}

/** Notes the order in which jobs start. */
function recorder(pool) {
  const order = [];
  const run = (key, name, options) =>
    pool.run(({ input, emit }) => emit(input), {
      key,
      input: name,
      onMessage: (value) => order.push(value),
      ...options,
    });
  return { order, run };
}

module.exports = { busy, createGate, poolWith, recorder, stopPools, turn };
