'use strict';
// Executors whose first worker is up before there is a pool for it. A pool
// that is made with the same options takes one instead of making its own.

const { workerError } = require('../sloppy-worker-error.js');
const { Code } = require('./diagnostics.gen.js');

// What an isolate, or the queue in front of it, is made with; all else is
// decided by this side, and may differ.
const FIXED = [
  'memoryLimitMb',
  'maxPayloadBytes',
  'maxResultBytes',
  'maxModuleBytes',
  'maxMicrotasks',
  'cancelGraceMs',
  'cpuLimitMs',
  'concurrentJobsPerWorker',
  'isolation',
  'allowEval',
  'allowWasm',
  'recycleAfterJobs',
  'recycleAboveMb',
  'module',
  'capacity',
  'workers',
];
// The taken worker's first job comes before making the next spare.
const REFILL_AFTER_MS = 5;

/** By the options they are for: { settings, make, wanted, ready, starting }. */
const shelves = new Map();

function keyOf(settings) {
  return JSON.stringify(
    FIXED.map((field) => settings[field] ?? null).map(String),
  );
}

async function startOne(shelf) {
  const executor = shelf.make(shelf.settings);
  shelf.starting += 1;
  const started = executor.prestart(1);
  // The answer comes when the realm is up.
  if (started) await executor.inspector.stats();
  shelf.starting -= 1;
  if (started && shelf.ready.length < shelf.wanted) {
    shelf.ready.push(executor);
    return;
  }
  await executor.close();
  if (!started) throw workerError(Code.PoolUnavailable);
}

async function fill(shelf) {
  const missing = shelf.wanted - shelf.ready.length - shelf.starting;
  await Promise.all(
    Array.from({ length: Math.max(0, missing) }, () => startOne(shelf)),
  );
}

/**
 * @param {object} settings of the pools to come, with `capacity`
 * @param {number} count spares to keep; 0 ends those there are
 * @param {(settings: object) => NativePool} make
 * @returns {Promise<void>} resolves when they are up, or gone
 */
async function keepSpares(settings, count, make) {
  const key = keyOf(settings);
  const shelf = shelves.get(key) ?? {
    settings,
    make,
    wanted: 0,
    ready: [],
    starting: 0,
  };
  shelf.wanted = count;
  if (count === 0) shelves.delete(key);
  else shelves.set(key, shelf);
  const surplus = shelf.ready.splice(count);
  await Promise.all([
    fill(shelf),
    ...surplus.map((executor) => executor.close()),
  ]);
}

/**
 * @param {object} settings of a pool
 * @returns {NativePool | undefined} one that is up, now the caller's
 */
function takeSpare(settings) {
  if (shelves.size === 0) return undefined;
  // Calls and preparation of its own: no spare is made for those.
  if (settings.host !== undefined || settings.init !== undefined) {
    return undefined;
  }
  const shelf = shelves.get(keyOf(settings));
  const executor = shelf?.ready.pop();
  if (executor === undefined) return undefined;
  executor.adopt(settings);
  // A spare that the system has no thread for is tried again with the next.
  setTimeout(() => fill(shelf).catch(() => {}), REFILL_AFTER_MS).unref();
  return executor;
}

module.exports = { keepSpares, takeSpare };
