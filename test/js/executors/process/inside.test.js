'use strict';
// What a process makes of its owner's words: jobs of a pool say how they met them.

const { getPriority } = require('node:os');
const { writeFileSync } = require('node:fs');
const { Socket } = require('node:net');
const { basename, join } = require('node:path');

const { WorkerCancellationController } = require('../../../../lib/index.js');
const { Kind } = require('../../../../lib/executors/process/frames.js');
const { Code } = require('../../../../lib/protocol/diagnostics.gen.js');
const { folderWith, removeFolders } = require('../../modules/support.js');
const { createPool, stopAll, testOnLinux } = require('./support.js');

afterEach(stopAll);
afterAll(removeFolders);

const isWindows = process.platform === 'win32';
const turn = () => new Promise(setImmediate);

test('a job knows its worker as the owner does', async () => {
  const pool = createPool({ workers: 1 });
  const started = [];
  pool.on('workerStarted', (event) => started.push(event));
  const worker = await pool.run((context) => context.worker);
  expect(worker).toMatchObject({ number: 1, threadId: 0 });
  expect(started).toEqual([expect.objectContaining(worker)]);
});

(isWindows ? test.skip : test)('its process is as nice as asked', async () => {
  const pool = createPool({ workers: 1, nice: 1 });
  const read = () => process.getBuiltinModule('os').getPriority();
  expect(await pool.run(read)).toBe(Math.min(getPriority() + 1, 19));
});

test('the signal of a job that waits is cancelled when its event comes', async () => {
  const pool = createPool({ workers: 1, cancelGraceMs: 60_000 });
  const controller = new WorkerCancellationController();
  const waits = ({ emit, signal }) => {
    const before = signal.aborted;
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        globalThis.seen = [before, signal.aborted, signal.cancelled];
        resolve();
      });
      emit('waits');
    });
  };
  const { signal } = controller;
  const onMessage = () => controller.cancel();
  const running = pool.run(waits, { signal, onMessage });
  await expect(running).rejects.toMatchObject({ code: Code.JobCancelled });
  const next = ({ signal: its }) => [globalThis.seen, its.aborted];
  const fresh = new AbortController();
  // The cancellation was of that job, not of the next one.
  expect(await pool.run(next, { signal: fresh.signal })).toEqual([
    [false, true, true],
    false,
  ]);
});

// A job that goes on in a timer: what it has seen while it looked was to be taken
// in a later turn, and more has come by the next read.
testOnLinux('words that a look has seen come before later ones', async () => {
  const folder = folderWith({});
  const gate = (name) => writeFileSync(join(folder, name), '');
  let second;
  const host = {
    first: async () => {
      turn().then(() => gate('first'));
      return 1;
    },
    second: () =>
      new Promise((resolve) => {
        second = resolve;
      }),
  };
  const pool = createPool({ workers: 1, host });
  const job = async ({ emit, host: owner, input, signal }) => {
    const { existsSync: isThere } = process.getBuiltinModule('fs');
    const order = [];
    await new Promise((resolve) => setTimeout(resolve));
    const all = ['second', 'first'].map((name) =>
      owner[name]().then(() => order.push(name)),
    );
    while (!isThere(`${input}/first`));
    // It looks at most once in a millisecond.
    const until = performance.now() + 3;
    while (performance.now() < until && !signal.aborted);
    emit('looked');
    while (!isThere(`${input}/second`));
    await Promise.all(all);
    return order;
  };
  const onMessage = () => {
    second(2);
    turn().then(() => gate('second'));
  };
  const { signal } = new AbortController();
  const found = await pool.run(job, { input: folder, onMessage, signal });
  expect(found).toEqual(['first', 'second']);
});

// What the only look has seen is all that comes.
testOnLinux('a loop that looks is not interrupted by a listener', async () => {
  const gate = join(folderWith({}), 'gate');
  const pool = createPool({ workers: 1, cancelGraceMs: 60_000 });
  const controller = new WorkerCancellationController();
  const loops = async ({ emit, input, signal }) => {
    const { existsSync } = process.getBuiltinModule('fs');
    const calls = [];
    const called = new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        calls.push('listener');
        resolve();
      });
    });
    await new Promise((resolve) => setTimeout(resolve));
    emit('loops');
    while (!existsSync(input));
    while (!signal.aborted);
    calls.push('loop');
    await called;
    globalThis.calls = calls;
  };
  const { signal } = controller;
  const onMessage = () => {
    controller.cancel();
    turn().then(() => writeFileSync(gate, ''));
  };
  const running = pool.run(loops, { input: gate, signal, onMessage });
  await expect(running).rejects.toMatchObject({ code: Code.JobCancelled });
  await pool.drain();
  expect(await pool.run(() => globalThis.calls)).toEqual(['loop', 'listener']);
});

// A thread for that costs each process a few MiB.
testOnLinux.each([
  ['with the addon no', [], false],
  ['without it a', ['--no-addons'], true],
])('%s thread watches the owner', async (_which, execArgv, expected) => {
  const pool = createPool({ workers: 1, execArgv });
  const files = () =>
    Object.keys(process.getBuiltinModule('module')._cache ?? {});
  const names = (await pool.run(files)).map((file) => basename(file));
  expect(names).toContain('process-main.js');
  expect(names.includes('owner-watch.js')).toBe(expected);
});

testOnLinux('Ctrl-C ends no process that runs', async () => {
  const pool = createPool({ workers: 1 });
  const interrupt = () => {
    process.kill(process.pid, 'SIGINT');
    return new Promise((resolve) => setImmediate(resolve, process.pid));
  };
  const pid = await pool.run(interrupt);
  expect(await pool.run(() => process.pid)).toBe(pid);
});

test('a job that its process cannot read fails, and costs the process', async () => {
  const pool = createPool({ workers: 1 });
  const job = () => process.pid;
  const run = () => pool.run(job, { input: 1 });
  const pid = await run();
  const { write } = Socket.prototype;
  const writing = jest.spyOn(Socket.prototype, 'write');
  writing.mockImplementation(function spoil(bytes, ...more) {
    // The first byte of the input, behind two heads.
    if (bytes[4] === Kind.Job) bytes[16 + 48] = 99;
    return write.call(this, bytes, ...more);
  });
  try {
    await expect(run()).rejects.toMatchObject({
      code: Code.SerializationFailed,
    });
  } finally {
    writing.mockRestore();
  }
  expect(await run()).not.toBe(pid);
});

test.each([[[]], [['--no-addons']]])(
  'tools that look for open handles see none of the pool: %p',
  async (execArgv) => {
    const pool = createPool({ workers: 1, stdio: 'ignore', execArgv });
    const count = () => process._getActiveHandles().length;
    expect(await pool.run(count)).toBe(0);
  },
);
