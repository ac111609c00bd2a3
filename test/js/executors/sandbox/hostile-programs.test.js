'use strict';

const { describeHere } = require('./support.js');
const { SloppyWorkerError, WorkerPool } = require('../../../../lib/index.js');
const { programs } = require('../../../sandbox/programs.js');

const wellKnown = Reflect.ownKeys(Object.prototype).length;
const answer = ({ input }) => 6 * input;
const CODES =
  /JOB_TIMEOUT|RESOURCE_LIMIT|JOB_FAILED|SERIALIZATION|UNSUPPORTED|CRASHED/;
const WORKERS = 3;
// Time for what does no harm, on a machine that others keep busy.
const CALM_MS = 60_000;

/** @returns {Promise<string | undefined>} what is wrong with its end */
async function problemOf(pool, fn) {
  const options = { onMessage: () => {} };
  const error = await pool.run(fn, options).then(
    () => undefined,
    (thrown) => thrown,
  );
  if (error !== undefined) {
    if (!(error instanceof SloppyWorkerError)) return `threw ${error}`;
    if (!CODES.test(error.code)) return `ended with ${error.code}`;
  }
  const calm = { input: 7, runTimeoutMs: CALM_MS };
  const next = await pool.run(answer, calm);
  return next === 42 ? undefined : `the next job gave ${next}`;
}

describeHere('programs that mean harm', () => {
  test.each([
    ['without compiled code', {}],
    ['with compiled code', { jit: true }],
  ])('%s', async (_name, sandbox) => {
    const pool = WorkerPool.create('harm', {
      workers: WORKERS,
      memoryLimitMb: 64,
      maxResultBytes: 2 ** 20,
      runTimeoutMs: 700,
      sandbox,
      host: { echo: (value) => value },
    });
    const problems = {};
    const left = Object.entries(programs);
    const work = async () => {
      for (;;) {
        const next = left.shift();
        if (next === undefined) return;
        const [name, fn] = next;
        const problem = await problemOf(pool, fn);
        if (problem !== undefined) problems[name] = problem;
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, work));
    await pool.stop();
    expect(problems).toEqual({});
    expect(Reflect.ownKeys(Object.prototype)).toHaveLength(wellKnown);
    expect({}.polluted).toBeUndefined();
  });
});
