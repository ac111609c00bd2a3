'use strict';
// A worker with a module: its life, its limits, and every way its start fails.

const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

const { Worker } = require('../../lib/index.js');
const { Code, assert, expectCode, outcomeOf, pass } =
  require('./support/check.js');

const at = (name) => join(__dirname, 'fixtures/modules', name);

async function life() {
  const worker = await Worker.start(pathToFileURL(at('counter.mjs')));
  assert.strictEqual(await worker.invoke('add', 2), 2);
  assert.strictEqual(await worker.invoke('later', 3), 5);
  assert.deepStrictEqual(
    await Promise.all([1, 1, 1].map((n) => worker.invoke('add', n))),
    [6, 7, 8],
  );
  await expectCode('missing', worker.invoke('nothing'), 'Crashed');
  await expectCode('value', worker.invoke('notCallable'), 'Crashed');
  const failure = await worker.invoke('fails').catch((error) => error);
  assert.strictEqual(failure.code, Code.JobFailed);
  assert.ok(failure.cause instanceof TypeError);

  const seen = [];
  const forget = worker.onMessage((value) => seen.push(value));
  assert.deepStrictEqual(await worker.post('hello'), ['answer', 'hello']);
  await worker.invoke('burst', 3000);
  assert.deepStrictEqual(seen[0], ['got', 'hello']);
  assert.deepStrictEqual(
    seen.slice(1),
    Array.from({ length: 3000 }, (_, i) => i),
  );
  forget();
  forget();
  await worker.invoke('burst', 1);
  assert.strictEqual(seen.length, 3001);

  // 64 outstanding, the running one included; the 65th is refused.
  const gate = Array.from({ length: 64 }, (_, i) => worker.invoke('later', i));
  await expectCode('65th', worker.invoke('add', 1), 'PoolSaturated');
  await Promise.all(gate);

  // A fresh realm, hence a fresh module; unless it was late before it began.
  let count;
  do {
    await expectCode(
      'loop',
      worker.invoke('loop', null, { timeoutMs: 30 }),
      'JobTimeout',
    );
    count = await worker.invoke('add', 1);
  } while (count !== 1);
  await expectCode('eat', worker.invoke('eat'), 'ResourceLimit');
  assert.strictEqual(await worker.invoke('add', 1), 1);

  const stopping = worker.stop();
  await expectCode('stale', worker.invoke('add', 1), 'StaleHandle');
  assert.throws(() => worker.onMessage(() => {}), { code: Code.StaleHandle });
  await Promise.all([stopping, worker.stop(), worker.stop({ drain: false })]);
  await worker.stop();
}

async function stops() {
  const worker = await Worker.start(at('counter.mjs'));
  const loop = worker.invoke('loop');
  const queued = worker.invoke('add', 1);
  const outcomes = Promise.all([outcomeOf(loop), outcomeOf(queued)]);
  const counts = await worker.stop({ timeoutMs: 20 });
  assert.deepStrictEqual(counts, { cancelled: 0, forced: 2 });
  assert.deepStrictEqual(await outcomes, [
    Code.ShutdownCancelled,
    Code.ShutdownCancelled,
  ]);

  // A callback of its own calls it.
  const other = await Worker.start(at('counter.mjs'));
  const stopped = new Promise((resolve) => {
    other.onMessage(() => resolve(other.stop({ timeoutMs: 1000 })));
  });
  await other.invoke('burst', 1);
  await stopped;
}

async function starts() {
  const wanted = {
    'broken-throws.mjs': 'StartupFailed',
    'broken-loops.mjs': 'StartupFailed',
    'broken-never.mjs': 'StartupFailed',
    'broken-never-but-alive.mjs': 'StartupFailed',
    'broken-syntax.mjs': 'StartupFailed',
    'broken-import.mjs': 'StartupFailed',
    'broken-cycle.mjs': 'StartupFailed',
    'broken-memory.mjs': 'ResourceLimit',
    'broken-microtasks.mjs': 'StartupFailed',
    'does-not-exist.mjs': 'StartupFailed',
    '.': 'StartupFailed',
  };
  for (const [name, code] of Object.entries(wanted)) {
    const start = Worker.start(at(name), {
      startTimeoutMs: code === 'ResourceLimit' ? 600_000 : 300,
      memoryLimitMb: 32,
    });
    await expectCode(name, start, code);
  }
  await expectCode('http', Worker.start('http://a/b.mjs'), 'StartupFailed');
  await expectCode(
    'cap',
    Worker.start(at('counter.mjs'), { maxModuleBytes: 10 }),
    'ResourceLimit',
  );
}

async function many() {
  for (let round = 0; round < 5; round++) {
    const workers = await Promise.all(
      Array.from({ length: 8 }, () => Worker.start(at('counter.mjs'))),
    );
    const sums = await Promise.all(workers.map((w, i) => w.invoke('add', i)));
    assert.deepStrictEqual(sums, [0, 1, 2, 3, 4, 5, 6, 7]);
    await Promise.all(workers.map((w) => w.stop()));
  }
}

(async () => {
  for (const part of [life, stops, starts, many]) {
    console.log(part.name);
    await part();
  }
  pass();
})();
