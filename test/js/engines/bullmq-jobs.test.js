'use strict';
// Sandbox files of BullMQ in a pool: what the file sees, and what BullMQ gets.

const esbuild = require('esbuild');

const { processor } = require('../../../lib/adapters/bullmq.js');
const { WorkerPool } = require('../../../lib/index.js');
const { FakeJob, fixture, rejection, until } = require('./support.js');

const open = [];

function make(target, options) {
  const run = processor(target, options);
  open.push(run);
  return run;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((run) => run.stop({ timeoutMs: 0 })));
});

const RUNTIMES = ['isolate', 'thread'];

describe.each(RUNTIMES)('a sandbox file, runtime %s', (runtime) => {
  const sandbox = (options) =>
    make(fixture('sandbox.cjs'), { runtime, ...options });
  const job = (kind, data, more) => new FakeJob({ kind, ...data }, more);

  test('the result is what BullMQ would store', async () => {
    const run = sandbox();
    expect(await run(job('echo', { value: { a: [1] } }))).toEqual({ a: [1] });
    expect(await run(job('date'))).toBe('1970-01-01T00:00:00.000Z');
    expect(await run(job('nothing'))).toBe(null);
  });

  test('a result that is no JSON fails the job with its own error', async () => {
    const error = await rejection(sandbox()(job('big')));
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toMatch(/BigInt/);
  });

  test('the job has the fields and the token', async () => {
    const seen = await sandbox()(job('fields', {}, { id: '7' }), 'token:1');
    expect(seen).toEqual({
      id: '7',
      name: 'job',
      token: 'token:1',
      attemptsMade: 0,
      queueQualifiedName: 'bull:queue',
      aborted: false,
      isSignal: true,
    });
  });

  test('errors keep their class, code and the stack of the worker', async () => {
    const run = sandbox();
    const range = await rejection(run(job('throws')));
    expect(range).toBeInstanceOf(RangeError);
    expect(range.stack).toMatch(/sandbox\.cjs/);
    const own = await rejection(run(job('own')));
    expect([own.name, own.code, own.message]).toEqual([
      'OutOfStock',
      'E_STOCK',
      'none left',
    ]);
    const text = await rejection(run(job('text')));
    expect(text).toBeInstanceOf(Error);
    expect(text.message).toBe('only a text');
  });

  test('the newest progress wins, logs keep their order', async () => {
    const steps = 500;
    const fake = job('progress', { steps });
    expect(await sandbox()(fake)).toEqual({ step: steps });
    const written = fake.of('progress');
    expect(written.length).toBeLessThan(steps);
    expect(written.at(-1)).toEqual(['progress', { step: steps }]);
    expect(fake.of('log').map(([, row]) => row)).toEqual(['first', 'second']);
  });

  test('calls of the job object go to the job', async () => {
    const fake = job('update');
    const data = { kind: 'update', seen: true };
    expect(await sandbox()(fake)).toEqual([data, { child: 1 }]);
    expect(fake.data).toEqual(data);
    const delayed = job('delayed');
    const error = await rejection(sandbox()(delayed, 'token'));
    expect(error.name).toBe('DelayedError');
    expect(delayed.of('moveToDelayed')).toEqual([
      ['moveToDelayed', 5, 'token'],
    ]);
  });

  test('a cancel ends a loop, and a function that waits', async () => {
    const run = sandbox({ workers: 2 });
    for (const kind of ['loop', 'waits']) {
      const controller = new AbortController();
      const end = rejection(run(job(kind), 'token', controller.signal));
      await until(() => run.pool.state.queue.active === 1);
      controller.abort('user');
      expect((await end).code).toBe('SLOPPY_E_WORK_JOB_CANCELLED');
    }
    expect(await run(job('echo', { value: 1 }))).toBe(1);
  });

  test('the time limit is per job', async () => {
    const run = sandbox({ timeoutMs: ({ data }) => data.limit });
    const late = await rejection(run(job('loop', { limit: 50 })));
    expect(late.code).toBe('SLOPPY_E_WORK_JOB_TIMEOUT');
    expect(late.name).not.toBe('UnrecoverableError');
    expect(await run(job('echo', { value: 2 }))).toBe(2);
    const wrong = await rejection(run(job('echo', { limit: 'soon' })));
    expect(wrong).toBeInstanceOf(TypeError);
  });

  test('memory fails the job for good, an exit does not', async () => {
    const run = sandbox({ memoryLimitMb: 32 });
    const memory = await rejection(run(job('memory')));
    expect(memory.name).toBe('UnrecoverableError');
    expect(memory.code).toBe('SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED');
    const exit = await rejection(run(job('exits')));
    expect(exit.code).toBe('SLOPPY_E_WORKER_CRASHED');
    expect(exit.name).not.toBe('UnrecoverableError');
    expect(await run(job('echo', { value: 3 }))).toBe(3);
  });

  test('what a job prints is in its log with `logs`', async () => {
    const fake = job('prints');
    expect(await sandbox({ logs: true })(fake)).toBe('done');
    expect(fake.of('log')).toEqual([['log', 'printed 1']]);
  });

  test('default and named exports of modules', async () => {
    const data = { value: 2 };
    const byDefault = make(fixture('default.mjs'), { runtime });
    expect(await byDefault(new FakeJob(data, { name: 'a' }))).toBe('a: 2');
    const byName = make(fixture('named.mjs'), { runtime });
    expect(await byName(new FakeJob(data, { name: 'double' }))).toBe(4);
    const missing = await rejection(byName(new FakeJob(data)));
    expect(missing.name).toBe('UnrecoverableError');
    expect(missing.message).toMatch(/no function "job"/);
    const chosen = make(fixture('named.mjs'), { runtime, task: 'triple' });
    expect(await chosen(new FakeJob(data))).toBe(6);
  });

  test('files that import bullmq: compiled TypeScript, and a module', async () => {
    const compiled = make(fixture('compiled.cjs'), { runtime });
    const fine = new FakeJob({ value: 1 });
    expect(await compiled(fine)).toBe(1);
    expect(fine.of('log')).toEqual([['log', 'got job']]);
    const error = await rejection(compiled(new FakeJob({ value: 9 })));
    expect([error.name, error.message]).toEqual([
      'UnrecoverableError',
      'too big',
    ]);
    const moves = make(fixture('moves.mjs'), { runtime });
    expect(await moves(new FakeJob({}), 'token')).toBe('now');
    const later = new FakeJob({ later: true });
    expect((await rejection(moves(later, 'token'))).name).toBe('DelayedError');
    expect(later.of('moveToDelayed')).toHaveLength(1);
  });

  test.each([
    ['broken-import.mjs', /a-package-that-nobody-installed/],
    ['no-function.mjs', /No function is exported/],
  ])('%s: the reason is told, and it is worth a retry', async (file, text) => {
    const run = make(fixture(file), { runtime });
    const error = await rejection(run(new FakeJob({})));
    expect(error.code).toBe('SLOPPY_E_WORKER_ISOLATE_STARTUP_FAILED');
    expect(error.message).toMatch(text);
    expect(error.name).not.toBe('UnrecoverableError');
  });
});

describe('a pool of the caller', () => {
  const pools = [];
  const pool = (options) => {
    const made = WorkerPool.create('own', {
      module: fixture('tasks.mjs'),
      ...options,
    });
    pools.push(made);
    return made;
  };
  afterEach(() => Promise.all(pools.splice(0).map((made) => made.stop())));

  test('exports are called by the name of the job', async () => {
    const own = pool();
    const run = make(own);
    expect(await run(new FakeJob({ value: 2 }, { name: 'double' }))).toBe(4);
    const fake = new FakeJob({}, { name: 'report' });
    expect(await run(fake)).toBe('reported');
    expect(fake.of('progress').at(-1)).toEqual(['progress', 100]);
    const chosen = make(own, { task: ({ data }) => data.task });
    expect(await chosen(new FakeJob({ task: 'double', value: 4 }))).toBe(8);
    const error = await rejection(run(new FakeJob({}, { name: 'boom' })));
    expect([error.name, error.code]).toEqual(['RangeError', 'E_BAD']);
  });

  test('a job without a place is put off, no attempt is counted', async () => {
    const own = pool({ workers: 1, maxQueued: 1 });
    const run = make(own);
    const controller = new AbortController();
    const { signal } = controller;
    const ends = [1, 2].map(() =>
      rejection(run(new FakeJob({}, { name: 'loop' }), 't', signal)),
    );
    const third = new FakeJob({ value: 1 }, { name: 'double' });
    const error = await rejection(run(third, 'token'));
    expect(error.name).toBe('DelayedError');
    expect(third.of('moveToDelayed')).toHaveLength(1);
    controller.abort();
    await Promise.all(ends);
  });

  test('jobs go back to the queue when the pool is stopped', async () => {
    const own = pool();
    const run = make(own);
    const fake = new FakeJob({}, { name: 'loop' });
    const end = rejection(run(fake, 'token'));
    await until(() => own.state.queue.active === 1);
    await own.stop({ timeoutMs: 0 });
    expect((await end).name).toBe('WaitingError');
    expect(fake.of('moveToWait')).toEqual([['moveToWait', 'token']]);
  });

  test('stop() ends the jobs of the processor, not the pool', async () => {
    const own = pool({ workers: 2 });
    const run = make(own);
    const fake = new FakeJob({}, { name: 'loop' });
    const end = rejection(run(fake, 'token'));
    await until(() => own.state.queue.active === 1);
    await run.stop({ timeoutMs: 0 });
    expect((await end).name).toBe('WaitingError');
    expect(await own.invoke('double', { value: 1 })).toBe(2);
  });
});

test('`retry` decides, but not over what the job said itself', async () => {
  const run = make(fixture('sandbox.cjs'), { retry: () => false });
  const hopeless = await rejection(run(new FakeJob({ kind: 'throws' })));
  expect(hopeless.name).toBe('UnrecoverableError');
  expect(hopeless.cause).toBeInstanceOf(RangeError);
  expect(hopeless.stack).toMatch(/sandbox\.cjs/);
  const delayed = await rejection(run(new FakeJob({ kind: 'delayed' })));
  expect(delayed.name).toBe('DelayedError');
});

test('a failed write fails a job that would have completed', async () => {
  const run = make(fixture('sandbox.cjs'));
  const fake = new FakeJob({ kind: 'progress', steps: 3 });
  fake.updateProgress = async () => {
    throw new Error('Missing key for job');
  };
  expect((await rejection(run(fake))).message).toBe('Missing key for job');
});

test('a job after stop() goes back, also when the server is away', async () => {
  const run = make(fixture('sandbox.cjs'));
  await run.stop();
  const fake = new FakeJob({ kind: 'echo', value: 1 });
  fake.moveToWait = async () => {
    throw new Error('Connection is closed.');
  };
  expect((await rejection(run(fake, 'token'))).name).toBe('WaitingError');
});

test('a server that never answers does not keep stop() from its end', async () => {
  const run = make(fixture('sandbox.cjs'));
  const fake = new FakeJob({ kind: 'loop' });
  fake.moveToWait = () => new Promise(() => {});
  const end = rejection(run(fake, 'token'));
  await until(() => run.pool.state.queue.active === 1);
  await run.stop({ timeoutMs: 0 });
  expect((await end).name).toBe('WaitingError');
});

test('BullMQ sees three parameters, after a bundler too', async () => {
  const run = make(fixture('sandbox.cjs'));
  expect(run).toHaveLength(3);
  const { outputFiles } = await esbuild.build({
    entryPoints: [require.resolve('../../../lib/adapters/bullmq/processor.js')],
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    external: ['../../pool/worker-pool.js'],
    write: false,
    treeShaking: true,
  });
  const module = { exports: {} };
  new Function(
    'module',
    'exports',
    'require',
    '__dirname',
    outputFiles[0].text,
  )(
    module,
    module.exports,
    (name) =>
      require(
        name === '../../pool/worker-pool.js'
          ? '../../../lib/pool/worker-pool.js'
          : name,
      ),
    require('node:path').dirname(
      require.resolve('../../../lib/adapters/bullmq/processor.js'),
    ),
  );
  const bundled = module.exports.processor(fixture('sandbox.cjs'));
  open.push(bundled);
  expect(bundled).toHaveLength(3);
  expect(await bundled(new FakeJob({ kind: 'echo', value: 5 }))).toBe(5);
});
