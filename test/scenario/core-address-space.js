'use strict';
// An isolate for which there is no address space fails its job, not the
// process; no thread is left of it, and the pool works once there is some.

const { spawnSync } = require('node:child_process');
const { readFileSync } = require('node:fs');
const { setTimeout: sleep } = require('node:timers/promises');
const { WorkerPool, assert, expectCode, pass } = require('./support/check.js');

const KIB = 1024;
// More than the owner needs; V8 reserves 512 for the code of an isolate.
const SPARE_MIB = 200;

function limitTo(bytes) {
  const change = ['--pid', process.pid, `--as=${bytes}:unlimited`];
  const { status, stderr } = spawnSync('prlimit', change, { encoding: 'utf8' });
  assert.strictEqual(status, 0, stderr);
}

const statusOf = (name) =>
  Number(
    new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync('/proc/self/status'))[1],
  );

// The system counts a thread for a moment longer than it is waited for.
const threads = () => statusOf('Threads');
async function threadsAtRest() {
  let count;
  do {
    count = threads();
    await sleep(20);
  } while (threads() !== count);
  return count;
}

async function run() {
  // All that the owner loads.
  const first = WorkerPool.create('first', { workers: 1 });
  assert.strictEqual(await first.run(() => 1), 1);
  await first.stop();

  const pool = WorkerPool.create('cramped', { workers: 1 });
  const atFirst = await threadsAtRest();
  limitTo((statusOf('VmSize') + SPARE_MIB * KIB) * KIB);
  await expectCode(
    'cramped',
    pool.run(() => 1),
    'PoolUnavailable',
  );
  // One that is left stays for ever, beyond this scenario's limit.
  while (threads() > atFirst) await sleep(20);
  limitTo('unlimited');
  assert.strictEqual(await pool.run(() => 2), 2);
  await pool.stop();
}

// Only there a process can have such a limit taken back.
(process.platform === 'linux' ? run() : Promise.resolve()).then(pass);
