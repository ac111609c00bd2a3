'use strict';
// Workers whose isolates are used up renew themselves one at a time.

const { createGate, createPool, moduleFile, stopAll } = require('./support.js');

afterEach(stopAll);

const MODULE = 'export const init = () => sloppy.host.prepare();';
const LIMIT = 8;

test('jobs go on while a worker renews itself', async () => {
  const first = createGate();
  const renewal = createGate();
  let inits = 0;
  const pool = createPool({
    workers: 2,
    recycleAfterJobs: LIMIT,
    init: { module: moduleFile(MODULE), timeoutMs: 600_000 },
    host: {
      prepare() {
        inits += 1;
        return inits > 2 ? renewal.wait() : first.wait();
      },
    },
  });
  const both = [pool.run(() => 1), pool.run(() => 2)];
  await first.entered(2);
  first.open();
  await Promise.all(both);
  // A job may wait for the worker that is renewed; those of another caller go on.
  const stalled = renewal.entered(2).then(() => 'both renew themselves');
  const goOn = async () => {
    for (let i = 0; i < 6 * LIMIT; i += 1) {
      await pool.run(() => 1);
    }
    return 'done';
  };
  expect(await Promise.race([goOn(), goOn(), stalled])).toBe('done');
  expect(inits).toBeLessThanOrEqual(3);
  renewal.open();
  await pool.run(() => 1);
});
