'use strict';

const { asPoolFunction } = require('../peers/sloppy-workers.js');
const { library } = require('../lib/library.js');
const { median } = require('../lib/stats.js');
const { openIsolate } = require('../peers/isolated-vm.js');
const { openPool } = require('../peers/index.js');

const LIMIT_MS = 50;

/** Each makes `{ loop, answer }`: a call that is to fail, one that is not. */
const subjectsOf = {
  async 'sloppy-workers'() {
    const pool = library.WorkerPool.create('loop', { workers: 1 });
    const forever = asPoolFunction('forever');
    return {
      loop: () => pool.run(forever, { timeoutMs: LIMIT_MS }),
      answer: () => pool.run(() => 1),
      close: () => pool.stop({ timeoutMs: 1000 }),
    };
  },
  async piscina() {
    const { pool, close } = await openPool('piscina', { job: 'forever' });
    return {
      loop: () => pool.run(0, { signal: AbortSignal.timeout(LIMIT_MS) }),
      answer: () => pool.run(0, { name: 'echo' }),
      close,
    };
  },
  async workerpool() {
    const { pool, close } = await openPool('workerpool', { job: 'forever' });
    return {
      loop: () => pool.exec('forever', [0]).timeout(LIMIT_MS),
      answer: () => pool.exec('echo', [1]),
      close,
    };
  },
  async 'isolated-vm'() {
    const { isolate, reference } = await openIsolate('forever');
    const context = await isolate.createContext();
    return {
      loop: () => reference.apply(undefined, [], { timeout: LIMIT_MS }),
      answer: () => context.eval('1'),
      close: () => isolate.dispose(),
    };
  },
};

async function measure({ loop, answer }, count) {
  const late = [];
  const next = [];
  for (let n = 0; n < count; n += 1) {
    const begin = performance.now();
    await loop().then(
      () => {
        throw new Error('an endless loop ended');
      },
      () => {},
    );
    const stopped = performance.now();
    await answer();
    late.push(stopped - begin - LIMIT_MS);
    next.push(performance.now() - stopped);
  }
  return { late: median(late), next: median(next) };
}

const subjects = {};
for (const [peer, make] of Object.entries(subjectsOf)) {
  subjects[peer] = async ({ quick }) => {
    const subject = await make();
    await subject.answer();
    return {
      round: () => measure(subject, quick ? 2 : 7),
      close: subject.close,
    };
  };
}

const line = (title, limit) => ({
  title,
  unit: 'ms',
  better: 'lower',
  goals: [{ limit }],
});

module.exports = {
  title: 'An endless loop with a limit of 50 ms',
  lines: {
    late: line('told after the limit', 2),
    next: line('from there to the next answer', 1),
  },
  subjects,
};
