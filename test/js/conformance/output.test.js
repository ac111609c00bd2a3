'use strict';

// Text that workers print is out, whatever the worker or the process does next.

const { spawn, spawnSync } = require('node:child_process');
const path = require('node:path');

const { runNode } = require('../support/run-node.js');
const { moduleFile, runtime, stopAll } = require('./support.js');

const ROOT = path.join(__dirname, '../../..');
const COUNT = 50;
const LINES = Array.from({ length: COUNT }, (_, i) => `line ${i}`);
const PRINT = `for (let i = 0; i < ${COUNT}; i++) console.log('line ' + i);`;

afterAll(stopAll);

function linesOf(program) {
  return runNode(['-e', program]).trimEnd().split('\n');
}

function poolProgram(job, rest) {
  return `
    const { WorkerPool } = require('./lib/index.js');
    const pool = WorkerPool.create('p', { runtime: '${runtime}' });
    pool.run(() => { ${job} })${rest};`;
}

test('at the end of the program', () => {
  const program = poolProgram(PRINT, '');
  expect(linesOf(program)).toEqual(LINES);
});

test('before process.exit()', () => {
  const program = poolProgram(PRINT, '.then(() => process.exit())');
  expect(linesOf(program)).toEqual(LINES);
});

test('before the job is terminated', () => {
  const job = `({ emit }) => { ${PRINT} emit(1); for (;;); }`;
  const program = `
    const { WorkerPool } = require('./lib/index.js');
    const pool = WorkerPool.create('p', { runtime: '${runtime}' });
    const controller = new AbortController();
    const { signal } = controller;
    const onMessage = () => controller.abort();
    pool.run(${job}, { signal, onMessage }).catch(() => process.exit());`;
  expect(linesOf(program)).toEqual(LINES);
});

test('of a worker by messages, before process.exit()', () => {
  const worker = moduleFile(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', () => {
      ${PRINT}
      process.stdout.write('of ');
      process.stdout.write(new TextEncoder().encode('stdout\\n'));
      parentPort.postMessage({ id: 0 });
    });`);
  const program = `
    const { TransientWorkerPool } = require('./lib/adapters/pools.js');
    const workerURL = ${JSON.stringify(worker)};
    new TransientWorkerPool({ workerURL, runtime: '${runtime}' })
      .getWorker()
      .then((worker) => {
        worker.on('message', () => process.exit());
        worker.postMessage({});
      });`;
  expect(linesOf(program)).toEqual([...LINES, 'of stdout']);
});

test('on stderr', () => {
  const errors = PRINT.replace('log', 'error');
  const program = poolProgram(errors, '.then(() => process.exit())');
  const { stderr } = spawnSync(process.execPath, ['-e', program], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(stderr.trimEnd().split('\n')).toEqual(LINES);
});

test('that a pipe has no room for yet', async () => {
  const size = 1_000_000;
  const job = `for (let i = 0; i < 1000; i++) console.log('x'.repeat(999));`;
  // The owner's own writing makes the pipe one that refuses.
  const program = `console.log('first'); ${poolProgram(job, '.then(() => process.exit())')}`;
  const child = spawn(process.execPath, ['-e', program], { cwd: ROOT });
  let read = 0;
  await new Promise((later) => setTimeout(later, 300));
  child.stdout.on('data', ({ length }) => {
    read += length;
  });
  await new Promise((closed) => child.once('close', closed));
  expect(read).toBe('first\n'.length + size);
});

// A reader that stands still. The threads of Linux can be counted.
const testOnLinux = process.platform === 'linux' ? test : test.skip;

function stalledProgram(print, options = '{ timeoutMs: 300 }') {
  return `
    const { readdirSync } = require('node:fs');
    const { WorkerPool } = require('./lib/index.js');
    const threads = () => readdirSync('/proc/self/task').length;
    const pool = WorkerPool.create('p',
      { runtime: '${runtime}', workers: 3, payload: 'clone' });
    const round = (fn) => Promise.allSettled(
      [1, 2, 3].map(() => pool.run(fn, ${options})));
    const all = new Int32Array(new SharedArrayBuffer(8));
    // None ends before all workers are there, whose threads are counted.
    const meet = ({ input }) => {
      Atomics.add(input, 0, 1);
      while (Atomics.load(input, 0) < 3) Atomics.wait(input, 1, 0, 10);
    };
    (async () => {
      await Promise.all([1, 2, 3].map(() => pool.run(meet, { input: all })));
      const before = threads();
      for (let i = 0; i < 5; i++) await round(() => { ${print} });
      // A worker that is given up, is so after 2 s, and its thread stays. One
      // that was ended may take a while on a busy machine.
      const rest = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
      await rest(2500);
      await round(() => 1);
      for (let i = 0; i < 100 && threads() > before; i++) await rest(100);
      process.send([threads() - before, await pool.run(() => 7)]);
    })();`;
}

async function sentBy(program, stdio) {
  const options = { cwd: ROOT, stdio, detached: true };
  const child = spawn(process.execPath, ['-e', program], options);
  try {
    return await new Promise((resolve, reject) => {
      child.once('message', resolve);
      child.once('exit', (...how) => reject(new Error(how.join())));
    });
  } finally {
    // All that it has started ends with it.
    process.kill(-child.pid, 'SIGKILL');
  }
}

const LARGE = 'x'.repeat(10);

testOnLinux.each([
  ['stdout', 'log'],
  ['stderr', 'error'],
])(
  'that nobody reads, on %s, costs no thread',
  async (stream, method) => {
    const print = `console.${method}('${LARGE}'.repeat(10_000));`;
    const stdio = ['ignore', 'ignore', 'ignore', 'ipc'];
    stdio[stream === 'stdout' ? 1 : 2] = 'pipe';
    const [more, answer] = await sentBy(stalledProgram(print), stdio);
    expect(more).toBeLessThanOrEqual(0);
    expect(answer).toBe(7);
  },
  60_000,
);

testOnLinux(
  'through a pipe of the shell as well',
  async () => {
    const print = `console.log('${LARGE}'.repeat(10_000));`;
    const inner = JSON.stringify(stalledProgram(print));
    // Its standard output is a pipe to a program that does not read.
    const outer = `
    const { spawn } = require('node:child_process');
    const shell = spawn('sh', ['-c', '"$0" -e "$1" | sleep 100',
      process.execPath, ${inner}], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    shell.on('message', (message) => process.send(message));`;
    const [more, answer] = await sentBy(outer, [
      'ignore',
      'ignore',
      'inherit',
      'ipc',
    ]);
    expect(more).toBeLessThanOrEqual(0);
    expect(answer).toBe(7);
  },
  60_000,
);

testOnLinux(
  'that nobody reads keeps jobs without a limit for a while',
  async () => {
    const print = `console.log('${LARGE}'.repeat(10_000));`;
    const stdio = ['ignore', 'pipe', 'ignore', 'ipc'];
    const [more, answer] = await sentBy(stalledProgram(print, '{}'), stdio);
    expect(more).toBeLessThanOrEqual(0);
    expect(answer).toBe(7);
  },
  60_000,
);

testOnLinux('on a disk that is full', () => {
  const program = poolProgram(PRINT, ".then(() => console.error('done'))");
  const { stderr, status } = spawnSync(
    'sh',
    ['-c', '"$0" -e "$1" > /dev/full', process.execPath, program],
    { cwd: ROOT, encoding: 'utf8' },
  );
  expect([stderr, status]).toEqual(['done\n', 0]);
});

test('to a reader that has gone', () => {
  const rest = ".then(() => console.error('done'))";
  const program = poolProgram(PRINT, rest);
  const { stderr } = spawnSync(
    'sh',
    ['-c', '"$0" -e "$1" | true', process.execPath, program],
    { cwd: ROOT, encoding: 'utf8' },
  );
  expect(stderr).toBe('done\n');
});
