'use strict';
// `allowEval: false` and `allowWasm: false` hold on every way there is, and
// the library's own code does without.

const { join } = require('node:path');
const { Worker } = require('../../lib/index.js');
const { WorkerPool, assert, pass } = require('./support/check.js');

const COUNTER = join(__dirname, 'fixtures/modules/counter.mjs');

const { EVAL, WASM } = require('./fixtures/broken-permissions.js');

const EMPTY = [0, 97, 115, 109, 1, 0, 0, 0];
async function tryAll(pool, kinds, input, allowed) {
  for (const [name, fn] of Object.entries(kinds)) {
    const outcome = await pool
      .run(fn, { input })
      .catch((error) => error.cause.name);
    if (allowed) assert.strictEqual(outcome, 42, name);
    else assert.match(String(outcome), /^(EvalError|ReferenceError)$/, name);
  }
}

async function ownCodeWorks(options) {
  const pool = WorkerPool.create('without', {
    ...options,
    module: COUNTER,
    host: { twice: (n) => n * 2 },
  });
  assert.strictEqual(await pool.invoke('identity', 5), 5);
  const made = await pool.run(
    async ({ host, emit }) => {
      emit(1);
      const url = new URL('http://a/b?c=d');
      const text = new TextDecoder().decode(new TextEncoder().encode('é'));
      return [await host.twice(21), url.searchParams.get('c'), text];
    },
    { onMessage() {} },
  );
  assert.deepStrictEqual(made, [42, 'd', 'é']);
  // Shapes that the codec has not seen compile its own code.
  for (let i = 0; i < 50; i++) {
    const input = { [`key${i}`]: i, nested: { [`inner${i}`]: [i] } };
    const echo = await pool.run((ctx) => ctx.input, { input });
    assert.deepStrictEqual(echo, input);
  }
  const streamed = [];
  for await (const value of pool.stream(function* () {
    yield 1;
    yield 2;
  })) {
    streamed.push(value);
  }
  assert.deepStrictEqual(streamed, [1, 2]);
  await pool.stop();
}

async function throughAWorker() {
  const worker = await Worker.start(COUNTER, {
    allowEval: false,
    allowWasm: false,
  });
  assert.strictEqual(await worker.invoke('add', 2), 2);
  await worker.stop();
}

(async () => {
  for (const isolation of ['worker', 'context', 'isolate']) {
    const open = WorkerPool.create('open', { isolation });
    const input = new Uint8Array(EMPTY);
    await tryAll(open, EVAL, null, true);
    await tryAll(open, WASM, input, true);
    await open.stop();
    const noEval = WorkerPool.create('no eval', {
      isolation,
      allowEval: false,
    });
    await tryAll(noEval, EVAL, null, false);
    await tryAll(noEval, WASM, input, true);
    await noEval.stop();
    const noWasm = WorkerPool.create('no wasm', {
      isolation,
      allowWasm: false,
    });
    await tryAll(noWasm, WASM, input, false);
    await tryAll(noWasm, EVAL, null, true);
    await noWasm.stop();
  }
  await ownCodeWorks({ allowEval: false, allowWasm: false });
  await throughAWorker();
  pass();
})();
