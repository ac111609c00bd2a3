'use strict';
// Functions of the caller's that never return, or whose promises never settle,
// in each state of a pool: none keeps later jobs, nor the end of the pool.

const {
  createGate,
  createPool,
  moduleFile,
  outcomes,
  stopAll,
} = require('./support.js');

afterEach(stopAll);

const TIMEOUT = 'SLOPPY_E_WORK_JOB_TIMEOUT';
const STARTUP_FAILED = 'SLOPPY_E_WORKER_ISOLATE_STARTUP_FAILED';
const ENDLESS = {
  'a loop': 'for (;;);',
  'a loop after an await': 'await null; for (;;);',
  'a promise that never settles': 'await new Promise(() => {});',
  'a timer that goes on': 'await new Promise(() => setInterval(() => {}, 5));',
};
const never = () => new Promise(() => {});
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function withHook(hook, options) {
  return createPool({ init: { module: moduleFile(hook) }, ...options });
}

const withDispose = (body, options) =>
  withHook(
    `export const init = () => 1; export async function dispose() { ${body} }`,
    options,
  );

describe.each(Object.keys(ENDLESS))('dispose with %s', (name) => {
  const body = ENDLESS[name];

  test('of an idle worker that leaves', async () => {
    const pool = withDispose(body, { idleTimeoutMs: 20 });
    await pool.run(() => 1);
    await sleep(200);
    expect(await pool.run(() => 2)).toBe(2);
  }, 60_000);

  test('of a worker too many', async () => {
    const both = createGate();
    const pool = withDispose(body, { workers: 2, host: { wait: both.wait } });
    const jobs = () => [
      pool.run(({ host }) => host.wait()),
      pool.run(({ host }) => host.wait()),
    ];
    const first = jobs();
    await both.entered(2);
    pool.resize(1);
    pool.resize(2);
    pool.resize(1);
    both.open();
    await Promise.all(first);
    expect(await pool.run(() => 1)).toBe(1);
    pool.resize(2);
    await Promise.all(jobs());
  }, 60_000);

  test('at a stop', async () => {
    const pool = withDispose(body);
    await pool.run(() => 1);
    await pool.stop({ timeoutMs: 20 });
    expect(pool.state.state ?? 'stopped').toBe('stopped');
  }, 60_000);
});

describe.each(Object.keys(ENDLESS))('init with %s', (name) => {
  const body = ENDLESS[name];

  test('fails the jobs that wait for it', async () => {
    const pool = withHook(`export async function init() { ${body} }`, {
      init: {
        module: moduleFile(`export async function init() { ${body} }`),
        timeoutMs: 50,
      },
    });
    const jobs = [pool.run(() => 1), pool.run(() => 2)];
    expect(await outcomes(jobs)).toEqual([STARTUP_FAILED, STARTUP_FAILED]);
  }, 60_000);

  test('ends with a stop', async () => {
    const pool = withHook(`export async function init() { ${body} }`);
    const job = outcomes([pool.run(() => 1)]);
    await sleep(50);
    await pool.stop({ drain: false, timeoutMs: 20 });
    expect(await job).toHaveLength(1);
  }, 60_000);
});

test('a host function', async () => {
  const pool = createPool({ host: { never } });
  const job = pool.run(({ host }) => host.never(), { timeoutMs: 100 });
  expect(await outcomes([job])).toEqual([TIMEOUT]);
  expect(await pool.run(() => 1)).toBe(1);
});

test('a listener of messages', async () => {
  const pool = createPool({ onQueueDrain: never });
  const job = pool.run(({ emit }) => emit(1) ?? 2, { onMessage: never });
  expect(await job).toBe(2);
  await pool.stop();
});

test('the source of a map, and its end', async () => {
  const source = {
    [Symbol.asyncIterator]: () => ({ next: never, return: never }),
  };
  const pool = createPool();
  const next = pool.map(source, () => 1).next();
  next.catch(() => {});
  expect(await pool.run(() => 1)).toBe(1);
  await pool.stop({ timeoutMs: 50 });
});

test('the source of a streamed input', async () => {
  const input = { [Symbol.asyncIterator]: () => ({ next: never }) };
  const pool = createPool();
  const job = async ({ input: all }) => {
    for await (const each of all) return each;
  };
  const late = pool.run(job, { input, timeoutMs: 100 });
  expect(await outcomes([late])).toEqual([TIMEOUT]);
  const other = outcomes([pool.run(job, { input })]);
  await sleep(50);
  await pool.stop({ drain: false, timeoutMs: 50 });
  expect(await other).toEqual(['SLOPPY_E_WORKER_SHUTDOWN_CANCELLED']);
});

test('a reader of a stream that does not come back', async () => {
  const pool = createPool();
  const stream = pool.stream(function* () {
    for (let i = 0; ; i += 1) yield i;
  });
  await stream.next();
  await pool.stop({ timeoutMs: 50 });
});
