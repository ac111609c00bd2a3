'use strict';
// `init` before the first job of each realm, `dispose` at its end.

const {
  createGate,
  createPool,
  moduleFile,
  occupy,
  rejection,
  runtime,
  startWorker,
  stopAll,
  testOnIsolates,
} = require('./support.js');

afterEach(stopAll);

const STARTUP_FAILED = 'SLOPPY_E_WORKER_ISOLATE_STARTUP_FAILED';
const UNAVAILABLE = 'SLOPPY_E_WORKER_POOL_UNAVAILABLE';

const MODULE = `
export async function init(data) {
  const calls = data.failures ? await sloppy.host.count() : 1;
  if (calls <= data.failures) throw new RangeError('attempt ' + calls);
  if (data.waits) await sloppy.host.wait();
  if (data.pauseMs) await new Promise((r) => setTimeout(r, data.pauseMs));
  if (data.endless) for (;;);
  if (data.leaves) process.exit(1);
  if (data.never) await new Promise(() => {});
  if (data.hog) for (const all = []; ; ) all.push(new Array(1e5).fill(1.5));
  return { calls, data, told: 0 };
}
export async function dispose(state) {
  await null;
  if (state.data.endlessDispose) for (;;);
  if (state.data.failingDispose) throw new Error('while clearing up');
  await sloppy.host.disposed(state.told);
}
export const told = (_input, { state }) => (state.told += 1);`;

function initPool(data, options = {}, init = {}) {
  const disposed = [];
  let calls = 0;
  const pool = createPool({
    host: {
      disposed: (told) => void disposed.push(told),
      count() {
        calls += 1;
        return calls;
      },
    },
    init: { module: moduleFile(MODULE), data, ...init },
    ...options,
  });
  return { pool, disposed };
}

test('jobs find what init returned, and it stays', async () => {
  const bytes = new Uint8Array([1, 2, 3]);
  const { pool } = initPool({ bytes, text: 'ä'.repeat(20_000), list: [1, {}] });
  // The data was copied when the pool was made.
  bytes[0] = 9;
  const job = ({ state }) => {
    state.told += 1;
    const { bytes, text, list } = state.data;
    return [state.calls, state.told, [...bytes], text.length, list];
  };
  const rest = [[1, 2, 3], 20_000, [1, {}]];
  expect(await pool.run(job)).toEqual([1, 1, ...rest]);
  expect(await pool.run(job)).toEqual([1, 2, ...rest]);
});

test('without init, state is undefined', async () => {
  expect(await createPool().run((c) => 'state' in c && c.state)).toBe(
    undefined,
  );
});

test('each worker has its own state, and a copy of the data', async () => {
  const disposed = [];
  const both = createGate();
  const { pool } = initPool(
    {},
    {
      workers: 2,
      host: { wait: both.wait, disposed: (told) => void disposed.push(told) },
    },
  );
  const meet = async ({ state, host }) => {
    state.told += 1;
    await host.wait();
  };
  const jobs = [pool.run(meet), pool.run(meet)];
  await both.entered(2);
  both.open();
  await Promise.all(jobs);
  await pool.stop();
  expect(disposed).toEqual([1, 1]);
});

testOnIsolates.each(['context', 'isolate'])(
  'isolation %s: for every job',
  async (how) => {
    const { pool, disposed } = initPool({}, { isolation: how });
    const job = ({ state }) => {
      state.told += 1;
      return state.told;
    };
    expect([await pool.run(job), await pool.run(job)]).toEqual([1, 1]);
    await pool.stop();
    expect(disposed.slice(0, 2)).toEqual([1, 1]);
  },
);

test('again in the realm that follows a termination', async () => {
  const { pool } = initPool({});
  await pool.run(({ state }) => {
    state.told = 5;
  });
  const controller = new AbortController();
  const { started } = occupy(pool, { signal: controller.signal });
  await started;
  controller.abort();
  expect(await pool.run(({ state }) => state.told)).toBe(0);
});

test('a slow init is not at the cost of a short time limit', async () => {
  const gate = createGate();
  const { pool } = initPool({ waits: true }, { host: { wait: gate.wait } });
  const late = await rejection(pool.run(() => 1, { timeoutMs: 10 }));
  expect(late.code).toBe('SLOPPY_E_WORK_JOB_TIMEOUT');
  gate.open();
  expect(await pool.run(({ state }) => state.calls)).toBe(1);
});

test('its failure fails the jobs that wait, then it is tried again', async () => {
  const { pool } = initPool({ failures: 1 });
  const first = await rejection(pool.run(() => 1));
  expect(first.code).toBe(STARTUP_FAILED);
  expect(first.cause).toBeInstanceOf(RangeError);
  expect(first.cause.message).toBe('attempt 1');
  expect(await pool.run(({ state }) => state.calls)).toBe(2);
});

// Two workers, and often: what one of them held back was lost now and then.
test('an init that fails for good leaves no job behind', async () => {
  const limits = { workers: 2, maxQueued: 100 };
  // Starts of processes that fail pause.
  const paused = runtime === 'process' ? [UNAVAILABLE] : [];
  const allowed = [STARTUP_FAILED, ...paused];
  const { pool } = initPool({ failures: 1e9 }, limits);
  for (let round = 0; round < 20; round += 1) {
    const jobs = Array.from({ length: 50 }, () => rejection(pool.run(() => 1)));
    const codes = new Set((await Promise.all(jobs)).map(({ code }) => code));
    expect([...codes].filter((code) => !allowed.includes(code))).toEqual([]);
  }
});

test('a module that does not load', async () => {
  const module = moduleFile('import "./missing.mjs";');
  const pool = createPool({ init: { module } });
  for (let i = 0; i < 2; i += 1) {
    const error = await rejection(pool.run(() => 1));
    expect(error.code).toBe(STARTUP_FAILED);
    expect(error.cause.code).toBe('ERR_MODULE_NOT_FOUND');
  }
});

async function expectNoStart(data, words, timeoutMs = 30_000) {
  const limits = { memoryLimitMb: 32 };
  const { pool } = initPool(data, limits, { timeoutMs });
  for (let i = 0; i < 2; i += 1) {
    const error = await rejection(pool.run(() => 1));
    expect(error.code).toBe(STARTUP_FAILED);
    expect(error.message).toContain(words);
  }
}

test.each([
  ['waits for ever', { pauseMs: 1e6 }, 'took too long', 50],
  ['takes too much memory', { hog: true }, 'memory limit'],
  ['loops for ever', { endless: true }, 'took too long', 50],
  ['leaves', { leaves: true }, 'left by itself'],
])('an init that %s', (_name, ...rest) => expectNoStart(...rest));

testOnIsolates('an init that nothing can settle', async () => {
  const { pool } = initPool({ never: true });
  const error = await rejection(pool.run(() => 1));
  expect(error.cause.message).toBe('init can never settle');
});

test('stop ends an init that runs', async () => {
  const gate = createGate();
  const { pool } = initPool({ waits: true }, { host: { wait: gate.wait } });
  const job = rejection(pool.run(() => 1));
  await gate.entered(1);
  await pool.stop({ timeoutMs: 50 });
  expect((await job).code).toBe('SLOPPY_E_WORKER_SHUTDOWN_CANCELLED');
});

test('stop waits for dispose, but not longer than it may', async () => {
  const quick = initPool({});
  await quick.pool.run(({ state }) => {
    state.told = 7;
  });
  await quick.pool.stop();
  expect(quick.disposed).toEqual([7]);

  const endless = initPool({ endlessDispose: true });
  await endless.pool.run(() => 1);
  await endless.pool.stop({ timeoutMs: 50 });
  expect(endless.disposed).toEqual([]);
});

test('every call of stop waits for dispose', async () => {
  const disposed = [];
  const { pool } = initPool(
    {},
    {
      host: {
        async disposed() {
          await new Promise((resolve) => setTimeout(resolve, 20));
          disposed.push('here');
        },
      },
    },
  );
  await pool.run(() => 1);
  const first = pool.stop();
  await pool.stop();
  expect(disposed).toEqual(['here']);
  await first;
});

test('a later call of stop may give dispose less time', async () => {
  const { pool } = initPool({ endlessDispose: true });
  await pool.run(() => 1);
  const first = pool.stop({ timeoutMs: 600_000 });
  // The first one has come to ending the threads by then.
  await new Promise((resolve) => setTimeout(resolve, 20));
  await Promise.all([first, pool.stop({ timeoutMs: 20 })]);
});

test('what dispose throws is told, and nothing else', async () => {
  const { pool } = initPool({ failingDispose: true });
  const heard = [];
  pool.on('error', (error) => heard.push(error.message));
  await pool.run(() => 1);
  await pool.stop();
  expect(heard).toEqual(['while clearing up']);
});

test("dispose of the pool's module needs no init", async () => {
  const disposed = [];
  const pool = createPool({
    module: moduleFile(`
      export const hello = () => 1;
      export const dispose = (state) => sloppy.host.disposed(typeof state);`),
    host: { disposed: (what) => void disposed.push(what) },
  });
  await pool.invoke('hello');
  await pool.stop();
  expect(disposed).toEqual(['undefined']);
});

test('a Worker, whose own module is the default', async () => {
  const worker = await startWorker(MODULE.replace('sloppy.host.disposed', ''), {
    init: { data: {} },
  });
  expect(await worker.invoke('told')).toBe(1);
  expect(await worker.invoke('told')).toBe(2);
  await worker.stop();
  const failed = await rejection(
    startWorker(MODULE.replace('await sloppy.host.count()', '1'), {
      init: { data: { failures: 9 } },
    }),
  );
  expect(failed.code).toBe(STARTUP_FAILED);
  expect(failed.cause.message).toBe('attempt 1');
});

test.each([
  [{ init: 1 }, 'WorkerPool.create init must be a plain object.'],
  [{ init: {} }, 'WorkerPool.create init requires a module.'],
  [{ init: { module: 7 } }, 'WorkerPool.create init module path must be'],
])('bad options: %p', (options, text) => {
  expect(() => createPool(options)).toThrow(TypeError);
  expect(() => createPool(options)).toThrow(text);
});

test('bad data', () => {
  const init = { module: moduleFile(''), data: new Date() };
  expect(() => createPool({ init })).toThrow(
    expect.objectContaining({ code: 'SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD' }),
  );
});
