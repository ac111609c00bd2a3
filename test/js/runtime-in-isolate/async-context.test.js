'use strict';
// AsyncLocalStorage follows what an isolate does as it follows the main thread.

const { execFileSync } = require('node:child_process');

const { WorkerPool } = require('../../../lib');

const followed = async () => {
  const hooks = process.getBuiltinModule('async_hooks');
  const [one, two, three] = [0, 0, 0].map(() => new hooks.AsyncLocalStorage());
  const seen = [];
  const note = (where) =>
    seen.push([where, one.getStore(), two.getStore(), three.getStore()]);
  const sleep = () => new Promise((resolve) => setTimeout(resolve, 50));
  note('before');
  let snapshot;
  let bound;
  let resource;
  await one.run(1, async () => {
    note('one');
    await two.run(2, async () => {
      note('two');
      one.run('again', () => note('one in two'));
      note('two again');
      one.exit(() => note('exit'));
      three.enterWith(3);
      note('three');
      snapshot = hooks.AsyncLocalStorage.snapshot();
      bound = hooks.AsyncResource.bind(() => note('bound'));
      resource = new hooks.AsyncResource('test');
      await null;
      note('await');
      setImmediate(() => note('immediate'));
      process.nextTick(() => note('tick'));
      queueMicrotask(() => note('microtask'));
      await sleep();
      note('timer');
      await Promise.all([
        one.run(4, async () => {
          await sleep();
          note('left');
        }),
        two.run(5, sleep).then(() => note('right')),
      ]);
      try {
        three.run(6, () => {
          throw new Error('out');
        });
      } catch {
        note('thrown');
      }
    });
    note('two left');
    await null;
  });
  note('one left');
  snapshot((more) => note(more), 'snapshot');
  bound();
  resource.runInAsyncScope(() => note('resource'));
  two.enterWith(7);
  one.run(8, () => {
    two.disable();
    note('disabled');
  });
  return seen;
};

/** Its answer in an isolate is that of the main thread. */
async function expectSame(program) {
  const pool = WorkerPool.create('async-context', { workers: 1 });
  try {
    const code = `(${program})().then((value) => console.log(JSON.stringify(value)))`;
    const main = execFileSync(process.execPath, ['-e', code], {
      encoding: 'utf8',
    });
    const seen = JSON.parse(JSON.stringify(await pool.run(program)));
    expect(seen).toEqual(JSON.parse(main));
  } finally {
    await pool.stop();
  }
}

test('stores are what they are on the main thread', () => expectSame(followed));

test('listeners of a port see the stores of where it was made', () =>
  expectSame(async () => {
    const hooks = process.getBuiltinModule('async_hooks');
    const store = new hooks.AsyncLocalStorage();
    const seen = [];
    const heard = (where, make) =>
      new Promise((resolve) => {
        const { port1, port2 } = make();
        port2.onmessage = () => {
          seen.push([where, store.getStore()]);
          store.run('closed', () => port1.close());
        };
        port2.addEventListener('close', () => {
          seen.push([where, 'close', store.getStore()]);
          resolve();
        });
        store.run('posted', () => port1.postMessage(1));
      });
    await heard('outside', () => new MessageChannel());
    await heard('inside', () => store.run('made', () => new MessageChannel()));
    return seen;
  }));

test('a store that is off comes back as on the main thread', () =>
  expectSame(async () => {
    const hooks = process.getBuiltinModule('async_hooks');
    const store = new hooks.AsyncLocalStorage();
    const seen = [];
    const note = (where) => seen.push([where, store.getStore()]);
    const later = () => new Promise((resolve) => setImmediate(resolve));
    const inside = store.run(
      1,
      () =>
        new Promise((resolve) => {
          setImmediate(() => note('while it is off'));
          setTimeout(() => {
            note('when it is on');
            store.exit(() => note('exit'));
            resolve();
          }, 50);
        }),
    );
    store.disable();
    store.exit(() => note('exit while off'));
    await later();
    store.run(2, () => note('another'));
    await inside;
    note('after');
    return seen;
  }));

test('stores that replace one another are not kept', async () => {
  const pool = WorkerPool.create('async-context', {
    workers: 1,
    memoryLimitMb: 32,
  });
  const replaced = async () => {
    const hooks = process.getBuiltinModule('async_hooks');
    const [outer, inner] = [
      new hooks.AsyncLocalStorage(),
      new hooks.AsyncLocalStorage(),
    ];
    return outer.run('kept', () => {
      for (let count = 0; count < 2000; count += 1) {
        inner.enterWith(new Array(10_000).fill(count));
        outer.enterWith(outer.getStore());
      }
      return [outer.getStore(), inner.getStore()[0]];
    });
  };
  try {
    expect(await pool.run(replaced)).toEqual(['kept', 1999]);
  } finally {
    await pool.stop();
  }
});
