'use strict';
// A process begins its next job while the owner's thread is blocked, where the
// addon gives both of them memory. Files tell what has begun.

const { existsSync, mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const { Code } = require('../../../../lib/protocol/diagnostics.gen.js');
const { createPool, stopAll, testOnLinux } = require('./support.js');

const folders = [];

afterEach(async () => {
  await stopAll();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'sw-ahead-'));
  folders.push(folder);
  return folder;
}

const job = ({ input: { at, folder } }) => {
  const fs = process.getBuiltinModule('fs');
  fs.appendFileSync(`${folder}/${at}`, 'x');
  while (!fs.existsSync(`${folder}/gate`));
  return at;
};

const run = (pool, at, folder, more) =>
  pool.run(job, { input: { at, folder }, ...more });
const release = (folder) => writeFileSync(join(folder, 'gate'), '');
const hasBegun = (folder, at) => existsSync(join(folder, String(at)));

async function begun(folder, at) {
  while (!hasBegun(folder, at)) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

// This thread is blocked meanwhile.
function awaitBlocked(folder, at) {
  const until = performance.now() + 60_000;
  while (!hasBegun(folder, at) && performance.now() < until);
  expect(hasBegun(folder, at)).toBe(true);
}

// Long enough for a process that would begin what it may not.
function rest() {
  const until = performance.now() + 60;
  while (performance.now() < until);
}

async function withFirst(options, more) {
  const pool = createPool(options);
  const folder = newFolder();
  // A process that its owner takes for one that starts has no job of a key ahead.
  await pool.run(() => {});
  const first = run(pool, 0, folder, more);
  await begun(folder, 0);
  return { first, folder, pool };
}

testOnLinux('the next job begins while the owner is blocked', async () => {
  const { first, folder, pool } = await withFirst();
  const next = [1, 2].map((at) => run(pool, at, folder));
  release(folder);
  awaitBlocked(folder, 1);
  rest();
  expect(hasBegun(folder, 2)).toBe(false);
  expect(await Promise.all([first, ...next])).toEqual([0, 1, 2]);
});

testOnLinux('the first job begins in a process that starts', async () => {
  const pool = createPool();
  const folder = newFolder();
  const first = run(pool, 0, folder);
  awaitBlocked(folder, 0);
  release(folder);
  expect(await first).toBe(0);
});

testOnLinux('its signal says that nobody has cancelled it', async () => {
  const pool = createPool();
  const folder = newFolder();
  const look = ({ input, signal }) => {
    process.getBuiltinModule('fs').writeFileSync(`${input}/0`, '');
    return signal.aborted;
  };
  const { signal } = new AbortController();
  const first = pool.run(look, { input: folder, signal });
  awaitBlocked(folder, 0);
  expect(await first).toBe(false);
});

testOnLinux('the next job of a key begins, and not before', async () => {
  const { first, folder, pool } = await withFirst({ workers: 2 }, { key: 'a' });
  const next = run(pool, 1, folder, { key: 'a' });
  rest();
  expect(hasBegun(folder, 1)).toBe(false);
  release(folder);
  awaitBlocked(folder, 1);
  expect(await Promise.all([first, next])).toEqual([0, 1]);
});

const bytesOf = ({ input }) => {
  process.getBuiltinModule('fs').writeFileSync(`${input.folder}/1`, '');
  return [input.bytes.length, input.bytes.every((byte) => byte === 7)];
};

testOnLinux('moved bytes are whole', async () => {
  const { first, folder, pool } = await withFirst();
  const bytes = new Uint8Array(2 ** 15).fill(7);
  const input = { bytes, folder };
  const next = pool.run(bytesOf, { input, transfer: [bytes.buffer] });
  expect(bytes.length).toBe(0);
  release(folder);
  awaitBlocked(folder, 1);
  expect(await first).toBe(0);
  expect(await next).toEqual([2 ** 15, true]);
});

// Both come while the loop looks, one after the other into the same memory.
testOnLinux('large ones keep their bytes while a loop looks', async () => {
  const folder = newFolder();
  const count = () => {
    const bytes = new Uint8Array(2 ** 17).fill(7);
    return pool.run(bytesOf, { input: { bytes, folder } });
  };
  let next;
  let asked;
  const isAsked = new Promise((resolve) => {
    asked = resolve;
  });
  const answer = () => {
    next = count();
    asked();
    return new Promise((resolve) => {
      setImmediate(resolve, new Uint8Array(100_000).fill(5));
    });
  };
  const pool = createPool({ workers: 1, host: { answer } });
  const look = async ({ host, input, signal }) => {
    const { existsSync } = process.getBuiltinModule('fs');
    const answered = host.answer();
    while (!existsSync(`${input}/gate`) && !signal.aborted);
    // The job that has come by then is read as well.
    const until = performance.now() + 50;
    while (performance.now() < until && !signal.aborted);
    return (await answered).every((byte) => byte === 5);
  };
  // The process has the function then, and the next job's frame no place for it.
  await count();
  rmSync(join(folder, '1'));
  const { signal } = new AbortController();
  const first = pool.run(look, { input: folder, signal });
  await isAsked;
  for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
  release(folder);
  awaitBlocked(folder, 1);
  expect(await first).toBe(true);
  expect(await next).toEqual([2 ** 17, true]);
});

// The socket has no room for them.
testOnLinux('large ones wait for the owner, and come', async () => {
  const { first, folder, pool } = await withFirst();
  const bytes = new Uint8Array(2 ** 21).fill(7);
  const next = pool.run(bytesOf, { input: { bytes, folder } });
  release(folder);
  rest();
  expect(hasBegun(folder, 1)).toBe(false);
  expect(await first).toBe(0);
  expect(await next).toEqual([2 ** 21, true]);
});

testOnLinux('a cancelled one never begins', async () => {
  const { first, folder, pool } = await withFirst();
  const controller = new AbortController();
  const { signal } = controller;
  const cancelled = run(pool, 1, folder, { signal });
  const last = run(pool, 2, folder);
  controller.abort();
  await expect(cancelled).rejects.toMatchObject({ code: Code.JobCancelled });
  release(folder);
  awaitBlocked(folder, 2);
  expect(await Promise.all([first, last])).toEqual([0, 2]);
  expect(hasBegun(folder, 1)).toBe(false);
});

testOnLinux('a late one does not begin', async () => {
  const { first, folder, pool } = await withFirst();
  const late = run(pool, 1, folder, { timeoutMs: 5 });
  const rejected = expect(late).rejects.toMatchObject({
    code: Code.JobTimeout,
  });
  rest();
  release(folder);
  rest();
  expect(hasBegun(folder, 1)).toBe(false);
  await rejected;
  expect(await first).toBe(0);
});

testOnLinux('a process that crashes leaves it to the next one', async () => {
  const pool = createPool();
  const folder = newFolder();
  const crash = ({ input }) => {
    const fs = process.getBuiltinModule('fs');
    fs.writeFileSync(`${input}/0`, '');
    while (!fs.existsSync(`${input}/gate`));
    process.kill(process.pid, 'SIGKILL');
    for (;;);
  };
  const first = pool.run(crash, { input: folder });
  await begun(folder, 0);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const next = pool.run(
    ({ input, worker }) => {
      const fs = process.getBuiltinModule('fs');
      fs.appendFileSync(`${input}/1`, 'x');
      return [worker.number, fs.readFileSync(`${input}/1`, 'latin1')];
    },
    { input: folder },
  );
  release(folder);
  await expect(first).rejects.toMatchObject({ code: Code.Crashed });
  expect(await next).toEqual([2, 'x']);
});

testOnLinux('one that has begun fails with its process, once', async () => {
  const { first, folder, pool } = await withFirst();
  const next = pool.run(
    ({ input }) => {
      process.getBuiltinModule('fs').appendFileSync(`${input}/1`, 'x');
      process.kill(process.pid, 'SIGKILL');
      for (;;);
    },
    { input: folder },
  );
  const last = run(pool, 2, folder);
  release(folder);
  awaitBlocked(folder, 1);
  rest();
  expect(await first).toBe(0);
  await expect(next).rejects.toMatchObject({ code: Code.Crashed });
  expect(await last).toBe(2);
  expect(pool.metrics().counters).toMatchObject({ completed: 3, failed: 1 });
});

testOnLinux('a paused pool begins none', async () => {
  const { first, folder, pool } = await withFirst();
  const next = run(pool, 1, folder);
  pool.pause();
  release(folder);
  await first;
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(hasBegun(folder, 1)).toBe(false);
  pool.resume();
  expect(await next).toBe(1);
});

testOnLinux('two thousand come once each, in their order', async () => {
  const pool = createPool({
    maxQueued: 2000,
    recycleAfterJobs: 400,
    workers: 2,
  });
  const jobs = Array.from({ length: 2000 }, (_, input) =>
    pool.run(({ input: n }) => n, { input }),
  );
  for (let i = 0; i < 10; i++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    rest();
  }
  expect(await Promise.all(jobs)).toEqual(jobs.map((_, i) => i));
  expect(pool.metrics().counters.completed).toBe(2000);
});

testOnLinux('a job finds no descriptor of the memory', async () => {
  const pool = createPool();
  const names = await pool.run(() => {
    const fs = process.getBuiltinModule('fs');
    return fs.readdirSync('/proc/self/fd').flatMap((fd) => {
      try {
        return [fs.readlinkSync(`/proc/self/fd/${fd}`)];
      } catch {
        return [];
      }
    });
  });
  expect(names.filter((name) => name.includes('sloppy-words'))).toEqual([]);
});

testOnLinux(
  'a process without the addon begins none, and runs all',
  async () => {
    const { first, folder, pool } = await withFirst({
      execArgv: ['--no-addons'],
    });
    const next = [1, 2].map((at) => run(pool, at, folder));
    release(folder);
    rest();
    expect(hasBegun(folder, 1)).toBe(false);
    expect(await Promise.all([first, ...next])).toEqual([0, 1, 2]);
  },
);

test('without the addon none goes ahead', async () => {
  jest.resetModules();
  jest.doMock('../../../../lib/addon/load.js', () => ({
    ...jest.requireActual('../../../../lib/addon/load.js'),
    looseFunctions() {
      throw new Error('there is none');
    },
  }));
  const {
    makeWords,
  } = require('../../../../lib/executors/process/common-words.js');
  expect(makeWords(1)).toBe(undefined);
  jest.dontMock('../../../../lib/addon/load.js');
});

test('an owner without such memory has none ahead, and runs all', async () => {
  const words = '../../../../lib/executors/process/common-words.js';
  const makeWords = jest.fn();
  jest.resetModules();
  jest.doMock(words, () => ({ makeWords }));
  const { WorkerPool } = require('../../../../lib/index.js');
  const pool = WorkerPool.create('p', { runtime: 'process', workers: 1 });
  const run = (input) => pool.run(({ input: given }) => given, { input });
  try {
    expect(await Promise.all([1, 2, 3].map(run))).toEqual([1, 2, 3]);
    expect(makeWords).toHaveBeenCalledTimes(1);
  } finally {
    await pool.stop();
    jest.dontMock(words);
  }
});
