'use strict';
// The reason of a cancellation, as the job learns it.

const { WorkerCancellationController } = require('../../../lib/index.js');
const {
  createPool,
  lateWhileRunning,
  startWorker,
  stopAll,
} = require('./support.js');

afterEach(stopAll);

const SECRET = 'hunter2-reason';

/** Says that it runs, then loops until it is cancelled, and notes why. */
const busy = ({ signal, emit }) => {
  delete globalThis.seen;
  emit('runs');
  while (!signal.cancelled);
  globalThis.seen = [signal.reason, signal.reason];
};

/** The same without ever keeping the worker's loop. */
const waiting = ({ signal, emit }) =>
  new Promise((resolve) => {
    delete globalThis.seen;
    signal.addEventListener('abort', (reason) => {
      globalThis.seen = [reason, signal.reason];
      resolve();
    });
    emit('runs');
  });

const readSeen = () => globalThis.seen;

/**
 * @param {(onMessage: Function) => Promise<unknown>} start
 * @param {() => void} cancel called when it runs
 */
async function cancelled(start, cancel) {
  const error = await start(cancel).catch((thrown) => thrown);
  expect(error.code).toBe('SLOPPY_E_WORK_JOB_CANCELLED');
  expect(`${error.message}${error.stack}`).not.toContain(SECRET);
}

/** @returns {Promise<unknown>} what `fn` noted of a cancellation with `reason` */
async function reasonSeen(pool, fn, reason) {
  const controller = new WorkerCancellationController();
  const { signal } = controller;
  await cancelled(
    (onMessage) => pool.run(fn, { onMessage, signal }),
    () => controller.cancel(reason),
  );
  return pool.run(readSeen);
}

describe.each([
  ['in a loop', busy],
  ['by a listener', waiting],
])('%s', (_, fn) => {
  test.each([
    ['a text', SECRET],
    ['an object', { by: SECRET, at: [1, 2] }],
    ['a number', 17],
    ['null', null],
    ['false', false],
  ])('%s is the reason there', async (_name, reason) => {
    const pool = createPool({ cancelGraceMs: 60_000 });
    const seen = await reasonSeen(pool, fn, reason);
    expect(seen).toEqual([reason, reason]);
  });

  test.each([
    ['no reason', undefined],
    ['an error', new Error(SECRET)],
    ['a function', () => SECRET],
    ['too large', 'x'.repeat(100_000)],
    [
      'a throwing getter',
      {
        get secret() {
          throw new Error(SECRET);
        },
      },
    ],
  ])('%s is "cancelled" there', async (_name, reason) => {
    const pool = createPool({ cancelGraceMs: 60_000 });
    const seen = await reasonSeen(pool, fn, reason);
    expect(seen).toEqual(['cancelled', 'cancelled']);
  });

  test('of an AbortSignal', async () => {
    const pool = createPool({ cancelGraceMs: 60_000 });
    const controller = new AbortController();
    const { signal } = controller;
    await cancelled(
      (onMessage) => pool.run(fn, { onMessage, signal }),
      () => controller.abort('enough'),
    );
    expect(await pool.run(readSeen)).toEqual(['enough', 'enough']);
  });

  test('of a worker’s job', async () => {
    const worker = await startWorker(
      `export const job = (_, context) => (${fn})(context); export const readSeen = ${readSeen};`,
      { cancelGraceMs: 60_000 },
    );
    const controller = new WorkerCancellationController();
    const { signal } = controller;
    await cancelled(
      (onMessage) => {
        worker.onMessage(onMessage);
        return worker.invoke('job', null, { signal });
      },
      () => controller.cancel('stop it'),
    );
    expect(await worker.invoke('readSeen')).toEqual(['stop it', 'stop it']);
  });
});

test('the reason of one job is not another’s', async () => {
  const pool = createPool({ cancelGraceMs: 60_000 });
  const deaf = ({ signal, emit }) => {
    emit('runs');
    while (!signal.cancelled);
  };
  await reasonSeen(pool, deaf, 'first');
  await reasonSeen(pool, deaf, 'second');
  expect(await reasonSeen(pool, busy, new Error(SECRET))).toEqual([
    'cancelled',
    'cancelled',
  ]);
});

test('a deadline is "deadline"', async () => {
  const pool = createPool({ cancelGraceMs: 60_000 });
  const late = await lateWhileRunning(pool, busy);
  expect(late.code).toBe('SLOPPY_E_WORK_JOB_TIMEOUT');
  expect(await pool.run(readSeen)).toEqual(['deadline', 'deadline']);
});

test('jobs that share a worker have a reason each', async () => {
  const pool = createPool({
    cancelGraceMs: 60_000,
    concurrentJobsPerWorker: 3,
  });
  const note = ({ input, signal, emit }) =>
    new Promise((resolve) => {
      globalThis.seen ??= [];
      signal.addEventListener('abort', (reason) => {
        globalThis.seen[input] = reason;
        resolve();
      });
      emit('runs');
    });
  const controllers = [0, 1].map(() => new WorkerCancellationController());
  let running = 0;
  const onMessage = () => {
    running += 1;
    if (running < 2) return;
    controllers.forEach((each, n) => {
      each.cancel(`reason ${n}`);
    });
  };
  const jobs = controllers.map(({ signal }, input) =>
    pool.run(note, { input, signal, onMessage }),
  );
  await Promise.allSettled(jobs);
  // This one may begin before those before it are told.
  const whenBothAreTold = async () => {
    while (globalThis.seen.filter(Boolean).length < 2) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    return globalThis.seen;
  };
  expect(await pool.run(whenBothAreTold)).toEqual(['reason 0', 'reason 1']);
});
