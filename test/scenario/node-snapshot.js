// Isolates begin where Node's own began: with its snapshot, without it, and in
// a thread whose flags are not the process's. On arm64 with Node 20 a wrong
// choice is a crash at the first job.
'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const path = require('node:path');

const library = JSON.stringify(path.join(__dirname, '../..'));
const job = `
  const { WorkerPool } = require(${library});
  const pool = WorkerPool.create('p');
  pool.run(({ input }) => [input, new Map([[1, 'é']]).get(1)], { input: 6 })
    .then((got) => { console.log(got.join()); return pool.stop(); });
`;
const inThread = `
  new (require('node:worker_threads').Worker)(${JSON.stringify(job)},
    { eval: true, execArgv: ['--no-warnings'] });
`;

const run = (flags, program, NODE_OPTIONS = '') =>
  execFileSync(process.execPath, [...flags, '-e', program], {
    env: { ...process.env, NODE_OPTIONS },
    encoding: 'utf8',
  }).trimEnd();

const without = '--no-node-snapshot';
assert.equal(run([], job), '6,é');
assert.equal(run([], inThread), '6,é');
assert.equal(run([without], job), '6,é');
assert.equal(run([without, '--node-snapshot'], job), '6,é');
assert.equal(run([], job, without), '6,é');
assert.equal(run([], inThread, without), '6,é');
console.log('pass');
