'use strict';
// Processes that stand still, owners that end in each state, and a system that
// has no room for more.

const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

const { folderWith, removeFolders } = require('../../modules/support.js');
const { endsWithFew, leftWithFew } = require('../few-descriptors.js');
const { createPool, gone, stopAll, testOnLinux } = require('./support.js');

afterEach(stopAll);
afterAll(removeFolders);

const LIB = require.resolve('../../../../lib/index.js');
const JOB_TIMEOUT = 'SLOPPY_E_WORK_JOB_TIMEOUT';

testOnLinux(
  'a process that stands still ends by its owner’s clock',
  async () => {
    // The message comes within it on a busy machine as well.
    const pool = createPool({ workers: 1, cancelGraceMs: 10 });
    let pid;
    const onMessage = (given) => {
      pid = given;
      process.kill(pid, 'SIGSTOP');
    };
    const waits = ({ emit }) => {
      emit(process.pid);
      return new Promise((resolve) => setTimeout(resolve, 60_000));
    };
    const { code } = await pool
      .run(waits, { onMessage, timeoutMs: 3000 })
      .catch((error) => error);
    expect(code).toBe(JOB_TIMEOUT);
    await gone(pid);
    await expect(pool.run(() => 1)).resolves.toBe(1);
  },
);

describe('an owner that is killed leaves no process', () => {
  // Each prints the number of its process when it is there, however far it is.
  const owner = (options, more) => `
    const cp = require('node:child_process');
    const { spawn } = cp;
    cp.spawn = (...given) => {
      const child = spawn(...given);
      if (${more === 'starts'}) console.log(child.pid);
      if (${more === 'stands'}) {
        process.kill(child.pid, 'SIGSTOP');
        setImmediate(() => console.log(child.pid));
      }
      return child;
    };
    const { WorkerPool } = require(${JSON.stringify(LIB)});
    const pool = WorkerPool.create('p', {
      runtime: 'process', workers: 1, ...${options} });
    const onMessage = (pid) => console.log(pid);
    const job = ({ emit }) => { emit(process.pid); ${more === 'loops' ? 'for (;;);' : ''} };
    const running = pool.run(job, { onMessage }).catch(() => {});
    if (${more === 'stops'}) running.then(() => pool.stop());
    setInterval(() => {}, 1000);`;
  const hold = 'for (const end = Date.now() + 60000; Date.now() < end; );';
  const folder = folderWith({
    'init.mjs': `export default () => { console.log(process.pid); ${hold} };`,
    'dispose.mjs': `export default () => {};
      export const dispose = () => { ${hold} };`,
  });
  const init = (name) => {
    const module = pathToFileURL(join(folder, name)).href;
    return `{ init: { module: ${JSON.stringify(module)}, timeoutMs: 60000 } }`;
  };

  testOnLinux.each([
    ['while it starts', owner('{}', 'starts')],
    ['that stands still before Node’s first line', owner('{}', 'stands')],
    ['in init', owner(init('init.mjs'))],
    ['in a job', owner('{}', 'loops')],
    ['that is idle', owner('{}')],
    ['in dispose', owner(init('dispose.mjs'), 'stops')],
  ])('%s', async (_name, program) => {
    const child = spawn(process.execPath, ['-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
      // The system ends what stands still in a group that nobody leads any more.
      detached: true,
    });
    let text = '';
    for await (const chunk of child.stdout) {
      text += chunk;
      if (text.includes('\n')) break;
    }
    const pid = Number.parseInt(text, 10);
    expect(pid).toBeGreaterThan(1);
    child.kill('SIGKILL');
    await gone(pid);
  });
});

testOnLinux('Ctrl-C while a process starts costs no job', async () => {
  const program = `
    const cp = require('node:child_process');
    const { spawn } = cp;
    let starts = 0;
    cp.spawn = (...given) => {
      const child = spawn(...given);
      starts += 1;
      if (starts < 3) process.kill(child.pid, 'SIGINT');
      return child;
    };
    const { WorkerPool } = require(${JSON.stringify(LIB)});
    const pool = WorkerPool.create('p', { runtime: 'process', workers: 1 });
    Promise.all([1, 2].map(() => pool.run(() => 1))).then(async (answers) => {
      console.log(...answers, starts);
      await pool.stop();
    });`;
  const owner = spawn(process.execPath, ['-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [text] = await once(owner.stdout, 'data');
  expect(String(text)).toBe('1 1 3\n');
  expect(await once(owner, 'exit')).toEqual([0, null]);
});

testOnLinux('a stderr that nobody reads any more ends no process', async () => {
  const program = `
    const { WorkerPool } = require(${JSON.stringify(LIB)});
    const pool = WorkerPool.create('p', { runtime: 'process', workers: 1 });
    const write = async () => {
      const { writeSync } = await import('node:fs');
      console.error('is dropped');
      try {
        for (;;) writeSync(2, 'x'.repeat(4096));
      } catch (error) {
        return [error.code, process.pid];
      }
    };
    process.stdin.once('data', async () => {
      const [code, pid] = await pool.run(write);
      const next = await pool.run(() => process.pid);
      console.log(code, next === pid);
      await pool.stop();
      process.exit();
    });`;
  const owner = spawn(process.execPath, ['-e', program], { stdio: 'pipe' });
  owner.stderr.destroy();
  await once(owner.stderr, 'close');
  owner.stdin.write('go');
  const [text] = await once(owner.stdout, 'data');
  expect(String(text)).toBe('EPIPE true\n');
  expect(await once(owner, 'exit')).toEqual([0, null]);
});

testOnLinux('few descriptors: each job has a value or one code', () => {
  const options = { runtime: 'process', workers: 2 };
  const refused = new Array(4).fill('SLOPPY_E_WORKER_POOL_UNAVAILABLE');
  expect(endsWithFew(22, options)).toEqual(refused);
  expect(endsWithFew(64, options)).toEqual([1, 1, 1, 1]);
});

testOnLinux('few descriptors: a start that fails leaves none open', () => {
  const options = { runtime: 'process', workers: 1 };
  const left = [];
  // At which of them a start fails, and how, is Node's.
  for (let limit = 22; limit < 34; limit += 1) {
    const { ends, sockets } = leftWithFew(limit, options);
    left.push(sockets);
    const refused = 'SLOPPY_E_WORKER_POOL_UNAVAILABLE';
    for (const end of ends) expect([1, refused]).toContain(end);
  }
  expect(left).toEqual(new Array(12).fill(0));
});
