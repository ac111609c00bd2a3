'use strict';
// Profiles, snapshots and figures, while a job loops and while none runs.

const { mkdtempSync, readFileSync, readdirSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const {
  createPool,
  occupy,
  rejection,
  startWorker,
  stopAll,
} = require('./support.js');

let folder;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sw-inspect-'));
});

afterEach(async () => {
  await stopAll();
  rmSync(folder, { recursive: true });
});

const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const UNAVAILABLE = 'SLOPPY_E_WORKER_POOL_UNAVAILABLE';

/** A job that loops in a function of this name until it is cancelled. */
async function busy(pool) {
  const { started } = occupy(pool);
  await started;
}

test('a profile of a job that loops has its function in it', async () => {
  const pool = createPool();
  let begun;
  const started = new Promise((resolve) => {
    begun = resolve;
  });
  pool
    .run(
      ({ emit }) => {
        emit(1);
        function spinning() {
          let n = 0;
          for (let i = 0; i < 1e5; i += 1) n += Math.sqrt(i);
          return n;
        }
        for (;;) spinning();
      },
      { onMessage: begun },
    )
    .catch(() => {});
  await started;
  const path = join(folder, 'one.cpuprofile');
  const taken = async () => {
    expect(await pool.cpuProfile({ path, durationMs: 100 })).toEqual([path]);
    return read(path);
  };
  const has = ({ nodes }) =>
    nodes.some(({ callFrame }) => callFrame.functionName === 'spinning');
  // A worker may get no time while it is looked at, on a busy machine.
  let profile = await taken();
  while (!has(profile)) profile = await taken();
  const { samples, startTime, endTime } = profile;
  expect(samples.length).toBeGreaterThan(0);
  expect(endTime).toBeGreaterThan(startTime);
});

test('a snapshot has what a job left in the globals, busy or not', async () => {
  const pool = createPool();
  await pool.run(() => {
    globalThis.kept = ['a-string-to-find-in-the-snapshot'];
  });
  const path = join(folder, 'idle.heapsnapshot');
  expect(await pool.heapSnapshot({ path: pathToFileURL(path) })).toEqual([
    path,
  ]);
  const { snapshot, strings } = read(path);
  expect(strings).toContain('a-string-to-find-in-the-snapshot');
  expect(snapshot.node_count).toBeGreaterThan(1000);

  await busy(pool);
  const again = join(folder, 'busy.heapsnapshot');
  await pool.heapSnapshot({ path: again });
  expect(read(again).strings).toContain('a-string-to-find-in-the-snapshot');
});

test('each of several workers has a file; without one, one starts', async () => {
  const pool = createPool({ workers: 2 });
  const path = join(folder, 'x.heapsnapshot');
  expect(await pool.heapSnapshot({ path })).toEqual([path]);
  const [first] = await pool.stats();
  expect(first.worker).toBe(1);
  await Promise.all([busy(pool), busy(pool)]);
  const files = await pool.heapSnapshot({ path });
  expect(files).toEqual([
    join(folder, 'x.1.heapsnapshot'),
    join(folder, 'x.2.heapsnapshot'),
  ]);
  for (const file of files) read(file);
});

test('figures of each worker', async () => {
  const pool = createPool({ memoryLimitMb: 64 });
  expect(await pool.stats()).toEqual([]);
  await pool.run(() => {
    globalThis.bytes = new Uint8Array(10_000_000);
    const until = Date.now() + 30;
    while (Date.now() < until);
  });
  const [row, ...others] = await pool.stats();
  expect(others).toEqual([]);
  expect(row.memoryLimitBytes).toBe(64 * 1024 * 1024);
  expect(row.heapUsedBytes).toBeGreaterThan(100_000);
  expect(row.heapTotalBytes).toBeGreaterThanOrEqual(row.heapUsedBytes);
  expect(row.externalBytes).toBeGreaterThanOrEqual(10_000_000);
  expect(row.cpuMs).toBeGreaterThan(0);
  expect(Object.isFrozen(row)).toBe(true);
});

test('a path that cannot be written', async () => {
  const pool = createPool();
  await pool.run(() => 1);
  const path = join(folder, 'missing', 'x.cpuprofile');
  const error = await rejection(pool.cpuProfile({ path, durationMs: 1 }));
  expect(error.code).toBe('ENOENT');
  // The profile that was begun is over, and another one can begin.
  const fine = join(folder, 'x.cpuprofile');
  expect(await pool.cpuProfile({ path: fine, durationMs: 1 })).toEqual([fine]);
});

test('a worker that ends meanwhile leaves no file', async () => {
  const pool = createPool();
  await pool.run(() => 1);
  const path = join(folder, 'x.cpuprofile');
  // Rejects when the worker ends, not when the time is over.
  const profile = rejection(pool.cpuProfile({ path, durationMs: 600_000 }));
  await pool.stop();
  expect((await profile).code).toBe(UNAVAILABLE);
  expect(readdirSync(folder)).toEqual([]);
  expect((await rejection(pool.cpuProfile({ path }))).code).toBe(
    'SLOPPY_E_WORK_QUEUE_STOPPED',
  );
  expect(await pool.stats()).toEqual([]);
});

test('two profiles at once: the second one is refused', async () => {
  const pool = createPool();
  await pool.run(() => 1);
  const path = join(folder, 'x.cpuprofile');
  const first = pool.cpuProfile({ path, durationMs: 100 });
  const second = await rejection(pool.cpuProfile({ path, durationMs: 1 }));
  expect(second.code).toBe(UNAVAILABLE);
  expect(await first).toEqual([path]);
});

test('a Worker', async () => {
  const worker = await startWorker('export const spin = () => 1;');
  expect((await worker.stats()).heapUsedBytes).toBeGreaterThan(0);
  const path = join(folder, 'w.cpuprofile');
  await worker.cpuProfile({ path, durationMs: 1 });
  expect(read(path).nodes.length).toBeGreaterThan(0);
  await worker.stop();
  expect((await rejection(worker.stats())).code).toBe(
    'SLOPPY_E_WORKER_STALE_HANDLE',
  );
});

test.each([
  [undefined, 'WorkerPool.heapSnapshot options must be a plain object.'],
  [{}, 'WorkerPool.heapSnapshot path must be a path or a file: URL.'],
  [{ path: '' }, 'WorkerPool.heapSnapshot path must be a path or a file: URL.'],
])('bad options %p', async (options, text) => {
  const error = await rejection(createPool().heapSnapshot(options));
  expect(error).toBeInstanceOf(TypeError);
  expect(error.message).toBe(text);
});
