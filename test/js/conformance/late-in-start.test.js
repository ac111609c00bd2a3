'use strict';
// A job that is late or cancelled while its worker starts ends nothing: the
// start goes on for the next job.

const { createPool, moduleFile, rejection, stopAll } = require('./support.js');

afterEach(stopAll);

// Each evaluation and each call of `init` is counted in the owner.
const SLOW = (what) => `
  await new Promise((resolve) => setTimeout(resolve, 1000));
  sloppy.host.count('${what}');`;

function counting() {
  const counts = { init: 0, module: 0 };
  const count = (what) => {
    counts[what] += 1;
  };
  return { counts, host: { count } };
}

test.each([
  ['init', (init) => ({ init: { module: init } }), { init: 1, module: 0 }],
  ['the module', (_, module) => ({ module }), { init: 0, module: 1 }],
  [
    'both',
    (init, module) => ({ init: { module: init }, module }),
    { init: 1, module: 1 },
  ],
])('%s is done once', async (_name, optionsOf, expected) => {
  const init = moduleFile(
    `export const init = async () => { ${SLOW('init')} return 'state'; };`,
  );
  const module = moduleFile(
    `${SLOW('module')} export const answer = () => 42;`,
  );
  const { counts, host } = counting();
  const pool = createPool({ host, ...optionsOf(init, module) });
  for (let i = 0; i < 3; i += 1) {
    const late = await rejection(pool.run(() => 1, { timeoutMs: 5 }));
    expect(late.code).toBe('SLOPPY_E_WORK_JOB_TIMEOUT');
  }
  // A limit could end it in the middle of its run, so it has none.
  expect(await pool.run(() => 1)).toBe(1);
  if (expected.module === 1) expect(await pool.invoke('answer')).toBe(42);
  expect(counts).toEqual(expected);
});

test('the top level of a module sees no job', async () => {
  const module = moduleFile(`import { workerData } from 'node:worker_threads';
    export const seen = () => workerData;`);
  const pool = createPool({ module });
  expect(await pool.invoke('seen', { secret: 1 })).toBe(null);
});

test('a top level that can never settle fails who waits', async () => {
  const module = moduleFile('await new Promise(() => {});');
  const pool = createPool({ module });
  const ends = { timeoutMs: 300 };
  const error = await rejection(pool.run(() => 1, ends));
  expect([
    'SLOPPY_E_WORKER_ISOLATE_STARTUP_FAILED',
    'SLOPPY_E_WORK_JOB_TIMEOUT',
  ]).toContain(error.code);
});
