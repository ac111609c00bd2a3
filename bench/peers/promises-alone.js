'use strict';

/**
 * The least that a job costs its owner with promises in the interface: one is
 * made for each call, kept, and resolved in order in later turns of the loop.
 * No queue, no worker, no value.
 *
 * @param {{ settledPerMs?: number }} setting at most; default all there are
 */
function open({ settledPerMs = Infinity }) {
  let resolvers = [];
  let next = 0;
  let last = performance.now();

  function turn() {
    const now = performance.now();
    const due = Math.min((now - last) * settledPerMs, resolvers.length - next);
    for (let n = 0; n < due; n += 1) resolvers[next++](1);
    last = now;
    if (next > 10_000 && next > resolvers.length / 2) {
      resolvers = resolvers.slice(next);
      next = 0;
    }
    if (next < resolvers.length) setImmediate(turn);
    else next = resolvers.length = 0;
  }

  function call() {
    if (resolvers.length === 0) {
      last = performance.now();
      setImmediate(turn);
    }
    return new Promise((resolve) => resolvers.push(resolve));
  }

  return { call, close() {} };
}

module.exports = { open };
