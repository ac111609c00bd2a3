'use strict';
// Section 14, and the queues' in a file: each of the 20 codes has a condition, and raises through the
// public API. A code of the table without a raiser here fails.

const { execFileSync } = require('node:child_process');
const { join } = require('node:path');
const {
  BackgroundService,
  Sloppy,
  SloppyWorkerError,
  WorkQueue,
  Worker,
} = require('../../../lib/index.js');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const {
  createPool,
  occupy,
  rejection,
  startWorker,
  stopAll,
} = require('./support.js');

afterEach(stopAll);

function thrownBy(fn) {
  try {
    fn();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

/** The error of the code's condition in a process of its own, as plain data. */
function elsewhere(script, env = {}) {
  const text = execFileSync(process.execPath, ['-e', script], {
    cwd: join(__dirname, '../../..'),
    env: { ...process.env, ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { code, message } = JSON.parse(text);
  return new SloppyWorkerError(code, message.slice(code.length + 2));
}

const print =
  '(e) => console.log(JSON.stringify({ code: e.code, message: e.message }))';

async function failureOf(handler) {
  const service = BackgroundService.create('service', handler);
  service.start();
  while (service.failure === undefined) await null;
  return service.failure;
}

async function fullPool() {
  const pool = createPool({ workers: 1, maxQueued: 1 });
  occupy(pool);
  pool.run(() => 1).catch(() => {});
  return rejection(pool.run(() => 1));
}

const raisers = {
  SqliteStoreFailed: () => {
    const { createSqliteBackend } = require('../../../lib/adapters/sqlite.js');
    // A text file is no database.
    const connection = { file: __filename };
    return thrownBy(() => createSqliteBackend('q', { connection }));
  },
  FeatureUnavailable: () =>
    thrownBy(() =>
      Sloppy.create({ features: { workers: false } }).use(createPool()),
    ),
  ServiceStartFailed: () =>
    failureOf(() => {
      throw new Error('x');
    }),
  ServiceFailed: () => failureOf(async () => Promise.reject(new Error('x'))),
  QueueFull: fullPool,
  QueueStopped: async () => {
    const pool = createPool();
    await pool.stop();
    return rejection(pool.run(() => 1));
  },
  JobCancelled: () =>
    rejection(createPool().run(() => 1, { signal: AbortSignal.abort() })),
  JobTimeout: () => rejection(createPool().run(() => 1, { timeoutMs: 0 })),
  JobFailed: () =>
    rejection(
      createPool().run(() => {
        throw new Error('x');
      }),
    ),
  RetryExhausted: () => {
    const queue = WorkQueue.create('queue', { retry: { maxAttempts: 2 } });
    queue.process(() => {
      throw new Error('x');
    });
    return rejection(queue.enqueue(1));
  },
  // No thread can be started when the process may not map more memory.
  PoolUnavailable: () =>
    elsewhere(`
      const { execFileSync } = require('node:child_process');
      const { readFileSync } = require('node:fs');
      const { WorkerPool } = require('./lib/index.js');
      const start = (name) => WorkerPool.create(name).run(() => 1);
      start('warm').then(() => {
        const status = readFileSync('/proc/self/status', 'utf8');
        const usedKb = Number(/VmSize:\\s+(\\d+)/.exec(status)[1]);
        const limit = (usedKb + 2048) * 1024;
        execFileSync('prlimit', ['--pid', process.pid, '--as=' + limit + ':']);
        return start('cold');
      }).catch(${print}).then(() => process.exit());
    `),
  BridgeUnavailable: () =>
    elsewhere(
      `const { WorkerPool } = require('./lib/index.js');
       WorkerPool.create('p').run(() => 1).catch(${print});`,
      { SLOPPY_WORKERS_BINARY: 'not-there' },
    ),
  PoolSaturated: async () => {
    const worker = await startWorker('export const f = () => 1;');
    const calls = Array.from({ length: 64 }, () => worker.invoke('f'));
    const error = await rejection(worker.invoke('f'));
    await Promise.all(calls);
    return error;
  },
  Crashed: async () => {
    const worker = await startWorker('export const f = () => 1;');
    return rejection(worker.invoke('g'));
  },
  ResourceLimit: () => thrownBy(() => createPool({ memoryLimitMb: 15 })),
  SerializationFailed: () => {
    const input = [];
    input.push(input);
    return rejection(createPool().run(() => 1, { input }));
  },
  StartupFailed: () => rejection(Worker.start('./there-is-no-such-file.mjs')),
  UnsupportedPayload: () =>
    rejection(createPool().run(() => 1, { input: Symbol('s') })),
  ShutdownCancelled: async () => {
    const pool = createPool();
    const { promise } = occupy(pool);
    pool.stop({ timeoutMs: 0 });
    return rejection(promise);
  },
  StaleHandle: async () => {
    const worker = await startWorker('export const f = () => 1;');
    await worker.stop();
    return rejection(worker.invoke('f'));
  },
};

test('every code of the table has a raiser, and nothing else has', () => {
  expect(Object.keys(raisers).sort()).toEqual(Object.keys(Code).sort());
  expect(Object.keys(Code)).toHaveLength(20);
});

// prlimit is a tool of Linux, and limits the emulator where there is one; Node
// has SQLite from 22 on.
const impossible = {
  PoolUnavailable: process.platform !== 'linux' || process.env.SW_EMULATED,
  SqliteStoreFailed: Number.parseInt(process.versions.node, 10) < 22,
};
const testable = Object.keys(Code).filter((name) => !impossible[name]);

test.each(testable)('%s', async (name) => {
  const error = await raisers[name]();
  const code = Code[name];
  expect(error).toBeInstanceOf(SloppyWorkerError);
  expect(error.name).toBe('SloppyWorkerError');
  expect(error.code).toBe(code);
  expect(error.message.startsWith(`${code}: `)).toBe(true);
  expect(error.message.length).toBeGreaterThan(code.length + 2);
  // The table's, or one that fits better.
  expect(error.hint).toMatch(/^[\w`].{15}/);
});

// Section 4: what Worker.start looks at first, where there is no addon.
test.each([
  [{ memoryLimitMb: 8 }, 'SLOPPY_E_WORKER_BRIDGE_UNAVAILABLE'],
  [{ memoryLimitMb: 0 }, 'TypeError'],
  [{ isolation: 'none' }, 'TypeError'],
  [{}, 'SLOPPY_E_WORKER_BRIDGE_UNAVAILABLE'],
])('Worker.start without the addon: %p', (options, told) => {
  const text = execFileSync(
    process.execPath,
    [
      '-e',
      `require('./lib/index.js').Worker.start('./none.mjs', ${JSON.stringify(options)})
         .catch((e) => console.log(e.code ?? e.name));`,
    ],
    {
      cwd: join(__dirname, '../../..'),
      env: { ...process.env, SLOPPY_WORKERS_BINARY: 'not-there' },
      encoding: 'utf8',
    },
  );
  expect(text).toBe(`${told}\n`);
});
