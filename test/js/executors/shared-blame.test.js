'use strict';
// Code is told of as its own job's, because with `concurrentJobsPerWorker`
// the job whose code runs is not always the one that was begun last.

const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { createPool, outcomes, stopAll } = require('../conformance/support.js');

afterEach(stopAll);

const shared = (options) =>
  createPool({ concurrentJobsPerWorker: 4, ...options });

const EXITED = 'process.exit(7) was called in a worker';

/** Waits for ever, for what another job or the test does. */
const innocent = async ({ host }) => {
  await host.entered('innocent');
  return new Promise((resolve) => setTimeout(resolve, 60_000));
};

/** A pool, and what resolves when so many jobs have said that they began. */
function poolOf(options = {}) {
  const waiting = [];
  let entered = 0;
  const host = {
    entered: () => {
      entered += 1;
      for (const { count, resolve } of waiting) if (entered >= count) resolve();
    },
    opened: () => opened,
  };
  let open;
  const opened = new Promise((resolve) => {
    open = resolve;
  });
  const begun = (count) =>
    new Promise((resolve) => {
      if (entered >= count) resolve();
      waiting.push({ count, resolve });
    });
  return { pool: shared({ host, ...options }), begun, open };
}

const EXITS = {
  'after an await': async ({ host }) => {
    await host.entered();
    await host.opened();
    process.exit(7);
  },
  'in a timer': async ({ host }) => {
    await host.entered();
    await host.opened();
    await new Promise(() => setTimeout(() => process.exit(7), 1));
  },
  'in an interval in a timer': async ({ host }) => {
    await host.entered();
    await host.opened();
    await new Promise(() =>
      setTimeout(() => setInterval(() => process.exit(7), 1), 1),
    );
  },
  'in an immediate': async ({ host }) => {
    await host.entered();
    await host.opened();
    await new Promise(() => setImmediate(() => process.exit(7)));
  },
  'in a microtask of a timer': async ({ host }) => {
    await host.entered();
    await host.opened();
    await new Promise(() =>
      setTimeout(() => queueMicrotask(() => process.exit(7)), 1),
    );
  },
  'inside AsyncLocalStorage': async ({ host }) => {
    const { AsyncLocalStorage } = await import('node:async_hooks');
    await host.entered();
    await host.opened();
    await new AsyncLocalStorage().run(1, async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      process.exit(7);
    });
  },
};

describe.each(Object.keys(EXITS))('process.exit %s', (how) => {
  test.each(['first', 'last'])(
    'of the job that was begun %s',
    async (place) => {
      const { pool, begun, open } = poolOf();
      const jobs =
        place === 'first'
          ? [EXITS[how], innocent, innocent]
          : [innocent, innocent, EXITS[how]];
      const running = jobs.map((job) => pool.run(job));
      const ends = Promise.allSettled(running);
      await begun(3);
      open();
      const errors = (await ends).map(({ reason }) => reason);
      const exited = errors.splice(place === 'first' ? 0 : 2, 1)[0];
      expect([exited.code, exited.cause?.message]).toEqual([
        Code.Crashed,
        EXITED,
      ]);
      for (const error of errors) {
        expect([error.code, error.cause]).toEqual([Code.Crashed, undefined]);
        expect(error.message).toContain('worker was lost');
      }
      expect(await pool.run(() => 1)).toBe(1);
    },
  );
});

test('process.exit while another job is in its first call', async () => {
  const { pool, begun } = poolOf();
  const exits = pool.run(async ({ host }) => {
    const opened = new Promise((resolve) => {
      globalThis.open = resolve;
    });
    host.entered();
    await opened;
    process.exit(7);
  });
  const ends = Promise.allSettled([exits]);
  await begun(1);
  const other = await pool
    .run(async () => {
      globalThis.open();
      await null;
      await null;
      return 'not reached';
    })
    .catch((error) => error);
  const [{ reason }] = await ends;
  expect([reason.code, reason.cause?.message]).toEqual([Code.Crashed, EXITED]);
  expect([other.code, other.cause]).toEqual([Code.Crashed, undefined]);
});

test('a time limit in the microtasks of another job ends the job it is of', async () => {
  const { pool, begun } = poolOf();
  const endless = pool.run(
    async ({ host }) => {
      const opened = new Promise((resolve) => {
        globalThis.open = resolve;
      });
      host.entered();
      await opened;
      for (;;);
    },
    // Enough to begin on a busy machine.
    { timeoutMs: 3000 },
  );
  const ends = outcomes([endless]);
  await begun(1);
  const other = pool.run(() => globalThis.open());
  expect(await outcomes([other])).toEqual([Code.Crashed]);
  expect(await ends).toEqual([Code.JobTimeout]);
  expect(await pool.run(() => 1)).toBe(1);
});

test('too many microtasks are told of the job that has them', async () => {
  const { pool, begun, open } = poolOf({ maxMicrotasks: 1000 });
  const endless = pool.run(async ({ host }) => {
    await host.entered();
    await host.opened();
    for (;;) await null;
  });
  const ends = Promise.allSettled([endless, pool.run(innocent)]);
  await begun(2);
  open();
  const [first, second] = (await ends).map(({ reason }) => reason);
  expect(first.code).toBe(Code.JobTimeout);
  expect(first.message).toContain('microtask drain exceeded its bound');
  expect(second.code).toBe(Code.Crashed);
});

describe('what nobody catches becomes the cause of its own job', () => {
  const never = () => new Promise(() => {});
  const LOSES = {
    'a rejection': async ({ host }) => {
      await host.entered();
      await host.opened();
      Promise.reject(new Error('mine'));
      await new Promise(() => {});
    },
    'a rejection of a host function': async ({ host }) => {
      await host.entered();
      await host.opened();
      host.fails();
      await new Promise(() => {});
    },
    'an error in a timer': async ({ host }) => {
      await host.entered();
      await host.opened();
      await new Promise(() => {
        setTimeout(() => {
          throw new Error('mine');
        }, 1);
      });
    },
    'an error in a microtask': async ({ host }) => {
      await host.entered();
      await host.opened();
      queueMicrotask(() => {
        throw new Error('mine');
      });
      await new Promise(() => {});
    },
  };

  test.each(Object.keys(LOSES))('%s', async (what) => {
    let open;
    const opened = new Promise((resolve) => {
      open = resolve;
    });
    let entered = 0;
    const pool = shared({
      host: {
        entered: () => {
          entered += 1;
        },
        opened: () => opened,
        fails: () => {
          throw new Error('mine');
        },
      },
    });
    pool.on('error', () => {});
    const loses = pool.run(LOSES[what]);
    const others = [pool.run(never), pool.run(never)];
    const ends = Promise.allSettled([loses, ...others]);
    while (entered < 1) await new Promise((resolve) => setTimeout(resolve, 1));
    open();
    const errors = (await ends).map(({ reason }) => reason);
    expect(errors.map(({ code }) => code)).toEqual(
      Array(3).fill(Code.JobTimeout),
    );
    expect(errors.map(({ cause }) => cause?.message)).toEqual([
      'mine',
      undefined,
      undefined,
    ]);
  });
});

test('a listener for cancellation runs as its own job', async () => {
  const { pool, begun } = poolOf({ cancelGraceMs: 5000 });
  const controller = new AbortController();
  const listens = pool.run(
    async ({ host, signal }) => {
      signal.addEventListener('abort', () => process.exit(7));
      await host.entered();
      await new Promise((resolve) => setTimeout(resolve, 60_000));
    },
    { signal: controller.signal },
  );
  const other = pool.run(innocent);
  const ends = Promise.allSettled([listens, other]);
  await begun(2);
  controller.abort();
  const [first, second] = (await ends).map(({ reason }) => reason);
  expect(first.code).toBe(Code.JobCancelled);
  expect([second.code, second.cause]).toEqual([Code.Crashed, undefined]);
});

test('AsyncLocalStorage keeps its store in timers', async () => {
  const { pool } = poolOf();
  const stores = pool.run(async () => {
    const { AsyncLocalStorage } = await import('node:async_hooks');
    const storage = new AsyncLocalStorage();
    return new Promise((resolve) => {
      storage.run('a', () => {
        setTimeout(() => {
          const seen = [storage.getStore()];
          setImmediate(() => {
            seen.push(storage.getStore());
            resolve(seen);
          });
        }, 1);
      });
    });
  });
  expect(await stores).toEqual(['a', 'a']);
});
