'use strict';
// A start that fails is tried again for the next job, with modules that are
// loaded anew: `init`, the pool's module, a function's modules.

const { writeFileSync } = require('node:fs');
const { pathToFileURL } = require('node:url');

const {
  createGate,
  createPool,
  moduleFile,
  rejection,
  stopAll,
  testOnIsolates,
} = require('./support.js');

afterEach(stopAll);

const STARTUP_FAILED = 'SLOPPY_E_WORKER_ISOLATE_STARTUP_FAILED';
const LIMIT = 'SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED';

/**
 * Attempts at loading a module that fails before the `good`th. Each evaluation
 * is counted, by the host function `count`; what it finds is written by it.
 */
function createAttempts(good) {
  const path = moduleFile('export const attempt = 1;');
  const from = JSON.stringify(pathToFileURL(path).href);
  const attempts = {
    count: 0,
    host: {
      count() {
        attempts.count += 1;
        writeFileSync(path, `export const attempt = ${attempts.count + 1};`);
      },
    },
    // The same in a module.
    code: `
      import { attempt } from ${from};
      if (attempt < ${good}) {
        sloppy.host.count();
        throw new RangeError('attempt ' + attempt);
      }
      export const attemptOf = () => attempt;`,
  };
  return attempts;
}

const throwing = ({ code }) =>
  moduleFile(`${code}
    export const init = () => ({ attempt });`);

const awaiting = (attempts) => {
  const inner = JSON.stringify(pathToFileURL(throwing(attempts)).href);
  return moduleFile(`await new Promise((resolve) => setTimeout(resolve, 1));
    const inner = await import(${inner});
    export const { attemptOf, init } = inner;`);
};

const MODULES = [
  ['throws at once', throwing],
  ['throws after it has awaited', awaiting],
];

async function expectFailures(call, count) {
  for (let i = 1; i <= count; i += 1) {
    const error = await rejection(call());
    expect(error.code).toBe(STARTUP_FAILED);
    expect(error.cause).toBeInstanceOf(RangeError);
    expect(error.cause.message).toBe(`attempt ${i}`);
  }
}

test.each(MODULES)('a module of init that %s', async (_name, make) => {
  const attempts = createAttempts(3);
  const pool = createPool({
    host: attempts.host,
    init: { module: make(attempts) },
  });
  const job = () => pool.run(({ state }) => state.attempt);
  await expectFailures(job, 2);
  expect(await job()).toBe(3);
  expect(await job()).toBe(3);
  expect(attempts.count).toBe(2);
});

test.each(MODULES)('a module of the pool that %s', async (_name, make) => {
  const attempts = createAttempts(3);
  const pool = createPool({ host: attempts.host, module: make(attempts) });
  const job = () => pool.invoke('attemptOf');
  await expectFailures(job, 2);
  expect(await job()).toBe(3);
  expect(await job()).toBe(3);
  expect(attempts.count).toBe(2);
});

test.each(MODULES)('a module of a function that %s', async (_name, make) => {
  const attempts = createAttempts(3);
  const modules = { counted: make(attempts) };
  const pool = createPool({ host: attempts.host });
  const job = () =>
    pool.run(({ modules }) => modules.counted.attemptOf(), { modules });
  await expectFailures(job, 2);
  expect(await job()).toBe(3);
  expect(attempts.count).toBe(2);
});

describe.each([
  ['undefined', undefined],
  ['null', null],
  ['0', 0],
  ["''", ''],
])('a start that throws %s', (code, value) => {
  const fails = async (call) => {
    for (let i = 0; i < 2; i += 1) {
      const error = await rejection(call());
      expect(error.code).toBe(STARTUP_FAILED);
      expect(Object.hasOwn(error, 'cause')).toBe(true);
      expect(error.cause).toBe(value);
    }
  };
  const WAYS = {
    'at once': `throw ${code};`,
    'after it has awaited': `await null; throw ${code};`,
  };

  test.each(Object.keys(WAYS))('in the module of the pool, %s', async (way) => {
    const pool = createPool({ module: moduleFile(WAYS[way]) });
    await fails(() => pool.invoke('f'));
  });

  test('in a CommonJS module', async () => {
    const pool = createPool({ module: moduleFile(`throw ${code};`, 'a.cjs') });
    await fails(() => pool.invoke('f'));
  });

  test.each(Object.keys(WAYS))('in init, %s', async (way) => {
    const text = `export const init = async () => { ${WAYS[way]} };`;
    const pool = createPool({ init: { module: moduleFile(text) } });
    await fails(() => pool.run(() => 1));
  });

  test('in a module of a function', async () => {
    const pool = createPool();
    const modules = { a: moduleFile(`throw ${code};`) };
    await fails(() => pool.run(() => 1, { modules }));
  });
});

// The other runtimes have no limit for microtasks.
testOnIsolates.each([
  ['microtasks without end', 'for (;;) await null;'],
  [
    'microtasks that need too much memory',
    'for (const all = []; ; ) all.push(await new Array(1e5).fill(1.5));',
  ],
])('a start that has succeeded and left %s', async (_name, code) => {
  const text = `(async () => { ${code} })();
    export const init = () => {}, f = () => {};`;
  for (const part of ['module', 'init']) {
    const path = moduleFile(text);
    const pool = createPool(
      part === 'module' ? { module: path } : { init: { module: path } },
    );
    for (let i = 0; i < 2; i += 1) {
      const error = await rejection(pool.run(() => 1));
      expect([STARTUP_FAILED, LIMIT]).toContain(error.code);
    }
  }
});

test('init whose state in its module says that it has run', async () => {
  const module = moduleFile(`
    let begun = false;
    export function init() {
      if (begun) throw new Error('begun already');
      begun = true;
      if (sloppy.host) return sloppy.host.next().then((ok) => {
        if (!ok) throw new Error('not yet');
        return 'ready';
      });
    }`);
  let calls = 0;
  const host = {
    next() {
      calls += 1;
      return calls > 2;
    },
  };
  const pool = createPool({ init: { module }, host });
  for (let i = 0; i < 2; i += 1) {
    const { cause } = await rejection(pool.run(() => 1));
    expect(cause.message).toBe('not yet');
  }
  expect(await pool.run(({ state }) => state)).toBe('ready');
});

// Each worker that is there has its own first attempt, made ahead.
test('none is made while nobody waits', async () => {
  const attempts = createAttempts(3);
  const pool = createPool({
    host: attempts.host,
    init: { module: throwing(attempts) },
  });
  await expectFailures(() => pool.run(() => 1), 1);
  // A worker does then what it is idle for, so an attempt would be begun.
  const other = createPool();
  for (let i = 0; i < 20; i += 1) {
    await other.run(() => new Promise((resolve) => setTimeout(resolve, 5)));
  }
  expect(attempts.count).toBe(1);
  const { cause } = await rejection(pool.run(() => 1));
  expect(cause.message).toBe('attempt 2');
});

test('no job gets a failure from before it was submitted', async () => {
  const first = createGate();
  let isReady = false;
  const pool = createPool({
    workers: 1,
    init: {
      module: moduleFile(`
        export async function init() {
          if (await sloppy.host.isReady()) return 'ready';
          throw new Error('not ready');
        }`),
    },
    host: {
      async isReady() {
        const found = isReady;
        await first.wait();
        return found;
      },
    },
  });
  const early = [rejection(pool.run(() => 1)), rejection(pool.run(() => 2))];
  await first.entered(1);
  first.open();
  for (const error of await Promise.all(early)) {
    expect(error.cause.message).toBe('not ready');
  }
  isReady = true;
  expect(await pool.run(({ state }) => state)).toBe('ready');
});

test('jobs that wait for one attempt end with it', async () => {
  const gate = createGate();
  let attempts = 0;
  const module = moduleFile(`
    export async function init() {
      throw new Error('init ' + await sloppy.host.wait());
    }`);
  const pool = createPool({
    workers: 1,
    maxQueued: 100,
    init: { module },
    host: {
      async wait() {
        attempts += 1;
        await gate.wait();
        return attempts;
      },
    },
  });
  const jobs = [rejection(pool.run(() => 0))];
  await gate.entered(1);
  for (let i = 1; i < 50; i += 1) {
    jobs.push(rejection(pool.run(() => i, { priority: i % 8 })));
  }
  gate.open();
  const told = new Set();
  for (const error of await Promise.all(jobs)) told.add(error.cause.message);
  expect([...told]).toEqual(['init 1']);
});

test('with concurrent jobs, those that the module was loaded for', async () => {
  const attempts = createAttempts(3);
  const pool = createPool({
    workers: 1,
    concurrentJobsPerWorker: 4,
    host: attempts.host,
    module: awaiting(attempts),
  });
  await expectFailures(() => pool.invoke('attemptOf'), 2);
  expect(await pool.invoke('attemptOf')).toBe(3);
});

test('a file that is missing at first', async () => {
  const file = moduleFile('').replace(/\.mjs$/, '-later.mjs');
  const module = moduleFile(`
    import { value } from ${JSON.stringify(pathToFileURL(file).href)};
    export const init = () => value;`);
  const pool = createPool({ init: { module } });
  const { cause } = await rejection(pool.run(() => 1));
  expect(cause.code).toBe('ERR_MODULE_NOT_FOUND');
  writeFileSync(file, 'export const value = 5;');
  expect(await pool.run(({ state }) => state)).toBe(5);
});

test.each([
  ['leaves', 'process.exit(1);'],
  ['throws', 'throw new Error("no");'],
])('an init that %s is tried again for the next job only', async (_n, code) => {
  let attempts = 0;
  const module = moduleFile(`
    export async function init() {
      const attempt = await sloppy.host.attempt();
      if (attempt < 3) { ${code} }
      return attempt;
    }`);
  const host = {
    attempt() {
      attempts += 1;
      return attempts;
    },
  };
  const pool = createPool({ init: { module }, host });
  for (let i = 1; i <= 2; i += 1) {
    const error = await rejection(pool.run(() => 1));
    expect(error.code).toBe(STARTUP_FAILED);
    expect(attempts).toBe(i);
  }
  expect(await pool.run(({ state }) => state)).toBe(3);
});

// The answer is on its way while the worker still fails the jobs that waited,
// so some of these stops end its code in the middle of that.
test('a stop right behind a failed start ends', async () => {
  const module = moduleFile(
    'export const init = () => Promise.reject(new Error());',
  );
  for (let i = 0; i < 60; i += 1) {
    const pool = createPool({ init: { module } });
    const jobs = [1, 2, 3].map(() => rejection(pool.run(() => 1)));
    await jobs[0];
    await pool.stop({ drain: false, timeoutMs: 0 });
    await Promise.all(jobs);
  }
});
