'use strict';
// One kind of harm in a process of its own: `node one.js <kind>`. The right
// code must come back, the pool must answer the next job and stop.

const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { WorkerPool } = require('../../lib/index.js');
const { Code, outcomeOf } = require('../scenario/support/check.js');
const kinds = require('./kinds.js');

const ENDS = {
  T: Code.JobTimeout,
  R: Code.ResourceLimit,
  F: Code.JobFailed,
  S: Code.SerializationFailed,
  C: Code.Crashed,
  I: Code.StartupFailed,
};
// A job that must end by itself gets the time for it, on a loaded machine too.
const PATIENCE_MS = 30_000;
// node:assert needs the built-ins that the owner may have replaced.
function expect(holds, text) {
  if (!holds) throw new Error(text);
}
const run = (pool, fn, options) => pool.run(fn, options);

/** A module file with this source, for as long as the process lives. */
function moduleOf(source) {
  const folder = mkdtempSync(join(tmpdir(), 'killers-'));
  process.on('exit', () => rmSync(folder, { recursive: true }));
  const file = join(folder, 'module.mjs');
  writeFileSync(file, source);
  return file;
}

/** The pool's option for a worker that a module of this source prepares. */
const initOf = ({ init, initTimeoutMs }) =>
  init === undefined
    ? undefined
    : { module: moduleOf(init), timeoutMs: initTimeoutMs };

(async () => {
  const [fn, allowed, options = {}] = kinds[process.argv[2]];
  const pool = WorkerPool.create('killers', {
    workers: 1,
    memoryLimitMb: 64,
    init: initOf(options),
    ...options.pool,
  });
  // Errors that nobody catches in the worker are not the matter here.
  pool.on('error', () => {});
  const ends = allowed.split(' ').map((end) => ENDS[end] ?? end);
  const restore = options.owner?.();
  const timeoutMs = allowed.includes('T') ? 700 : PATIENCE_MS;
  const use = options.use ?? run;
  const outcome = await outcomeOf(use(pool, fn, { timeoutMs, ...options.run }));
  expect(ends.includes(outcome), `${outcome}, not ${ends}`);
  const next = pool.run(({ input }) => input + 1, {
    input: 1,
    timeoutMs: PATIENCE_MS,
  });
  if (options.next === 'fails') {
    const again = await outcomeOf(next);
    expect(again === 'ok' || ends.includes(again), `then ${again}`);
  } else {
    expect((await next) === 2, 'the next job');
  }
  restore?.();
  await pool.stop({ timeoutMs: 1000 });
  console.log('pass');
})();
