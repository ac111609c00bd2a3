'use strict';
// The invariants that must hold after each step, once all microtasks have run.

const { clock, codes, pendingTimers } = require('./load.js');

const { Code } = codes;

// A job that runs elsewhere may have ended before its owner knows.
const wasRunLate = ({ knowsEnds }, { wasLate, startedAt, lastStart, runMs }) =>
  wasLate || clock.at >= (knowsEnds ? startedAt : lastStart) + runMs;

/** Whether the call may end with the code, as far as it depends on the caller. */
const ALLOWED = {
  [Code.JobCancelled]: (_world, call) =>
    call.hasThrown ||
    call.source?.isUnreadable ||
    (call.source?.isCancelled && !call.source.isTimeout),
  [Code.JobTimeout]: (world, call) =>
    clock.at >= call.expiresAt ||
    (call.source?.isCancelled && call.source.isTimeout) ||
    wasRunLate(world, call),
  [Code.QueueFull]: (world, call) =>
    call.wasFull || call.wasEntered || world.mayBeFull(call),
  [Code.QueueStopped]: (world) => world.stops > 0,
  [Code.ShutdownCancelled]: (world) => world.stops > 0,
  [Code.PoolUnavailable]: (world) => world.hasLackedThreads === true,
  [Code.StartupFailed]: (world) => world.isLate,
  [Code.Crashed]: (world, call) => world.hasFailedStart || world.isLost?.(call),
  [Code.SerializationFailed]: (_world, call) => call.hasThrown,
};

function codeOf(error) {
  if (typeof error?.code === 'string') return error.code;
  return error instanceof TypeError ? 'TypeError' : 'Error';
}

function checkOutcome(world, call) {
  const { n, outcome } = call;
  if ('value' in outcome) {
    if (call.value === undefined || outcome.value !== call.value) {
      world.problem(`call ${n} is fulfilled with ${outcome.value}`);
    }
    return;
  }
  const code = codeOf(outcome.error);
  const isAllowed =
    call.codes.has(code) ||
    ALLOWED[code]?.(world, call) ||
    (code === 'Error' && call.hasThrown);
  if (!isAllowed) world.problem(`call ${n} is rejected with ${code}`);
}

function checkCounters(world) {
  const { admission, calls } = world;
  const codesSeen = {};
  let fulfilled = 0;
  let rejected = 0;
  for (const { outcome } of calls) {
    if (outcome === null) continue;
    if ('value' in outcome) fulfilled += 1;
    else {
      rejected += 1;
      const code = codeOf(outcome.error);
      codesSeen[code] = (codesSeen[code] ?? 0) + 1;
    }
  }
  const c = admission.counters();
  const failed = c.failed + c.cancelled + c.timedOut + c.refused;
  if (c.completed !== fulfilled) {
    world.problem(`${c.completed} completed, ${fulfilled} fulfilled`);
  }
  if (failed !== rejected) {
    world.problem(`${failed} counted as ended badly, ${rejected} rejected`);
  }
  if (c.submitted + c.refused !== calls.length) {
    world.problem(
      `${c.submitted} submitted and ${c.refused} refused of ${calls.length}`,
    );
  }
  const names = new Set([...Object.keys(codesSeen), ...Object.keys(c.byCode)]);
  for (const name of names) {
    if (codesSeen[name] !== c.byCode[name]) {
      world.problem(
        `${c.byCode[name]} counted as ${name}, not ${codesSeen[name]}`,
      );
    }
  }
  checkKinds(world, c);
}

const CANCELLED = [Code.JobCancelled, Code.ShutdownCancelled];

/**
 * Each end counts as what its code says. Refused calls have codes as well, and no
 * end, so that these are bounds.
 */
function checkKinds(world, { byCode, cancelled, failed, timedOut }) {
  const most = { failed: 0, cancelled: 0, timedOut: 0 };
  for (const [code, count] of Object.entries(byCode)) {
    if (code === Code.JobTimeout) most.timedOut += count;
    else if (CANCELLED.includes(code)) most.cancelled += count;
    else most.failed += count;
  }
  for (const [kind, count] of Object.entries({ failed, cancelled, timedOut })) {
    if (count <= most[kind]) continue;
    world.problem(`${count} counted as ${kind}, by their codes ${most[kind]}`);
  }
}

function checkPlaces(world) {
  const { places, waiters, lanes } = world.admission;
  const { taken, heldBack } = places;
  const held = world.held();
  if (taken !== held + heldBack) {
    world.problem(`${taken} places are taken by ${held} + ${heldBack} jobs`);
  }
  if (heldBack < 0 || taken < 0) world.problem('negative places');
  if (world.hasDropped && heldBack > 0) {
    world.problem('a key holds a job after a stop without drain');
  }
  if (lanes === null && heldBack !== 0)
    world.problem('held back without lanes');
  if (taken > places.concurrency + places.maxQueued && !world.mayBeOver) {
    world.problem(`${taken} places are taken, which is too many`);
  }
  if (waiters.size > world.policy.maxBackpressureWaiters) {
    world.problem(`${waiters.size} wait for a place`);
  }
  const first = waiters.head;
  if (first !== null && places.hasRoomFor(first.bytes)) {
    world.problem('a submission waits beside a free place');
  }
  if (world.stops > 0 && waiters.size > 0) {
    world.problem('a submission waits after the stop');
  }
}

// Node's timers take a millisecond at least.
const areTimersDue = () => (clock.next()?.at ?? Infinity) <= clock.at + 1;

function checkLimits(world) {
  const isLate = !areTimersDue();
  for (const call of world.calls) {
    if (call.outcome !== null) continue;
    const { n, source, expiresAt, startedAt, runMs } = call;
    if (source?.isCancelled && source.reports) {
      world.problem(`call ${n} goes on, and its signal is cancelled`);
    }
    if (isLate && clock.at >= expiresAt) world.problem(`call ${n} is late`);
    if (isLate && clock.at >= startedAt + runMs) {
      world.problem(`the run of call ${n} is late`);
    }
  }
}

function checkListeners(world) {
  for (const source of world.sources) {
    if (source.listeners === 0) continue;
    const users = world.calls.filter(
      (call) => call.source === source && call.outcome === null,
    );
    if (users.length === 0) {
      world.problem(`a signal (${source.kind}) keeps a listener of no call`);
    } else if (source.listeners > users.length) {
      world.problem(
        `a signal (${source.kind}) has ${source.listeners} listeners`,
      );
    }
  }
}

function checkAll(world) {
  checkLimits(world);
  checkCounters(world);
  checkPlaces(world);
  checkListeners(world);
  world.checkMore();
}

/** Bytes that count as queued: what `Places` does not tell. */
function queuedBytes(places) {
  const { concurrency, maxQueued, taken } = places;
  Object.assign(places, { concurrency: 0, maxQueued: Infinity, taken: 0 });
  let low = -(2 ** 31);
  let high = 2 ** 31;
  // The largest number of bytes for which there would be room.
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (places.hasRoomFor(middle)) low = middle;
    else high = middle - 1;
  }
  Object.assign(places, { concurrency, maxQueued, taken });
  return low;
}

/** Nothing is kept. */
function checkEnd(world) {
  const { admission, policy } = world;
  const { places, lanes, waiters } = admission;
  if (places.taken !== 0) world.problem(`${places.taken} places stay taken`);
  if (places.heldBack !== 0) world.problem(`${places.heldBack} stay held back`);
  if (waiters.size !== 0) world.problem(`${waiters.size} still wait`);
  const room = queuedBytes(places);
  if (room !== policy.maxQueuedBytes) {
    world.problem(`${policy.maxQueuedBytes - room} bytes stay counted`);
  }
  if (lanes !== null) {
    const { active, held } = lanes.snapshot();
    if (active !== 0 || held !== 0) world.problem(`${active} keys stay`);
  }
  if (pendingTimers() !== 0) world.problem(`${pendingTimers()} limits stay`);
  if (clock.timers.size !== 0) world.problem('a timer of Node stays armed');
  for (const { listeners, kind } of world.sources) {
    if (listeners > 0) world.problem(`a signal (${kind}) keeps its listener`);
  }
  for (const call of world.calls) {
    const told = call.receipts.length;
    if (told > 1) world.problem(`call ${call.n} has ${told} receipts`);
    if (call.wantsReceipt && told === 0 && 'value' in call.outcome) {
      world.problem(`call ${call.n} has no receipt`);
    }
  }
  world.checkGone();
}

module.exports = { checkAll, checkEnd, checkOutcome };
