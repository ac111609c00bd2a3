'use strict';
// One kind of harm in a process of its own: `node one.js <kind>`. The right
// code must come back, the pool must answer the next job and stop.

const assert = require('node:assert');
const { WorkerPool } = require('../../lib/index.js');
const { Code, outcomeOf } = require('../scenario/support/check.js');
const kinds = require('./fixtures/broken-kinds.js');

const ENDS = {
  T: Code.JobTimeout,
  R: Code.ResourceLimit,
  F: Code.JobFailed,
  S: Code.SerializationFailed,
  C: Code.Crashed,
};

(async () => {
  const [fn, allowed] = kinds[process.argv[2]];
  const pool = WorkerPool.create('killers', { workers: 1, memoryLimitMb: 64 });
  // What nobody catches in the worker is not the matter here.
  pool.on('error', () => {});
  // What must end by itself gets the time for it, on a loaded machine too.
  const timeoutMs = allowed.includes('T') ? 700 : 30_000;
  const outcome = await outcomeOf(pool.run(fn, { timeoutMs }));
  const ends = allowed.split(' ').map((end) => ENDS[end] ?? end);
  assert.ok(ends.includes(outcome), `${outcome}, not ${ends}`);
  assert.strictEqual(await pool.run(({ input }) => input + 1, { input: 1 }), 2);
  await pool.stop({ timeoutMs: 1000 });
  console.log('pass');
})();
