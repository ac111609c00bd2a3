'use strict';
// process.nextTick() comes when Node's does, between microtasks, timers and
// immediates: each program is run by a thread of this Node as well.

const { WorkerPool } = require('../../../lib/index.js');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');

const pools = {};
beforeAll(() => {
  for (const runtime of ['isolate', 'thread']) {
    pools[runtime] = WorkerPool.create(`ticks ${runtime}`, { runtime });
  }
});
afterAll(() => Promise.all(Object.values(pools).map((pool) => pool.stop())));

/** Each gets `log`, and may return a promise. */
const PROGRAMS = {
  'before microtasks that wait': `
    Promise.resolve().then(() => log('then'));
    process.nextTick(log, 'tick');
    queueMicrotask(() => log('microtask'));
    process.nextTick(log, 'second');
    log('sync');`,
  'after all microtasks, if one of them calls it': `
    Promise.resolve()
      .then(() => { process.nextTick(log, 'tick'); log(1); })
      .then(() => log(2))
      .then(() => log(3));`,
  'ticks of ticks come before microtasks': `
    process.nextTick(() => {
      Promise.resolve().then(() => log('then'));
      process.nextTick(() => { log('inner'); process.nextTick(log, 'last'); });
      log('outer');
    });`,
  'between timers and immediates': `
    setImmediate(() => { process.nextTick(log, 'it'); log('immediate'); });
    setImmediate(() => log('second immediate'));
    setTimeout(() => {
      Promise.resolve().then(() => log('tt'));
      process.nextTick(log, 'tm');
      log('timer');
    }, 1);
    await new Promise((resolve) => setTimeout(resolve, 20));`,
  'immediates that clear and make others': `
    let later;
    const first = setImmediate(() => {
      log('first');
      clearImmediate(second);
      clearImmediate(first);
      later = setImmediate(() => log('later'));
      setImmediate(() => log('last'));
      Promise.resolve().then(() => log('then'));
    });
    const second = setImmediate(() => log('second'));
    const third = setImmediate(() => { log('third'); clearImmediate(later); });
    clearImmediate(setImmediate(() => log('cleared at once')));
    for (let turn = 0; turn < 4; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      log(turn);
    }`,
  'around await': `
    process.nextTick(log, 'first');
    await null;
    log('awaited');
    process.nextTick(log, 'second');
    await null;
    log('again');
    await new Promise((resolve) => process.nextTick(resolve));
    log('end');`,
  'more than one call runs': `
    for (let i = 0; i < 100; i += 1) process.nextTick(log, i);
    Promise.resolve().then(() => log('then'));
    await new Promise((resolve) => setImmediate(resolve));`,
  'with arguments, and none of them kept': `
    process.nextTick((...all) => log(all.join()), 1, 'b', null);
    process.nextTick(function () { 'use strict'; log(this === undefined); });
    await null;`,
  'one that throws, and those after it': `
    process.once('uncaughtException', (error) => log(error.message));
    process.nextTick(() => { throw new Error('thrown'); });
    process.nextTick(log, 'next');
    Promise.resolve().then(() => log('then'));
    await new Promise((resolve) => setImmediate(resolve));`,
  'of streams': `
    const { Readable, Transform } = await import('node:stream');
    const up = new Transform({
      transform(chunk, _encoding, done) {
        log(String(chunk));
        Promise.resolve().then(() => log('then'));
        done(null, chunk);
      },
    });
    up.on('finish', () => log('finish')).on('end', () => log('end'));
    up.resume();
    Readable.from(['a', 'b']).pipe(up);
    await new Promise((resolve) => up.on('close', resolve));`,
};

// biome-ignore lint/security/noGlobalEval: they are what is sent.
const evaluate = globalThis.eval;
const functionOf = (text) =>
  evaluate(`(async () => {
    const seen = [];
    const log = (what) => { seen.push(what); };
    await (async () => { ${text} })();
    await new Promise((resolve) => setImmediate(resolve));
    return seen;
  })`);

test.each(Object.keys(PROGRAMS))('%s', async (name) => {
  const fn = functionOf(PROGRAMS[name]);
  const seen = await pools.isolate.run(fn);
  expect(seen.length).toBeGreaterThan(1);
  expect(seen).toEqual(await pools.thread.run(fn));
});

test('a chain of ticks without end is bounded', async () => {
  const pool = WorkerPool.create('endless', { maxMicrotasks: 10_000 });
  const chain = () => {
    const again = () => process.nextTick(again);
    again();
  };
  const around = () => {
    const again = () => Promise.resolve().then(() => process.nextTick(again));
    again();
  };
  for (const fn of [chain, around]) {
    await expect(pool.run(fn)).rejects.toMatchObject({ code: Code.JobTimeout });
  }
  expect(await pool.run(() => 'next')).toBe('next');
  await pool.stop();
});

test('ticks of jobs that share a realm are each their own', async () => {
  const pool = WorkerPool.create('shared', { concurrentJobsPerWorker: 4 });
  const fn = async ({ input, emit }) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => process.nextTick(resolve));
    process.nextTick(() => emit(input));
    await new Promise((resolve) => setImmediate(resolve));
    return input;
  };
  const seen = [];
  const run = (input) =>
    pool.run(fn, { input, onMessage: (value) => seen.push([input, value]) });
  expect(await Promise.all([1, 2, 3, 4].map(run))).toEqual([1, 2, 3, 4]);
  expect(seen.sort()).toEqual([1, 2, 3, 4].map((n) => [n, n]));
  await pool.stop();
});
