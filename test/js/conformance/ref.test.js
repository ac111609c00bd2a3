'use strict';
// Whether jobs keep the process alive: each case is a process of its own.

const { execFile } = require('node:child_process');
const path = require('node:path');
const { promisify } = require('node:util');

const { createPool, runtime, startWorker, stopAll } = require('./support.js');

const execute = promisify(execFile);
const index = path.join(__dirname, '../../../lib/index.js');
// A process that must end by itself, and does not, is killed after this time.
const LIMIT_MS = 40_000;

const START = `
  const { Worker, WorkerPool } = require(${JSON.stringify(index)});
  const runtime = ${JSON.stringify(runtime)};
  const print = (text) => require('node:fs').writeSync(1, text + ' ');
  const never = () => new Promise((resolve) => setTimeout(resolve, 1e6));
  const slow = () => new Promise((resolve) => setTimeout(resolve, 300, 'done'));
  const pool = WorkerPool.create('p', { runtime });
  const job = (options, fn = never) =>
    pool.run(fn, options).then(print, (error) => print(error.code));
  const started = (options, fn) => new Promise((resolve) => {
    job({ ...options, onMessage: resolve }, fn);
  });
  const endless = ({ emit }) => { emit('started'); for (;;); };
  const waiting = ({ emit }) => {
    emit('started');
    return new Promise((resolve) => setTimeout(resolve, 1e6));
  };
  process.on('exit', () => print('exit'));
`;

/** @returns {Promise<string>} what a process prints that ends by itself */
async function printed(body) {
  const { stdout } = await execute(
    process.execPath,
    ['-e', `${START}\n(async () => {\n${body}\n})();`],
    { timeout: LIMIT_MS, encoding: 'utf8' },
  );
  return stdout.trim();
}

afterEach(stopAll);

describe('of a pool', () => {
  test.each([
    ['by default', ''],
    ['after unref and ref', 'pool.unref().unref().ref();'],
    [
      'with unref before and ref after the call',
      'pool.unref();',
      'pool.ref();',
    ],
    ['after ref twice', 'pool.ref().ref();'],
  ])('a job keeps the process alive %s', async (_when, before, after = '') => {
    const text = `${before} job({}, slow); ${after}`;
    expect(await printed(text)).toBe('done exit');
  });

  test('recycle keeps it alive until the workers have gone', async () => {
    const text = `await job({}, () => 'one'); pool.recycle().then(() => print('gone'));`;
    expect(await printed(text)).toBe('one gone exit');
  });

  test.each([
    ['called before', 'pool.unref(); job();'],
    ['called after', 'job(); pool.unref();'],
    ['called twice', 'pool.unref(); job(); pool.unref(); job();'],
    ['called while it runs', 'await started({}, waiting); pool.unref();'],
    ['called while it loops', 'await started({}, endless); pool.unref();'],
    ['with queued ones', 'pool.unref(); job(); job(); job();'],
    ['with a time limit', 'pool.unref(); job({ timeoutMs: 1e6 });'],
    ['with a limit that was there', 'job({ timeoutMs: 1e6 }); pool.unref();'],
    ['with a limit of the run', 'job({ runTimeoutMs: 1e6 }); pool.unref();'],
    [
      'with a deadline and a priority',
      'job({ deadline: 1e6, priority: 1 }); pool.unref();',
    ],
    [
      'after another has ended',
      "await job({}, () => 'one'); pool.unref(); job();",
    ],
    [
      'with a stream',
      'const values = pool.stream(async function* () { yield 1; await new Promise((r) => setTimeout(r, 1e6)); });' +
        'await values.next(); values.next(); pool.unref();',
    ],
    [
      'with a stream that was left',
      'const values = pool.stream(async function* () { yield 1; await new Promise((r) => setTimeout(r, 1e6)); });' +
        'await values.next(); await new Promise((r) => setTimeout(r, 20)); pool.unref(); job();',
    ],
    [
      'with a broadcast',
      'await job({}, () => "one"); pool.broadcast(never); pool.unref();',
    ],
  ])('not after unref, %s', async (_when, body) => {
    expect(await printed(body)).toMatch(/^(one )?exit$/);
  });

  test.each([
    [
      'without any worker',
      'pool.pause(); job({ timeoutMs: 50 });',
      'SLOPPY_E_WORK_JOB_TIMEOUT exit',
    ],
    [
      'called before the pause',
      "await job({}, () => 'one'); pool.pause(); job({ timeoutMs: 50 });",
      'one SLOPPY_E_WORK_JOB_TIMEOUT exit',
    ],
    [
      'whose last worker has gone',
      `const once = WorkerPool.create('q', { runtime, recycleAfterJobs: 1 });
      const begun = ({ emit }) => {
        emit('started');
        return new Promise((resolve) => setTimeout(resolve, 300, 'done'));
      };
      const first = new Promise((resolve) => {
        once.run(begun, { onMessage: resolve }).then(print);
      });
      once.pause();
      once.resume();
      await first;
      once.pause();
      once.run(slow, { timeoutMs: 3000 }).catch((e) => print(e.code));`,
      'done SLOPPY_E_WORK_JOB_TIMEOUT exit',
    ],
    [
      'until it is resumed',
      `pool.pause(); job({}, () => 'one');
      setTimeout(() => pool.resume(), 500).unref();`,
      'one exit',
    ],
    [
      'until it is stopped',
      `pool.pause(); job({ timeoutMs: 1e6 });
      setTimeout(() => pool.stop({ drain: false }), 100).unref();`,
      'SLOPPY_E_WORKER_SHUTDOWN_CANCELLED exit',
    ],
    [
      'until it is cancelled',
      `const controller = new AbortController();
      pool.pause(); job({ signal: controller.signal });
      setTimeout(() => controller.abort(), 100).unref();`,
      'SLOPPY_E_WORK_JOB_CANCELLED exit',
    ],
    ['but not after unref', 'pool.pause(); job(); pool.unref();', 'exit'],
    ['unless it has no job', 'pool.pause();', 'exit'],
  ])('a job of a paused pool does, %s', async (_when, body, text) => {
    expect(await printed(body)).toBe(text);
  });

  test('workers without a job do not', async () => {
    const text = "WorkerPool.create('q', { runtime, minWorkers: 1 });";
    expect(await printed(text)).toBe('exit');
  });

  test('others do', async () => {
    const text = `
      const other = WorkerPool.create('q', { runtime });
      pool.unref(); job();
      other.run(slow).then(print);`;
    expect(await printed(text)).toBe('done exit');
  });

  test('an unref of jobs under way leaves those of others', async () => {
    const text = `
      const other = WorkerPool.create('q', { runtime });
      other.run(slow).then(print);
      for (let i = 0; i < 5; i += 1) job();
      pool.unref();`;
    expect(await printed(text)).toBe('done exit');
  });

  test('a job that was cancelled holds nothing', async () => {
    const text = `
      const controller = new AbortController();
      await started({ signal: controller.signal }, endless);
      pool.unref();
      controller.abort();
      await null; await null;`;
    expect(await printed(text)).toMatch(/^(\w+ )?exit$/);
  });

  test('jobs settle while something else holds the process', async () => {
    const text = `
      pool.unref();
      const held = setInterval(() => {}, 5);
      await job({}, slow);
      clearInterval(held);`;
    expect(await printed(text)).toBe('done exit');
  });

  test('stop does until it resolves', async () => {
    const text = `
      pool.unref();
      job({}, slow);
      await pool.stop();
      print('stopped');`;
    expect(await printed(text)).toBe('done stopped exit');
  });

  test('after stop both are harmless', async () => {
    const text = `
      await job({}, () => 'one');
      await pool.stop();
      pool.ref().unref().ref().unref();
      pool.unref();`;
    expect(await printed(text)).toBe('one exit');
  });

  test('both return the pool', async () => {
    const pool = createPool();
    expect(pool.unref()).toBe(pool);
    expect(pool.ref()).toBe(pool);
    await pool.run(() => 1);
    expect(pool.unref()).toBe(pool);
    expect(await pool.ref().run(() => 2)).toBe(2);
  });
});

describe('of a worker', () => {
  const MODULE = `data:text/javascript,
    export const hang = () => new Promise((resolve) => setTimeout(resolve, 1e6));
    export const slow = () => new Promise((resolve) => setTimeout(resolve, 300, 'done'));`;
  const WORKER = `
    const fs = require('node:fs');
    const file = require('node:path').join(fs.mkdtempSync(require('node:os').tmpdir() + '/sw-ref-'), 'module.mjs');
    fs.writeFileSync(file, ${JSON.stringify(decodeURIComponent(MODULE).split(',').slice(1).join(','))});
    const worker = await Worker.start(file, { runtime });
    fs.rmSync(require('node:path').dirname(file), { recursive: true });`;

  test.each([
    ['by default', ''],
    ['after ref', 'worker.unref().ref();'],
  ])('a call keeps the process alive %s', async (_when, before) => {
    const text = `${WORKER}${before} worker.invoke('slow').then(print);`;
    expect(await printed(text)).toBe('done exit');
  });

  test.each([
    ['before', "worker.unref(); worker.invoke('hang');"],
    [
      'after',
      "worker.invoke('hang', null, { timeoutMs: 1e6 }); worker.unref();",
    ],
  ])('not after unref, called %s', async (_when, body) => {
    expect(await printed(WORKER + body)).toBe('exit');
  });

  test('both return the worker', async () => {
    const worker = await startWorker('export const one = () => 1;');
    expect(worker.unref()).toBe(worker);
    expect(worker.ref()).toBe(worker);
    expect(await worker.invoke('one')).toBe(1);
    await worker.stop();
    expect(worker.unref()).toBe(worker);
  });
});
