'use strict';
// Jobs are refused with a code when the system gives no thread, and a pool
// that has a worker already goes on with it.

const { spawn, spawnSync } = require('node:child_process');
const { once } = require('node:events');
const { setTimeout: sleep } = require('node:timers/promises');
const { WorkerPool, assert, expectAlive, expectCode, outcomeOf, pass, Code } =
  require('./support/check.js');

const inner = process.argv[2] === 'inner';

// RLIMIT_NPROC counts the threads of a user and does not bind root, so a root
// process takes another user first. A limit on address space would do without,
// but it also refuses V8 the pages of a heap, which ends the process. A process
// without threads to be had cannot start `prlimit`: a shell from before does.
const anyUser = 65534;

async function threadGate() {
  if (process.getuid() === 0) process.setuid(anyUser);
  const shell = spawn('sh', ['-s'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const own = `prlimit --pid=${process.pid}`;
  const limit = async (soft) => {
    const command = `${own} --nproc=${soft}:`;
    shell.stdin.write(`${command}; echo $?\n`);
    const [status] = await once(shell.stdout, 'data');
    assert.strictEqual(String(status), '0\n', command);
  };
  return {
    take: () => limit(1),
    give: () => limit(`$(${own} --nproc -o HARD --noheadings | tr -d ' ')`),
    close: () => shell.stdin.end(),
  };
}

async function without() {
  const warm = WorkerPool.create('warm', { workers: 4, maxQueued: 64 });
  await expectAlive(warm, 'before');
  const cold = WorkerPool.create('cold');
  const gate = await threadGate();
  await gate.take();
  const refused = outcomeOf(cold.run(() => 1));
  const more = Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      warm.run(({ input }) => input, { input: i }),
    ),
  );
  const outcome = await refused;
  const answers = await more;
  await gate.give();
  gate.close();
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
