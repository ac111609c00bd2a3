'use strict';
// A worker's module that is no file with an end, or too large: an error, on
// isolates and threads alike.

const { execFileSync } = require('node:child_process');
const { mkdirSync, mkdtempSync, rmSync, stat, truncateSync, writeFileSync } =
  require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

const { Worker, WorkerPool } = require('../../../lib/index.js');
const { runtime } = require('./support.js');

let folder;
const place = (name) => path.join(folder, name);
const EXPORTS = 'export const fn = () => 1; export const init = () => 1;';

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sw-files-'));
  const large = `${EXPORTS}//${'x'.repeat(5000)}`;
  writeFileSync(place('large.mjs'), large);
  mkdirSync(place('node_modules'));
  writeFileSync(place('node_modules/large.mjs'), large);
  writeFileSync(place('small.mjs'), EXPORTS);
  writeFileSync(place('huge.mjs'), EXPORTS);
  truncateSync(place('huge.mjs'), 300 * 1024 * 1024);
  mkdirSync(place('folder.mjs'));
  if (process.platform !== 'win32') {
    execFileSync('mkfifo', [place('fifo.mjs'), place('fifo.ts')]);
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

async function outcomeOf(options) {
  const pool = WorkerPool.create('p', { runtime, ...options });
  try {
    return await pool.invoke('fn');
  } catch ({ code, cause }) {
    return [code, cause?.code ?? cause?.cause?.code];
  } finally {
    await pool.stop({ timeoutMs: 0 });
  }
}

const FAILED = 'SLOPPY_E_WORKER_ISOLATE_STARTUP_FAILED';
const REFUSED = [
  ['large.mjs', 'ERR_OUT_OF_RANGE'],
  ['huge.mjs', 'ERR_OUT_OF_RANGE'],
  ['folder.mjs', 'ERR_UNSUPPORTED_DIR_IMPORT'],
  ['missing.mjs', 'ERR_MODULE_NOT_FOUND'],
  ...(process.platform === 'win32'
    ? []
    : [
        ['fifo.mjs', 'ERR_MODULE_NOT_FOUND'],
        ['fifo.ts', 'ERR_MODULE_NOT_FOUND'],
      ]),
];

test.each(REFUSED)('%s as module', async (name, reason) => {
  const module = place(name);
  const limit = { maxModuleBytes: 4096 };
  expect(await outcomeOf({ module, ...limit })).toEqual([FAILED, reason]);
  const own = { module: place('small.mjs'), init: { module } };
  expect((await outcomeOf({ ...own, ...limit }))[0]).toMatch(
    /^SLOPPY_E_WORKER/,
  );
});

test.each([
  ['large.mjs', 8192],
  ['node_modules/large.mjs', 4096],
])('%s is loaded', async (name, maxModuleBytes) => {
  expect(await outcomeOf({ module: place(name), maxModuleBytes })).toBe(1);
});

// Node rejects the import, because `then` of its own promises throws. The
// promises of an isolate's loader have a constructor of their own.
test('a module that takes the constructor of promises away', async () => {
  const module = place('no-constructor.mjs');
  writeFileSync(module, `Promise.prototype.constructor = null; ${EXPORTS}`);
  const outcome = await outcomeOf({ module });
  if (runtime === 'isolate') expect(outcome).toBe(1);
  else expect(outcome[0]).toBe(FAILED);
});

const unix = process.platform === 'win32' ? describe.skip : describe;
unix('a file that becomes a FIFO', () => {
  const become = (name) => {
    rmSync(place(name));
    execFileSync('mkfifo', [place(name)]);
  };

  test.each(['rmSync', 'mkfifo'])('(%s) while a Worker starts', async (how) => {
    writeFileSync(place('start.mjs'), EXPORTS);
    const starting = Worker.start(place('start.mjs'), { runtime });
    // After the look at it, before it is read.
    await new Promise((resolve) => stat(place('start.mjs'), resolve));
    if (how === 'mkfifo') become('start.mjs');
    else rmSync(place('start.mjs'));
    // Or it was read before.
    const code = await starting.then(
      (worker) => worker.stop(),
      (error) => error.code,
    );
    expect([FAILED, undefined]).toContain(code);
    rmSync(place('start.mjs'), { force: true });
  });

  test('as one of the modules of a function', async () => {
    writeFileSync(place('later.mjs'), EXPORTS);
    const pool = WorkerPool.create('p', { runtime, workers: 1 });
    expect(await pool.run(() => 1)).toBe(1);
    become('later.mjs');
    const error = await pool
      .run(({ modules }) => modules.x.fn(), {
        modules: { x: place('later.mjs') },
      })
      .catch((e) => e);
    expect(error.code).toBe(FAILED);
    expect(error.cause.code).toBe('ERR_MODULE_NOT_FOUND');
    expect(await pool.run(() => 2)).toBe(2);
    await pool.stop();
  });
});
