'use strict';
// Built-ins that jobs have used are there before the next job asks for them.

const { setTimeout: delay } = require('node:timers/promises');
const { WorkerPool } = require('../../../../lib/pool/worker-pool.js');

// Whether a module is there before the job asks for it: then the first time
// calls as many of the language's functions as the second.
const isThere = ({ input }) => {
  const { apply } = Reflect;
  const owners = [Object, Reflect, Array.prototype, String.prototype];
  let calls = 0;
  for (const owner of owners) {
    for (const key of Object.getOwnPropertyNames(owner)) {
      const original = owner[key];
      if (typeof original !== 'function' || key === 'constructor') continue;
      owner[key] = function (...values) {
        calls += 1;
        return apply(original, this, values);
      };
    }
  }
  const callsOfLoading = () => {
    const before = calls;
    process.getBuiltinModule(input);
    return calls - before;
  };
  const first = callsOfLoading();
  return first === callsOfLoading();
};

let pool;
const create = (options) => {
  pool = WorkerPool.create('pool', { workers: 1, ...options });
};
afterEach(() => pool.stop({ drain: false, timeoutMs: 2000 }));

const ask = (name) => pool.run(isThere, { input: name });

// Ends when an idle worker has had the time for it.
async function untilThere(name) {
  while (!(await ask(name))) await delay(5);
}

describe.each(['context', 'isolate'])('isolation %p', (isolation) => {
  test('what a job has used is loaded ahead of later ones', async () => {
    create({ isolation });
    expect(await ask('node:util')).toBe(false);
    await untilThere('node:util');
  });

  test('nothing else is', async () => {
    create({ isolation });
    await ask('node:querystring');
    await untilThere('node:querystring');
    expect(await ask('node:util')).toBe(false);
  });
});

// A worker looks before it sleeps: one that sleeps is not woken for it.
test('a worker loads what only another one has used', async () => {
  const use = () => process.getBuiltinModule('node:util').format('%s', 1);
  // A busy machine needs more time, and a worker is only asked once.
  for (let ms = 20; ; ms *= 2) {
    create({ workers: 2, minWorkers: 2 });
    await pool.run(use);
    await pool.broadcast(() => {});
    await delay(ms);
    const rows = await pool.broadcast(isThere, { input: 'node:util' });
    expect(rows).toHaveLength(2);
    if (rows.every(({ value }) => value === true)) break;
    await pool.stop();
  }
});

test('a heap without room for it serves the next jobs', async () => {
  create({ isolation: 'context', memoryLimitMb: 16 });
  const use = () => {
    const { getBuiltinModule } = process;
    const hash = getBuiltinModule('node:crypto').createHash('sha256');
    getBuiltinModule('node:stream');
    getBuiltinModule('node:zlib');
    return hash.update('a').digest('hex').length;
  };
  expect(await pool.run(use)).toBe(64);
  for (let job = 0; job < 20; job += 1) {
    expect(await pool.run(({ input }) => input + 1, { input: job })).toBe(
      job + 1,
    );
    await delay(1);
  }
});
