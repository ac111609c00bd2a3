'use strict';
// A value that passes between a job and its owner while there is no memory for
// a copy of it fails there, by that name: nothing is lost in silence, and
// nobody waits for it.

const { spawnSync } = require('node:child_process');
const { readFileSync } = require('node:fs');
const { WorkerPool, assert, pass } = require('./support/check.js');

const KIB = 1024;
// Room for what both sides do meanwhile; far less than what they send.
const SPARE_MIB = 128;
const LARGE = 256 * KIB * KIB;
const NO_MEMORY = 'SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED';

function limitTo(bytes) {
  const change = ['--pid', process.pid, `--as=${bytes}:unlimited`];
  const { status, stderr } = spawnSync('prlimit', change, { encoding: 'utf8' });
  assert.strictEqual(status, 0, stderr);
}

const takenKiB = () =>
  Number(/VmSize:\s+(\d+)/.exec(readFileSync('/proc/self/status'))[1]);

const limited = () => limitTo((takenKiB() + SPARE_MIB * KIB) * KIB);

// A pool each, so that nothing of the one before is given back meanwhile.
async function cramped(test) {
  const pool = WorkerPool.create('cramped', {
    memoryLimitMb: 1024,
    maxPayloadBytes: 2 * LARGE,
    maxResultBytes: 2 * LARGE,
    host: {
      limit: limited,
      free: () => limitTo('unlimited'),
      give: () => large,
      take: () => 'taken',
      answer: () => 'answered',
    },
  });
  await test(pool);
  limitTo('unlimited');
  assert.strictEqual(await pool.run(() => 2), 2);
  await pool.stop();
}

let large;

async function answerOfHost(pool) {
  const came = await pool.run(async ({ host }) => {
    await host.limit();
    const code = await host.give().catch((error) => error.code);
    const after = await host.answer();
    await host.free();
    return [code, after];
  });
  assert.deepStrictEqual(came, [NO_MEMORY, 'answered']);
}

async function argumentsAndEmit(pool) {
  const came = await pool.run(
    async ({ input, host, emit }) => {
      const bytes = new Uint8Array(input);
      await host.limit();
      const codes = [await host.take(bytes).catch((error) => error.code)];
      try {
        emit(bytes);
      } catch (error) {
        codes.push(error.code);
      }
      const after = await host.answer();
      await host.free();
      return [codes, after];
    },
    { input: LARGE, onMessage() {} },
  );
  assert.deepStrictEqual(came, [[NO_MEMORY, NO_MEMORY], 'answered']);
}

async function streamedResult(pool) {
  const items = pool.stream(
    async function* ({ input, host }) {
      const bytes = new Uint8Array(input);
      await host.limit();
      yield 1;
      yield bytes;
    },
    { input: LARGE },
  );
  let code;
  try {
    for await (const item of items) assert.ok(item === 1);
  } catch (error) {
    ({ code } = error);
  }
  assert.strictEqual(code, NO_MEMORY);
}

async function streamedInput(pool) {
  const source = (async function* () {
    yield 1;
    limited();
    yield large;
  })();
  const came = await pool.run(
    async ({ input }) => {
      let count = 0;
      try {
        for await (const _ of input) count += 1;
      } catch (error) {
        return [count, error.code];
      }
      return [count];
    },
    { input: source },
  );
  assert.deepStrictEqual(came, [1, NO_MEMORY]);
}

async function run() {
  large = new Uint8Array(LARGE);
  await cramped(answerOfHost);
  await cramped(argumentsAndEmit);
  await cramped(streamedResult);
  await cramped(streamedInput);
}

// Only there a process can have such a limit taken back.
(process.platform === 'linux' ? run() : Promise.resolve()).then(pass);
