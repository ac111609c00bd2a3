'use strict';
// No process is left, whatever ends.

const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { join } = require('node:path');

const { Worker } = require('../../../../lib/index.js');
const { Code } = require('../../../../lib/protocol/diagnostics.gen.js');
const { folderWith, removeFolders } = require('../../modules/support.js');
const {
  createPool,
  gone,
  openFiles,
  stopAll,
  testOnLinux,
} = require('./support.js');

afterEach(stopAll);
afterAll(removeFolders);

const LIB = join(__dirname, '../../../../lib/index.js');
const pidsWith = (execArgv) => `
  const { WorkerPool } = require(${JSON.stringify(LIB)});
  const pool = WorkerPool.create('p',
    { runtime: 'process', workers: 2, execArgv: ${JSON.stringify(execArgv)} });
  const loop = ({ emit }) => { emit(process.pid); for (;;); };
  const onMessage = (pid) => console.log(pid);
  for (let i = 0; i < 2; i += 1) pool.run(loop, { onMessage }).catch(() => {});`;

const PIDS = pidsWith([]);

/**
 * Runs a program until it has printed two numbers of processes. What it does when
 * its input has come is up to the test: times say nothing on a busy machine.
 */
async function loopingIn(program) {
  const owner = spawn(process.execPath, ['-e', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let out = '';
  while (out.split('\n').length < 3) {
    const [chunk] = await once(owner.stdout, 'data');
    out += chunk;
  }
  return { owner, pids: out.trim().split('\n').map(Number) };
}

testOnLinux.each([
  ['', []],
  [', without the addon', ['--no-addons']],
])(
  'an owner that is killed takes looping jobs along%s',
  async (_, execArgv) => {
    const { owner, pids } = await loopingIn(pidsWith(execArgv));
    owner.kill('SIGKILL');
    await Promise.all(pids.map(gone));
  },
);

testOnLinux('an owner that exits takes looping jobs along', async () => {
  const { owner, pids } = await loopingIn(
    `${PIDS} process.stdin.once('data', () => process.exit());`,
  );
  owner.stdin.write('exit');
  await once(owner, 'exit');
  await Promise.all(pids.map(gone));
});

testOnLinux('a Worker that owns a pool takes looping jobs along', async () => {
  const program = `
    const { Worker } = require('node:worker_threads');
    const owner = new Worker(${JSON.stringify(PIDS)}, { eval: true });
    process.stdin.once('data', () => owner.terminate());`;
  const { owner, pids } = await loopingIn(program);
  owner.stdin.write('terminate');
  // The process that started it lives on, and no zombie stays in it.
  await Promise.all(pids.map(gone));
  expect(owner.exitCode).toBe(null);
  owner.kill('SIGKILL');
});

test('a process ends when nothing needs the owner any more', async () => {
  const program = `
    const { WorkerPool } = require(${JSON.stringify(LIB)});
    const pool = WorkerPool.create('p', { runtime: 'process' });
    pool.run(() => 'done').then(console.log);`;
  const owner = spawn(process.execPath, ['-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [out] = await once(owner.stdout, 'data');
  expect(String(out)).toBe('done\n');
  expect((await once(owner, 'exit'))[0]).toBe(0);
});

describe('stop()', () => {
  const begun = (pool, fn) =>
    new Promise((resolve) => {
      pool.run(fn, { onMessage: resolve }).catch(() => {});
    });

  testOnLinux('of a job in a loop', async () => {
    const pool = createPool({ workers: 1 });
    const pid = await begun(pool, ({ emit }) => {
      emit(process.pid);
      for (;;);
    });
    await pool.stop({ drain: false, timeoutMs: 20 });
    await gone(pid);
  });

  testOnLinux('of a process whose line another one has, too', async () => {
    const before = openFiles();
    const pool = createPool({ workers: 1 });
    const other = await pool.run(async () => {
      const { spawn: start } = await import('node:child_process');
      const stdio = ['ignore', 'ignore', 'ignore', 3];
      const child = start('sleep', ['600'], { stdio, detached: true });
      return child.pid;
    });
    try {
      await pool.stop({ drain: false, timeoutMs: 0 });
      while (openFiles() > before) await new Promise(setImmediate);
    } finally {
      process.kill(other, 'SIGKILL');
    }
  });

  test('while the process starts', async () => {
    const pool = createPool({ workers: 1 });
    const run = pool.run(() => 1).catch((error) => error.code);
    await pool.stop({ drain: false, timeoutMs: 0 });
    expect(await run).toBe(Code.ShutdownCancelled);
  });

  test('waits for dispose', async () => {
    const module = join(
      folderWith({
        'module.mjs': `import { writeSync } from 'node:fs';
          export const init = () => 'state';
          export const dispose = async (state) => {
            await new Promise((resolve) => setTimeout(resolve, 50));
            process.stdout.write('disposed ' + state);
          };
          export const fn = () => 1;`,
      }),
      'module.mjs',
    );
    const texts = [];
    const pool = createPool({
      module,
      init: { module },
      stdio: (text) => texts.push(text),
    });
    expect(await pool.invoke('fn')).toBe(1);
    await pool.stop();
    expect(texts.join('')).toBe('disposed state');
  });
});

test('time limits hold in a loop, and the next job has a process', async () => {
  const pool = createPool({ workers: 1 });
  await pool.run(() => 1);
  const error = await pool
    .run(
      () => {
        for (;;);
      },
      { timeoutMs: 50 },
    )
    .catch((each) => each);
  expect(error.code).toBe(Code.JobTimeout);
  expect(await pool.run(() => 2)).toBe(2);
});

test('a module that throws is not started again and again', async () => {
  const text = `import { appendFileSync } from 'node:fs';
    appendFileSync(new URL('starts', import.meta.url), 'x');
    throw new Error('broken');`;
  const folder = folderWith({ 'broken.mjs': text, starts: '' });
  const pool = createPool({ module: join(folder, 'broken.mjs') });
  const codes = [];
  for (let i = 0; i < 8; i += 1) {
    codes.push(await pool.invoke('fn').catch(({ code }) => code));
  }
  expect(codes.slice(0, 3)).toEqual(Array(3).fill(Code.StartupFailed));
  expect(codes.slice(3)).toContain(Code.PoolUnavailable);
  const { readFileSync } = require('node:fs');
  expect(readFileSync(join(folder, 'starts'), 'utf8').length).toBeLessThan(8);
});

test('a Worker is a process too', async () => {
  const folder = folderWith({
    'w.mjs': 'export const pid = () => process.pid;',
  });
  const worker = await Worker.start(join(folder, 'w.mjs'), {
    runtime: 'process',
  });
  const pid = await worker.invoke('pid');
  expect(pid).not.toBe(process.pid);
  expect(await worker.invoke('pid')).toBe(pid);
  await worker.stop();
});
