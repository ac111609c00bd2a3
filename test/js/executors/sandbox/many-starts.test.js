'use strict';
// Many processes that start at once, and ends of some of them meanwhile.

const { join } = require('node:path');

const { folderWith, removeFolders } = require('../../modules/support.js');
const {
  codeOf,
  describeHere,
  isAlive,
  sandboxes,
  started,
} = require('./support.js');
const {
  MOST_BOOTING,
} = require('../../../../lib/executors/process/most-booting.js');

const CRASHED = 'SLOPPY_E_WORKER_CRASHED';
const UNAVAILABLE = 'SLOPPY_E_WORKERS_FEATURE_UNAVAILABLE';
const CALM_MS = 300_000;
// The time of a process until it greets, as in sandbox-line.js.
const HELLO_MS = 10_000;

const pause = (ms) =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

afterAll(removeFolders);

describeHere('many starts', () => {
  const createPool = sandboxes();

  test(
    '100 keys at once: each has its answer, and few processes boot at once',
    async () => {
      const count = 100;
      let here = 0;
      let allAreHere;
      const all = new Promise((resolve) => {
        allAreHere = resolve;
      });
      const pool = createPool({
        workers: count,
        maxQueued: count,
        runTimeoutMs: CALM_MS,
        sandbox: { spares: 0 },
        host: {
          wait: () => {
            here += 1;
            if (here === count) allAreHere();
            return all;
          },
        },
      });
      const before = started().length;
      let online = 0;
      let most = 0;
      const look = () => {
        most = Math.max(most, started().length - before - online);
      };
      pool.on('workerStarted', () => {
        look();
        online += 1;
      });
      const wait = async ({ host, input }) => {
        await host.wait();
        return input;
      };
      const keys = Array.from({ length: count }, (_, at) => `key ${at}`);
      const running = keys.map((key) => pool.run(wait, { input: key, key }));
      look();
      expect(await Promise.all(running)).toEqual(keys);
      expect(started().length - before).toBe(count);
      expect(most).toBe(MOST_BOOTING);
    },
    CALM_MS,
  );

  test('each that is killed while it starts costs one job', async () => {
    const pool = createPool({ workers: 1, sandbox: { spares: 0 } });
    const runs = [1, 2, 3].map((input) =>
      pool.run(({ input: given }) => given, { input }),
    );
    const all = Promise.all(runs.map(codeOf));
    for (let i = 0; i < 2; i += 1) {
      process.kill(started().at(-1).pid, 'SIGKILL');
      await codeOf(runs[i]);
      // The next one starts in a microtask.
      await new Promise(setImmediate);
    }
    expect(await all).toEqual([CRASHED, CRASHED, { value: 3 }]);
  });

  test.each(['SIGTERM', 'SIGHUP', 'SIGINT'])(
    '%s to one that starts is no missing layer',
    async (signal) => {
      const pool = createPool({ workers: 1, sandbox: { spares: 0 } });
      const running = codeOf(pool.run(() => 1));
      // It ignores SIGINT a little later, and goes on then.
      process.kill(started().at(-1).pid, signal);
      expect([CRASHED, { value: 1 }]).toContainEqual(await running);
      await expect(pool.run(() => 2)).resolves.toBe(2);
    },
  );

  test('a fault of one is no missing layer where others have greeted', async () => {
    const pool = createPool({ workers: 2, sandbox: { spares: 0 } });
    await expect(pool.run(() => 1)).resolves.toBe(1);
    const running = codeOf(pool.run(() => 2));
    const { pid } = started().at(-1);
    process.kill(pid, 'SIGSEGV');
    expect(await running).toBe(CRASHED);
    expect((await pool.sandbox()).layers.seccomp).toBe(true);
  });

  test.each([
    ['resize', (pool) => pool.resize(1)],
    ['recycle', (pool) => pool.recycle()],
    ['pause and resume', (pool) => [pool.pause(), pool.resume()]],
    ['stop', (pool) => pool.stop()],
  ])('%s while they start', async (_name, act) => {
    const before = started().length;
    const pool = createPool({ workers: 3 });
    const runs = [1, 2, 3].map((input) =>
      pool.run(({ input: given }) => given, { input, key: `key ${input}` }),
    );
    expect(started().length).toBe(before + 3);
    await act(pool);
    expect(await Promise.all(runs)).toEqual([1, 2, 3]);
    await pool.stop();
    const mine = started().slice(before);
    expect(mine.filter(({ pid }) => isAlive(pid))).toEqual([]);
  });

  test('init that is over in time, of an owner that has read it late', async () => {
    const text = `export const init = async () => {
      console.log('begun');
      await new Promise((resolve) => setTimeout(resolve, 50));
    };`;
    const module = join(folderWith({ 'init.mjs': text }), 'init.mjs');
    const timeoutMs = 2000;
    const pool = createPool({
      workers: 1,
      sandbox: { spares: 0 },
      init: { module, timeoutMs },
    });
    // In the last phase of a turn: timers come first in the next one.
    pool.on('output', () => setImmediate(pause, timeoutMs + 500));
    const running = codeOf(pool.run(() => 1));
    expect(await running).toEqual({ value: 1 });
  });

  test('one that never greets is none, and ends', async () => {
    const pool = createPool({ workers: 1, sandbox: { spares: 0 } });
    const running = pool.run(() => 1).catch((thrown) => thrown);
    const asked = codeOf(pool.sandbox());
    const { pid } = started().at(-1);
    process.kill(pid, 'SIGSTOP');
    const error = await running;
    expect(error.code).toBe(UNAVAILABLE);
    const { message } = error.cause;
    expect(message).toMatch(`within ${HELLO_MS / 1000} s`);
    expect(await asked).toBe(UNAVAILABLE);
    while (isAlive(pid)) await new Promise(setImmediate);
    await expect(pool.run(() => 1)).resolves.toBe(1);
  });

  test('a greeting in time, of an owner that has read it late', async () => {
    const pool = createPool({ workers: 1, sandbox: { spares: 0 } });
    const running = codeOf(pool.run(() => 1));
    pause(HELLO_MS + 500);
    expect(await running).toEqual({ value: 1 });
  });
});
