'use strict';
// An isolate for which there is no address space fails its job, not the
// process; no thread is left of it, and the pool works once there is some.

const { spawnSync } = require('node:child_process');
const { readFileSync } = require('node:fs');
const { setImmediate: nextTurn } = require('node:timers/promises');
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

async function run() {
  // All that the owner loads.
  const first = WorkerPool.create('first', { workers: 1 });
  assert.strictEqual(await first.run(() => 1), 1);
  await first.stop();
  await nextTurn();

  const pool = WorkerPool.create('cramped', { workers: 1 });
  limitTo((statusOf('VmSize') + SPARE_MIB * KIB) * KIB);
  const threads = statusOf('Threads');
  await expectCode(
    'cramped',
    pool.run(() => 1),
    'PoolUnavailable',
  );
  assert.strictEqual(statusOf('Threads'), threads);
  limitTo('unlimited');
  assert.strictEqual(await pool.run(() => 2), 2);
  await pool.stop();
}

// Only there a process can have such a limit taken back.
(process.platform === 'linux' ? run() : Promise.resolve()).then(pass);
