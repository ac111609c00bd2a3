'use strict';
// `concurrentJobsPerWorker` in all runtimes; pool-shared.test.js has what only
// isolates do.

const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const {
  createGate,
  createPool,
  moduleFile,
  outcomes,
  rejection,
  stopAll,
} = require('./support.js');

afterEach(stopAll);

const awaiting = ({ input, host, worker }) =>
  host.wait().then(() => [input, worker.number]);

function poolWith(options) {
  const gate = createGate();
  const host = { wait: gate.wait };
  return [createPool({ concurrentJobsPerWorker: 4, host, ...options }), gate];
}

test('as many run at once in one worker, and no more', async () => {
  const [pool, gate] = poolWith();
  const jobs = [0, 1, 2, 3, 4, 5].map((input) => pool.run(awaiting, { input }));
  await gate.entered(4);
  expect(pool.metrics().gauges).toMatchObject({ running: 4, queued: 2 });
  // Time for a fifth, if there were one.
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(pool.metrics().gauges).toMatchObject({ running: 4, workers: 1 });
  gate.open();
  expect(await Promise.all(jobs)).toEqual(
    [0, 1, 2, 3, 4, 5].map((input) => [input, 1]),
  );
});

test('they share what their module holds', async () => {
  const module = moduleFile(`
    let open = 0;
    let most = 0;
    export async function use(_, { host }) {
      open += 1;
      most = Math.max(most, open);
      await host.wait();
      open -= 1;
      return most;
    }
  `);
  const [pool, gate] = poolWith({ module });
  const jobs = [1, 2, 3, 4].map(() => pool.invoke('use'));
  await gate.entered(4);
  gate.open();
  expect(await Promise.all(jobs)).toEqual([4, 4, 4, 4]);
});

test('workers come before more jobs for each', async () => {
  const [pool, gate] = poolWith({ workers: 2, concurrentJobsPerWorker: 2 });
  const jobs = [0, 1, 2, 3].map((input) => pool.run(awaiting, { input }));
  await gate.entered(4);
  gate.open();
  const counts = { 1: 0, 2: 0 };
  for (const [, number] of await Promise.all(jobs)) counts[number] += 1;
  expect(counts).toEqual({ 1: 2, 2: 2 });
});

test('messages, host calls, streams and errors stay with their job', async () => {
  const pool = createPool({
    concurrentJobsPerWorker: 4,
    host: { double: async (x) => x * 2 },
  });
  const runs = Array.from({ length: 12 }, async (_, input) => {
    const heard = [];
    const result = await outcomeOf(
      pool.run(
        async ({ input, emit, host }) => {
          emit(['begins', input]);
          const doubled = await host.double(input);
          await new Promise((resolve) => setTimeout(resolve, input % 3));
          emit(['ends', input]);
          if (input % 4 === 3) throw new RangeError(`of ${input}`);
          return doubled;
        },
        { input, onMessage: (value) => heard.push(value) },
      ),
    );
    expect(heard).toEqual([
      ['begins', input],
      ['ends', input],
    ]);
    expect(result).toBe(input % 4 === 3 ? `of ${input}` : input * 2);
  });
  const stream = async (from) => {
    const values = [];
    const counting = async function* ({ input }) {
      for (let i = 0; i < 40; i += 1) {
        await null;
        yield input + i;
      }
    };
    for await (const value of pool.stream(counting, { input: from })) {
      values.push(value);
    }
    expect(values).toEqual(Array.from({ length: 40 }, (_, i) => from + i));
  };
  await Promise.all([...runs, stream(0), stream(1000)]);
});

async function outcomeOf(promise) {
  try {
    return await promise;
  } catch (error) {
    return error.cause.message;
  }
}

test('one that is cancelled ends alone, and its later effects are ignored', async () => {
  const [pool, gate] = poolWith();
  const controller = new AbortController();
  const heard = [];
  const cancelled = pool.run(
    async ({ emit, host, signal }) => {
      await host.wait();
      emit(`later, ${signal.aborted}`);
    },
    { signal: controller.signal, onMessage: (value) => heard.push(value) },
  );
  const other = pool.run(awaiting, { input: 'other' });
  await gate.entered(2);
  controller.abort();
  expect((await rejection(cancelled)).code).toBe(Code.JobCancelled);
  // Its place is free, and its worker is the same.
  const more = [1, 2, 3].map((input) => pool.run(awaiting, { input }));
  await gate.entered(5);
  gate.open();
  expect(await other).toEqual(['other', 1]);
  expect(await Promise.all(more)).toEqual([1, 2, 3].map((n) => [n, 1]));
  expect(heard).toEqual([]);
});

test('in its grace it may end by itself', async () => {
  const [pool, gate] = poolWith({ cancelGraceMs: 60_000 });
  const controller = new AbortController();
  const cancelled = pool.run(
    ({ emit, signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', (reason) => {
          globalThis.seen = [reason, signal.aborted];
          resolve();
        });
        emit('listens');
      }),
    { signal: controller.signal, onMessage: () => controller.abort('enough') },
  );
  const other = pool.run(awaiting, { input: 'other' });
  expect((await rejection(cancelled)).code).toBe(Code.JobCancelled);
  await gate.entered(1);
  gate.open();
  expect(await other).toEqual(['other', 1]);
  await pool.drain();
  expect(await pool.run(() => globalThis.seen)).toEqual(['enough', true]);
});

test('code that does not yield is ended with its worker', async () => {
  const [pool, gate] = poolWith();
  const other = pool.run(awaiting, { input: 'other' });
  await gate.entered(1);
  const controller = new AbortController();
  const endless = pool.run(
    ({ emit }) => {
      emit('runs');
      for (;;);
    },
    { signal: controller.signal, onMessage: () => controller.abort() },
  );
  expect(await outcomes([endless, other])).toEqual([
    Code.JobCancelled,
    Code.Crashed,
  ]);
  gate.open();
  expect(await pool.run(({ worker }) => worker.place)).toBe(1);
});

test('an exit ends all of them', async () => {
  const [pool, gate] = poolWith();
  const others = [1, 2].map((input) => pool.run(awaiting, { input }));
  await gate.entered(2);
  const exit = pool.run(() => process.exit(3));
  expect(await outcomes([exit, ...others])).toEqual([
    Code.Crashed,
    Code.Crashed,
    Code.Crashed,
  ]);
  expect(await pool.run(() => 'next')).toBe('next');
  expect(pool.metrics().gauges).toMatchObject({ running: 0, queued: 0 });
});

test('a worker that is due for renewal begins no other job', async () => {
  const [pool, gate] = poolWith({ recycleAfterJobs: 1 });
  const first = pool.run(awaiting, { input: 1 });
  const second = pool.run(awaiting, { input: 2 });
  await gate.entered(1);
  gate.open();
  await Promise.all([first, second]);
  const before = await pool.run(() => {
    globalThis.kept = true;
  });
  expect(before).toBeUndefined();
  expect(await pool.run(() => globalThis.kept ?? null)).toBeNull();
});

test('recycle() waits for each of them', async () => {
  const [pool, gate] = poolWith();
  const jobs = [1, 2].map((input) => pool.run(awaiting, { input }));
  await gate.entered(2);
  const recycled = pool.recycle();
  const next = pool.run(({ worker }) => worker.number);
  gate.open();
  expect(await Promise.all(jobs)).toEqual([
    [1, 1],
    [2, 1],
  ]);
  expect(await next).toBe(2);
  await recycled;
});

test('a stop ends those that are left', async () => {
  const [pool, gate] = poolWith();
  const jobs = [1, 2, 3, 4, 5].map((input) => pool.run(awaiting, { input }));
  await gate.entered(4);
  const ends = outcomes(jobs);
  const report = await pool.stop({ drain: false, timeoutMs: 20 });
  expect(report).toEqual({ cancelled: 1, forced: 4 });
  expect(await ends).toEqual(Array(5).fill(Code.ShutdownCancelled));
});
