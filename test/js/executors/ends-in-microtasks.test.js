'use strict';

// A worker that ends itself inside a microtask, or in what V8 calls late, is
// renewed like any other: the next job sees nothing of the realm. V8 takes a
// termination for dealt with when it has ended a checkpoint.

const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { WorkerPool } = require('../../../lib/index.js');

const folder = mkdtempSync(join(tmpdir(), 'sw-ends-'));
const pools = [];
let files = 0;

function createPool(options) {
  const pool = WorkerPool.create('ends', options);
  pools.push(pool);
  return pool;
}

function moduleFile(text) {
  files += 1;
  const file = join(folder, `module-${files}.mjs`);
  writeFileSync(file, text);
  return file;
}

afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.stop())));
afterAll(() => rmSync(folder, { recursive: true }));

const codeOf = (promise) =>
  promise.then(
    (value) => value,
    (error) => error.code,
  );

const left = () => globalThis.left;

const EXITS = {
  'after a timer': async () => {
    globalThis.left = 1;
    await new Promise((resolve) => setTimeout(resolve, 1));
    process.exit(1);
  },
  'after an immediate': async () => {
    globalThis.left = 1;
    await new Promise((resolve) => setImmediate(resolve));
    process.exit(1);
  },
  'after a host function': async ({ host }) => {
    globalThis.left = 1;
    await host.answer();
    process.exit(1);
  },
  'after an import': async () => {
    globalThis.left = 1;
    await import('node:path');
    process.exit(1);
  },
  'after null': async () => {
    globalThis.left = 1;
    await null;
    process.exit(1);
  },
  'in a microtask while the job waits': () => {
    globalThis.left = 1;
    return new Promise((resolve) => {
      setTimeout(resolve, 60_000);
      setTimeout(() => queueMicrotask(() => process.exit(1)), 1);
    });
  },
  'in a microtask of a job that has returned': () => {
    globalThis.left = 1;
    queueMicrotask(() => process.exit(1));
  },
  'in a listener for unhandled rejections': async () => {
    globalThis.left = 1;
    process.on('unhandledRejection', () => process.exit(1));
    await new Promise((resolve) => setTimeout(resolve, 1));
    Promise.reject(new Error('nobody listens'));
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  },
  'in a listener for what nobody caught': async () => {
    globalThis.left = 1;
    process.on('uncaughtException', () => process.exit(1));
    await new Promise((resolve) => setTimeout(resolve, 1));
    queueMicrotask(() => {
      throw new Error('nobody catches');
    });
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  },
  'when WebAssembly was compiled': async () => {
    globalThis.left = 1;
    await WebAssembly.compile(
      new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]),
    );
    process.exit(1);
  },
  'when Atomics.waitAsync was told': async () => {
    globalThis.left = 1;
    const words = new Int32Array(new SharedArrayBuffer(4));
    setTimeout(() => Atomics.notify(words, 0), 1);
    await Atomics.waitAsync(words, 0, 0).value;
    process.exit(1);
  },
  'in a stream': async function* () {
    globalThis.left = 1;
    yield 1;
    await new Promise((resolve) => setTimeout(resolve, 1));
    process.exit(1);
  },
};

describe.each(Object.keys(EXITS))('process.exit %s', (when) => {
  test.each([1, 3])('with %p jobs per worker', async (jobs) => {
    const pool = createPool({
      concurrentJobsPerWorker: jobs,
      host: { answer: () => 1 },
    });
    const drained = async () => {
      for await (const _ of pool.stream(EXITS[when]));
    };
    const job = when === 'in a stream' ? drained() : pool.run(EXITS[when]);
    const error = await job.catch((reason) => reason);
    expect(error.code).toBe(Code.Crashed);
    expect(error.cause?.message).toBe('process.exit(1) was called in a worker');
    expect(await pool.run(left)).toBe(undefined);
  });
});

test('code that goes on after the exit does not run', async () => {
  const seen = [];
  const pool = createPool({ host: { saw: (what) => seen.push(what) } });
  await codeOf(
    pool.run(async ({ host }) => {
      setInterval(() => host.saw('interval'), 1);
      await new Promise((resolve) => setTimeout(resolve, 1));
      queueMicrotask(() => host.saw('microtask'));
      setImmediate(() => host.saw('immediate'));
      setTimeout(() => host.saw('timer'), 0);
      process.exit(1);
    }),
  );
  for (let i = 0; i < 20; i += 1) {
    await pool.run(() => new Promise((resolve) => setTimeout(resolve, 1)));
  }
  expect(seen.filter((what) => what !== 'interval')).toEqual([]);
});

test('in the callback of a FinalizationRegistry', async () => {
  const pool = createPool({ memoryLimitMb: 32 });
  const job = pool.run(async () => {
    globalThis.left = 1;
    globalThis.registry = new FinalizationRegistry(() => process.exit(1));
    for (let i = 0; i < 1000; i += 1) globalThis.registry.register({}, i);
    for (;;) {
      globalThis.garbage = [];
      for (let i = 0; i < 50_000; i += 1) globalThis.garbage.push([{}]);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  });
  expect(await codeOf(job)).toBe(Code.Crashed);
  expect(await pool.run(left)).toBe(undefined);
});

test('the pool module and init that exit after an await', async () => {
  const exits = `
    export const up = 1;
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (__FIRST__) process.exit(3);
    export const answer = () => 42;
  `;
  const flag = join(folder, 'flag.cjs');
  writeFileSync(flag, 'module.exports = true;');
  const text = `import first from ${JSON.stringify(flag)};\n${exits}`;
  const pool = createPool({
    module: moduleFile(text.replace('__FIRST__', 'first')),
  });
  const failed = await pool.invoke('answer').catch((error) => error);
  expect(failed.code).toBe(Code.StartupFailed);
  writeFileSync(flag, 'module.exports = false;');
  expect(await pool.invoke('answer')).toBe(42);
});

test('init that exits after an await fails each job that waits for it', async () => {
  const init = moduleFile(`
    export async function init() {
      await new Promise((resolve) => setTimeout(resolve, 1));
      process.exit(1);
    }
  `);
  const pool = createPool({ init: { module: init } });
  for (let i = 0; i < 3; i += 1) {
    const error = await pool.run(() => 1).catch((reason) => reason);
    expect(error.code).toBe(Code.StartupFailed);
    expect(error.message).toContain('worker start was ended');
  }
});

test('dispose that exits after an await', async () => {
  const module = moduleFile(`
    export const answer = () => 42;
    export async function dispose() {
      await new Promise((resolve) => setTimeout(resolve, 1));
      process.exit(1);
    }
  `);
  const pool = createPool({ module, recycleAfterJobs: 1 });
  for (let i = 0; i < 3; i += 1) expect(await pool.invoke('answer')).toBe(42);
});

test.each([1, 3])(
  'too many microtasks after a timer, with %p jobs per worker',
  async (jobs) => {
    const pool = createPool({
      maxMicrotasks: 1000,
      concurrentJobsPerWorker: jobs,
    });
    const error = await pool
      .run(async () => {
        globalThis.left = 1;
        await new Promise((resolve) => setTimeout(resolve, 1));
        for (;;) await null;
      })
      .catch((reason) => reason);
    expect(error.code).toBe(Code.JobTimeout);
    expect(error.message).toContain('microtask drain exceeded its bound');
    expect(await pool.run(left)).toBe(undefined);
  },
);

// It is counted now and then only.
test('too many microtasks after long work in the same turn', async () => {
  const pool = createPool({ maxMicrotasks: 1000 });
  const error = await pool
    .run(async () => {
      await null;
      const end = Date.now() + 1500;
      while (Date.now() < end);
      for (;;) await null;
    })
    .catch((reason) => reason);
  expect(error.code).toBe(Code.JobTimeout);
  expect(error.message).toContain('microtask drain exceeded its bound');
});

describe('microtasks without end in a start', () => {
  const LOOP = 'for (;;) await 0;';

  test.each([
    [
      'the module',
      () => ({ module: moduleFile(`${LOOP} export const f = 1;`) }),
    ],
    [
      'init',
      () => ({
        init: {
          module: moduleFile(`export async function init() { ${LOOP} }`),
        },
      }),
    ],
  ])('of %s: the error names the bound', async (_of, options) => {
    const pool = createPool({
      workers: 1,
      maxMicrotasks: 100_000,
      ...options(),
    });
    const error = await pool.run(() => 1).catch((e) => e);
    expect(error.code).toBe(Code.StartupFailed);
    expect(error.message).toMatch(/worker microtask drain exceeded its bound$/);
    expect(error.hint).toMatch(/maxMicrotasks/);
  });
});
