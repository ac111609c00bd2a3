'use strict';
// Options of Node's `Worker` reach the threads of `runtime: 'thread'`.

const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { SHARE_ENV } = require('node:worker_threads');

const { Worker, WorkerPool } = require('../../../../lib/index.js');

const folder = mkdtempSync(join(tmpdir(), 'sw-thread-options-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function inThread(options, fn) {
  const pool = WorkerPool.create('options', { runtime: 'thread', ...options });
  try {
    return await pool.run(fn);
  } finally {
    await pool.stop();
  }
}

test('argv', async () => {
  const read = () => process.argv.slice(2);
  expect(await inThread({ argv: ['a', 'b c'] }, read)).toEqual(['a', 'b c']);
});

test('env: a copy of its own, or the process’s', async () => {
  const set = () => {
    process.env.SW_SET_BY_THREAD = 'set';
    return process.env.SW_ONLY_HERE;
  };
  // This process's own, which the tests of other files have, too.
  const clear = () => void delete process.env.SW_SET_BY_THREAD;
  const env = { SW_ONLY_HERE: 'here' };
  expect(await inThread({ env }, set)).toBe('here');
  expect(process.env.SW_SET_BY_THREAD).toBeUndefined();
  await inThread({ env: process.env }, set);
  const look = () => process.env.SW_SET_BY_THREAD ?? null;
  expect(await inThread({ env: SHARE_ENV }, look)).toBeNull();
  await inThread({ env: SHARE_ENV }, set);
  expect(await inThread({ env: SHARE_ENV }, look)).toBe('set');
  await inThread({ env: SHARE_ENV }, clear);
});

test('execArgv', async () => {
  const preload = join(folder, 'preload.cjs');
  writeFileSync(preload, 'globalThis.preloaded = true;');
  const execArgv = ['--require', preload];
  expect(await inThread({ execArgv }, () => globalThis.preloaded)).toBe(true);
});

test('resourceLimits, beside memoryLimitMb', async () => {
  const read = () => require('node:worker_threads').resourceLimits;
  const module = join(folder, 'limits.cjs');
  writeFileSync(module, `exports.run = ${read};`);
  const worker = await Worker.start(module, {
    runtime: 'thread',
    memoryLimitMb: 64,
    resourceLimits: { stackSizeMb: 2, maxYoungGenerationSizeMb: 8 },
  });
  expect(await worker.invoke('run', null)).toMatchObject({
    maxOldGenerationSizeMb: 64,
    maxYoungGenerationSizeMb: 8,
    stackSizeMb: 2,
  });
  await worker.stop();
});

test('a flag that no thread can have fails the job, and not the process', async () => {
  const execArgv = ['--max-old-space-size=100'];
  await expect(inThread({ execArgv }, () => 1)).rejects.toMatchObject({
    code: 'SLOPPY_E_WORKER_POOL_UNAVAILABLE',
    cause: { code: 'ERR_WORKER_INVALID_EXEC_ARGV' },
  });
});

test.each([
  [{ argv: 'a' }, /WorkerPool\.argv must be an array of strings/],
  [{ argv: [1] }, /WorkerPool\.argv must be an array of strings/],
  [{ execArgv: {} }, /WorkerPool\.execArgv must be an array of strings/],
  [{ env: 'a' }, /WorkerPool\.env must be an object of strings/],
  [{ env: null }, /WorkerPool\.env must be an object of strings/],
  [{ resourceLimits: 1 }, /resourceLimits must be a plain object/],
  [
    { resourceLimits: { maxOldGenerationSizeMb: 64 } },
    /maxOldGenerationSizeMb is what memoryLimitMb sets/,
  ],
  [{ resourceLimits: { stackMb: 1 } }, /stackMb is none of codeRangeSizeMb/],
  [{ resourceLimits: { stackSizeMb: 0 } }, /stackSizeMb must be a positive/],
])('%j is refused', (options, message) => {
  const create = () =>
    WorkerPool.create('refused', { runtime: 'thread', ...options });
  expect(create).toThrow(TypeError);
  expect(create).toThrow(message);
});

test.each(['execArgv', 'resourceLimits'])('isolates refuse %s', (field) => {
  const create = () => WorkerPool.create('refused', { [field]: [] });
  expect(create).toThrow(`WorkerPool.${field} needs runtime "thread"`);
});
