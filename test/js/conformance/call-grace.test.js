'use strict';
// `cancelGraceMs` of a call, in place of the pool's.

const { createPool, rejection, startWorker, stopAll } = require('./support.js');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');

afterEach(stopAll);

// Keeps its worker's globals only if it may end by itself.
const endsWhenAsked = ({ emit, signal }) => {
  globalThis.kept = 'yes';
  return new Promise((resolve) => {
    signal.addEventListener('abort', resolve);
    emit('listens');
  });
};
const kept = () => globalThis.kept ?? null;

async function cancel(pool, options) {
  const controller = new AbortController();
  const run = pool.run(endsWhenAsked, {
    signal: controller.signal,
    onMessage: () => controller.abort(),
    ...options,
  });
  expect((await rejection(run)).code).toBe(Code.JobCancelled);
  await pool.drain();
}

test('a cancelled job has it, and the next one has not', async () => {
  const pool = createPool();
  await cancel(pool, { cancelGraceMs: 60_000 });
  expect(await pool.run(kept)).toBe('yes');
  await cancel(pool, {});
  expect(await pool.run(kept)).toBeNull();
});

test('0 takes that of the pool away', async () => {
  const pool = createPool({ cancelGraceMs: 60_000 });
  await cancel(pool, {});
  expect(await pool.run(kept)).toBe('yes');
  await cancel(pool, { cancelGraceMs: 0 });
  expect(await pool.run(kept)).toBeNull();
});

test('a late job has it too', async () => {
  const pool = createPool();
  await pool.run(() => 1);
  for (let timeoutMs = 20; ; timeoutMs *= 2) {
    const onMessage = jest.fn();
    const options = { cancelGraceMs: 60_000, onMessage, timeoutMs };
    const error = await rejection(pool.run(endsWhenAsked, options));
    expect(error.code).toBe(Code.JobTimeout);
    // One that was late before it began says nothing of its end.
    if (onMessage.mock.calls.length > 0) break;
  }
  await pool.drain();
  expect(await pool.run(kept)).toBe('yes');
});

test('code that goes on is ended after it', async () => {
  const pool = createPool({ cancelGraceMs: 60_000 });
  const controller = new AbortController();
  const run = pool.run(
    ({ emit }) => {
      globalThis.kept = 'yes';
      emit('runs');
      for (;;);
    },
    {
      cancelGraceMs: 5,
      signal: controller.signal,
      onMessage: () => controller.abort(),
    },
  );
  expect((await rejection(run)).code).toBe(Code.JobCancelled);
  await pool.drain();
  expect(await pool.run(kept)).toBeNull();
});

test('in its grace it may call the owner', async () => {
  const calls = [];
  const pool = createPool({ host: { undo: (what) => calls.push(what) } });
  const controller = new AbortController();
  const run = pool.run(
    ({ emit, host, signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', async () => {
          await host.undo('it');
          resolve();
        });
        emit('listens');
      }),
    {
      cancelGraceMs: 60_000,
      signal: controller.signal,
      onMessage: () => controller.abort(),
    },
  );
  await rejection(run);
  await pool.drain();
  expect(calls).toEqual(['it']);
});

test('of a Worker', async () => {
  const worker = await startWorker(`
    let state = 'new';
    export function wait(_, { emit, signal }) {
      state = 'kept';
      return new Promise((resolve) => {
        signal.addEventListener('abort', resolve);
        emit('listens');
      });
    }
    export const read = () => state;
  `);
  const controller = new AbortController();
  const call = worker.invoke('wait', null, {
    cancelGraceMs: 60_000,
    signal: controller.signal,
    onMessage: () => controller.abort(),
  });
  await rejection(call);
  expect(await worker.invoke('read')).toBe('kept');
});

test.each([-1, Number.NaN, Infinity, '5', null])(
  '%p is refused',
  async (ms) => {
    const pool = createPool();
    const error = await rejection(pool.run(() => 1, { cancelGraceMs: ms }));
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toBe(
      'worker cancelGraceMs must be finite and non-negative.',
    );
  },
);
