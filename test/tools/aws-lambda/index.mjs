// A function as it would be deployed: pools outside of the handler, so that
// they serve the next invocation as well.

import { existsSync, writeFileSync } from 'node:fs';
import { WorkerPool } from 'sloppy-workers';

const pools = {
  isolate: WorkerPool.create('isolates', { minWorkers: 1 }),
  thread: WorkerPool.create('threads', { runtime: 'thread', minWorkers: 1 }),
};

const sum = ({ input }) => {
  let total = 0;
  for (let i = 1; i <= input; i++) total += i;
  return total;
};
const endless = () => {
  for (;;);
};
const sleeps = async ({ input }) => {
  await new Promise((resolve) => setTimeout(resolve, input));
  return 'slept';
};

const settled = (promise) =>
  promise.then(
    (value) => value,
    (error) => error.code,
  );

let left = [];

const ACTIONS = {
  sum: (pool, timeoutMs) => pool.run(sum, { input: 1000, timeoutMs }),
  /** Answers while two jobs are under way. */
  leave(pool, timeoutMs) {
    left = [
      settled(pool.run(endless, { timeoutMs: 500 })),
      settled(pool.run(sleeps, { input: 200, timeoutMs })),
    ];
    return 'left';
  },
  collect: () => Promise.all(left),
  /** The folders as this process sees them. */
  writable() {
    const isWritable = (path) => {
      try {
        writeFileSync(path, '');
        return existsSync(path);
      } catch (error) {
        return error.code;
      }
    };
    return ['/var/sw-test', 'sw-test', '/tmp/sw-test'].map(isWritable);
  },
};

export const handler = async ({ runtime, action }, context) =>
  ACTIONS[action](pools[runtime], context.getRemainingTimeInMillis());
