// limit: 120 s
'use strict';
// When the system gives no thread, jobs are refused with a code, and a pool
// that has a worker already goes on with it.

const { execFileSync, spawnSync } = require('node:child_process');
const { setTimeout: sleep } = require('node:timers/promises');
const { WorkerPool, assert, expectAlive, expectCode, outcomeOf, pass, Code } =
  require('./support/check.js');

const inner = process.argv[2] === 'inner';

// Address space for no further stack: RLIMIT_NPROC does not bind root.
function takeThreads() {
  const { VmSize } = require('node:fs')
    .readFileSync('/proc/self/status', 'utf8')
    .match(/VmSize:\s+(?<VmSize>\d+)/).groups;
  const bytes = (Number(VmSize) + 1024) * 1024;
  execFileSync('prlimit', [`--pid=${process.pid}`, `--as=${bytes}:unlimited`]);
}

function giveThreads() {
  execFileSync('prlimit', [`--pid=${process.pid}`, '--as=unlimited']);
}

async function without() {
  const warm = WorkerPool.create('warm', { workers: 4, maxQueued: 64 });
  await expectAlive(warm, 'before');
  const cold = WorkerPool.create('cold');
  takeThreads();
  const refused = outcomeOf(cold.run(() => 1));
  const more = Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      warm.run(({ input }) => input, { input: i }),
    ),
  );
  const outcome = await refused;
  const answers = await more;
  giveThreads();
  assert.strictEqual(outcome, Code.PoolUnavailable);
  assert.strictEqual(answers.length, 20);
  await sleep(1);
  await expectAlive(cold, 'after');
  assert.strictEqual(cold.state.queue.active, 0);
  await Promise.all([cold.stop(), warm.stop()]);
  await expectCode(
    'stopped',
    cold.run(() => 1),
    'QueueStopped',
  );
  pass();
}

function outer() {
  if (spawnSync('prlimit', ['--version']).error) {
    console.log('skipped: no prlimit');
    pass();
    return;
  }
  const child = spawnSync(process.execPath, [__filename, 'inner'], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  assert.strictEqual(child.status, 0, child.stdout + child.stderr);
  assert.match(child.stdout, /pass$/m);
  pass();
}

if (inner) without();
else outer();
