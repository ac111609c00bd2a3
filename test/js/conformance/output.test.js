'use strict';

// What workers print is out, whatever the worker or the process does next.

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
