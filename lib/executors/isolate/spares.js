'use strict';
// Executors whose first worker is up before there is a pool for it. A pool
// that is made with the same options takes one instead of making its own.

const { workerError } = require('../../protocol/sloppy-worker-error.js');
const { Code } = require('../../protocol/diagnostics.gen.js');
const {
  OwnSet,
  queueMicrotask,
  startTimer,
} = require('../../base/primordials.js');
const { POOL } = require('../../options/option-sets.js');

// Settings that are fixed when an isolate or its queue is made; the others are
// applied by this side, and may differ.
const FIXED = [
  ...POOL.names.filter((name) => POOL.rows[name].spare),
  'carry',
  'moduleMs',
  'capacity',
];
// Delayed, because the taken worker's first job has priority over the next
// spare.
const REFILL_AFTER_MS = 5;

/**
 * Spares by their options: { settings, make, warmUp, wanted, ready, starting,
 * refill }. There are few.
 */
const shelves = new OwnSet();

function shelfFor(settings) {
  const fits = (shelf) =>
    FIXED.every((field) => shelf.settings[field] === settings[field]);
  let found;
  shelves.forEach((shelf) => {
    if (fits(shelf)) found = shelf;
  });
  return found;
}

// Whether warm-up jobs may run: otherwise they would use up the realm, or load
// the pool's own module.
const canWarmUp = ({ isolation, module, recycleAfterJobs }) =>
  isolation === 'worker' &&
  module === undefined &&
  recycleAfterJobs === Infinity;

async function startOne(shelf) {
  const { settings } = shelf;
  const executor = shelf.make(settings);
  const started = executor.prestart(1);
  if (started) {
    // The worker answers once the realm is up.
    await executor.inspector.stats();
    if (canWarmUp(settings)) await shelf.warmUp(executor);
  }
  if (started && shelf.ready.length < shelf.wanted) {
    shelf.ready.push(executor);
    return;
  }
  await executor.close();
  if (!started) throw workerError(Code.PoolUnavailable);
}

async function fill(shelf) {
  const { ready, starting, wanted } = shelf;
  while (ready.length + starting.size < wanted) {
    const start = startOne(shelf).finally(() => starting.delete(start));
    starting.add(start);
  }
  await Promise.all(starting);
}

/**
 * @param {object} settings of the pools to come, with `capacity`
 * @param {number} count spares to keep; 0 ends those there are
 * @param {(settings: object) => NativePool} make
 * @param {(executor: NativePool) => Promise<void>} warmUp runs jobs in it
 * @returns {Promise<void>} resolves when they are up, or gone
 */
async function keepSpares(settings, count, make, warmUp) {
  const shelf = shelfFor(settings) ?? {
    settings,
    make,
    warmUp,
    wanted: 0,
    ready: [],
    starting: new OwnSet(),
    refill: null,
  };
  shelf.wanted = count;
  if (count === 0) shelves.delete(shelf);
  else shelves.add(shelf);
  const surplus = shelf.ready.splice(count);
  await Promise.all([
    fill(shelf),
    ...surplus.map((executor) => executor.close()),
  ]);
}

// Delayed again by each spare that is taken, because the remaining ones serve
// meanwhile.
function refillSoon(shelf) {
  if (shelf.refill !== null) {
    shelf.refill.refresh();
    return;
  }
  // A spare for which the system has no thread is tried again at the next
  // refill.
  const refill = () => fill(shelf).catch(() => {});
  shelf.refill = startTimer(refill, REFILL_AFTER_MS).unref();
}

/**
 * @param {object} settings of a pool
 * @returns {NativePool | undefined} one that is up; the caller owns it
 */
function takeSpare(settings) {
  if (shelves.size === 0) return undefined;
  // No spare is made for pools with host functions or `init`, nor with a process
  // object of their own.
  if (settings.host !== undefined || settings.init !== undefined) {
    return undefined;
  }
  const { argv, env } = settings.nodeOptions;
  if (argv !== undefined || env !== undefined || settings.environments) {
    return undefined;
  }
  const shelf = shelfFor(settings);
  const executor = shelf?.ready.pop();
  if (executor === undefined) return undefined;
  executor.adopt(settings);
  queueMicrotask(() => {
    // Listeners exist by now, and the first job is on its way.
    executor.tellWorkers();
    refillSoon(shelf);
  });
  return executor;
}

module.exports = { keepSpares, takeSpare };
