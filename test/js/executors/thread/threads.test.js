'use strict';
// The features of `runtime: 'thread'` that isolates have not, and the other way
// round. Features that both have are tested on both: see jest.config.js.

const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { Worker: Thread } = require('node:worker_threads');

const { Worker, WorkerPool } = require('../../../../lib/index.js');
const { Code } = require('../../../../lib/protocol/diagnostics.gen.js');
const { runNode } = require('../../support/run-node.js');

const folder = mkdtempSync(join(tmpdir(), 'sw-threads-'));
afterAll(() => rmSync(folder, { recursive: true }));

const MODULE = join(folder, 'module.mjs');
writeFileSync(
  MODULE,
  `import { appendFileSync, readFileSync } from 'node:fs';
  export const init = ({ log }) => ({ log });
  export const dispose = ({ log }) => appendFileSync(log, 'disposed\\n');
  export const read = (file) => readFileSync(file, 'utf8');`,
);

test('jobs and modules have all of Node', async () => {
  const pool = WorkerPool.create('io', { runtime: 'thread' });
  const read = async ({ input }) => {
    const fs = await import('node:fs');
    return fs.readFileSync(input, 'utf8');
  };
  const text = readFileSync(__filename, 'utf8');
  expect(await pool.run(read, { input: __filename })).toBe(text);
  await pool.stop();
  const worker = await Worker.start(MODULE, { runtime: 'thread' });
  expect(await worker.invoke('read', __filename)).toBe(text);
  await worker.stop();
});

test('why no thread could be started is the cause', () => {
  const isNewer = parseInt(process.versions.node, 10) > 20;
  const flag = isNewer ? '--permission' : '--experimental-permission';
  const program = `
    require('./lib/index.js').WorkerPool.create('none', { runtime: 'thread' })
      .run(() => 1).catch((e) => console.log(e.code, e.cause.code));
  `;
  const said = runNode([flag, '--allow-fs-read=*', '-e', program]);
  expect(said).toBe(`${Code.PoolUnavailable} ERR_ACCESS_DENIED\n`);
});

test('a thread that is being ended gets no other job', async () => {
  const pool = WorkerPool.create('ended', { runtime: 'thread' });
  const { terminate } = Thread.prototype;
  let end;
  Thread.prototype.terminate = function () {
    end = () => terminate.call(this);
  };
  const controller = new AbortController();
  try {
    const begun = new Promise((resolve) => {
      pool
        .run(
          async ({ emit, signal }) => {
            globalThis.isEnding = true;
            emit('begun');
            while (!signal.cancelled) await new Promise(setImmediate);
          },
          { onMessage: resolve, signal: controller.signal },
        )
        .catch(() => {});
    });
    const next = pool.run(() => globalThis.isEnding === true);
    await begun;
    controller.abort();
    // It sees that before Node ends it, and is done first.
    await new Promise((resolve) => setTimeout(resolve, 200));
    end();
    expect(await next).toBe(false);
  } finally {
    Thread.prototype.terminate = terminate;
    await pool.stop();
  }
});

test('dispose runs in each thread at its end', async () => {
  const log = join(folder, 'log');
  const pool = WorkerPool.create('init', {
    runtime: 'thread',
    init: { module: MODULE, data: { log } },
    recycleAfterJobs: 1,
  });
  await pool.run(({ state }) => state.log);
  await pool.run(({ state }) => state.log);
  await pool.stop();
  expect(readFileSync(log, 'utf8')).toBe('disposed\ndisposed\n');
});

test.each([
  ['cpuLimitMs', 10],
  ['maxMicrotasks', 10],
  ['isolation', 'context'],
  ['isolation', 'isolate'],
  ['allowEval', false],
  ['allowWasm', false],
])('%s: %p needs isolates', (option, value) => {
  expect(() =>
    WorkerPool.create('p', { runtime: 'thread', [option]: value }),
  ).toThrow(new RegExp(`^WorkerPool\\.${option} needs isolates`));
});

test('a runtime must be one of the three', async () => {
  const text = 'runtime must be "isolate", "thread" or "process".';
  expect(() => WorkerPool.create('p', { runtime: 'fiber' })).toThrow(
    new TypeError(`WorkerPool.${text}`),
  );
  await expect(Worker.start(MODULE, { runtime: 1 })).rejects.toThrow(
    new TypeError(`Worker.${text}`),
  );
});

test('profiles and snapshots need isolates', async () => {
  const pool = WorkerPool.create('p', { runtime: 'thread' });
  await pool.run(() => 1);
  for (const method of ['cpuProfile', 'heapSnapshot']) {
    const made = pool[method]({ path: join(folder, 'none') });
    await expect(made).rejects.toThrow(Code.FeatureUnavailable);
  }
  await pool.stop();
});

test('a thread without work does not hold the process, and a job does', async () => {
  const { spawnSync } = require('node:child_process');
  const library = JSON.stringify(require.resolve('../../../../lib/index.js'));
  const program = `
    const { WorkerPool } = require(${library});
    const pool = WorkerPool.create('p', { runtime: 'thread' });
    pool.run(() => new Promise((resolve) => setTimeout(resolve, 50, 'done')))
      .then(console.log);`;
  const { status, stdout } = spawnSync(process.execPath, ['-e', program], {
    encoding: 'utf8',
    timeout: 20_000,
  });
  expect([status, stdout]).toEqual([0, 'done\n']);
});
