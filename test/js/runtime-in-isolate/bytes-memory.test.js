'use strict';

const { mkdtempSync, mkdirSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const { WorkerPool } = require('../../../lib/index.js');
const { liveCounts } = require('../../../lib/addon/load.js');

const LIMIT = 'SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED';

let pool;
let folder;
let before;

// Earlier files of this process may have left some, which may end meanwhile.
beforeEach(() => {
  before = liveCounts();
});

afterEach(async () => {
  await pool.stop();
  // Its thread ended, and was not given up with the isolate on it.
  const { isolates, workers } = liveCounts();
  expect(isolates).toBeLessThanOrEqual(before.isolates);
  expect(workers).toBeLessThanOrEqual(before.workers);
});

afterAll(() => rmSync(folder, { recursive: true }));

test('a text too long for the memory limit as bytes', async () => {
  pool = WorkerPool.create('text', { workers: 1, memoryLimitMb: 16 });
  const job = pool.run(
    () => new TextEncoder().encode('x'.repeat(30_000_000)).length,
  );
  await expect(job).rejects.toMatchObject({ code: LIMIT });
  expect(await pool.run(() => 'next')).toBe('next');
});

test("a package's file larger than the memory limit", async () => {
  folder = mkdtempSync(join(tmpdir(), 'sw-bytes-'));
  const home = join(folder, 'node_modules/large');
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'large.bin'), Buffer.alloc(30_000_000));
  writeFileSync(
    join(home, 'index.js'),
    `exports.size = () =>
       require('node:fs').readFileSync(__dirname + '/large.bin').length;`,
  );
  const module = join(folder, 'main.mjs');
  writeFileSync(
    module,
    "export { size } from 'large'; export const one = () => 1;",
  );
  pool = WorkerPool.create('file', { workers: 1, memoryLimitMb: 16, module });
  await expect(pool.invoke('size')).rejects.toMatchObject({ code: LIMIT });
  expect(await pool.invoke('one')).toBe(1);
});

// Otherwise they are only collected when they fill the heap. V8 marks beside
// the program, so it takes some rounds on a busy machine. A round that asks
// keeps the object until its turn ends.
test('V8 counts long texts made of bytes, and collects dead ones', async () => {
  pool = WorkerPool.create('texts', { workers: 1, memoryLimitMb: 2048 });
  const collected = await pool.run(async () => {
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    const bytes = Buffer.alloc(4_000_000, 'x');
    const dead = new WeakRef({});
    await turn();
    for (let round = 0; round < 10; round++) {
      for (let megabytes = 0; megabytes < 200; megabytes += 4) {
        bytes.toString('latin1');
        await turn();
      }
      if (dead.deref() === undefined) return true;
      await turn();
    }
    return false;
  });
  expect(collected).toBe(true);
});
