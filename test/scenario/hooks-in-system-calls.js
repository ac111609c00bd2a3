'use strict';
// A hook that waits in a system call cannot be ended. It costs its thread, and
// neither the jobs of others nor the end of the pool.
// expect: signal SIGKILL

const assert = require('node:assert');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const { WorkerPool } = require('../../lib/index.js');

const STARTUP_FAILED = 'SLOPPY_E_WORKER_ISOLATE_STARTUP_FAILED';
const folder = fs.mkdtempSync(join(tmpdir(), 'sw-hooks-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));
const fifo = join(folder, 'fifo');
const WAIT = `require('node:fs').readFileSync(${JSON.stringify(fifo)});`;

function moduleOf(name, text) {
  const file = join(folder, `${name}.cjs`);
  fs.writeFileSync(file, text);
  return file;
}

const codeOf = (promise) =>
  promise.then(
    () => 'resolved',
    (error) => error.code,
  );

async function initThatWaits(runtime) {
  const module = moduleOf('init', `exports.init = () => { ${WAIT} };`);
  const pool = WorkerPool.create('init', {
    runtime,
    init: { module, timeoutMs: 100 },
  });
  assert.equal(await codeOf(pool.run(() => 1)), STARTUP_FAILED);
  await pool.stop({ drain: false, timeoutMs: 100 });
}

async function disposeThatWaits(runtime) {
  const module = moduleOf(
    'dispose',
    `exports.init = () => 1; exports.dispose = () => { ${WAIT} };`,
  );
  const pool = WorkerPool.create('dispose', {
    runtime,
    init: { module },
    idleTimeoutMs: 20,
  });
  assert.equal(await pool.run(() => 1), 1);
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.equal(await pool.run(() => 2), 2);
  await pool.stop({ timeoutMs: 100 });
}

async function main() {
  if (process.platform === 'win32') return;
  execFileSync('mkfifo', [fifo]);
  // Isolates have no such calls.
  await Promise.all([initThatWaits('thread'), disposeThatWaits('thread')]);
}

main().then(() => {
  console.log('pass');
  // Threads of Node's that wait so are joined by process.exit().
  process.kill(process.pid, 'SIGKILL');
});
