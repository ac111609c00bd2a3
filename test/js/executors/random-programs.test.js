'use strict';
// The same random program on isolates and on threads has the same outcomes:
// values, codes, causes, messages, what jobs left in the globals, and counters.
// SW_SEED=n repeats one.

const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const { WorkerPool } = require('../../../lib/index.js');

const PROGRAMS = 6;
const STEPS = 12;
const LIMIT_MS = 40;

const folder = mkdtempSync(join(tmpdir(), 'sw-random-'));
afterAll(() => rmSync(folder, { recursive: true }));
const MODULE = join(folder, 'module.mjs');
writeFileSync(
  MODULE,
  `let calls = 0;
  await new Promise((resolve) => setTimeout(resolve, 5));
  export const call = (input) => [input, ++calls];
  export const fail = () => { throw new RangeError('by an export'); };
  export const notCallable = 1;`,
);
const INIT = join(folder, 'init.mjs');
writeFileSync(
  INIT,
  `export const init = (data) => ({ data, jobs: 0 });
  export const dispose = () => {};`,
);

/** Numbers from 0 to 1 that the seed decides (mulberry32). */
function randomOf(seed) {
  let at = seed;
  return () => {
    at = (at + 0x6d2b79f5) | 0;
    let t = Math.imul(at ^ (at >>> 15), 1 | at);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function valueFor(random, depth = 0) {
  const kind = Math.floor(random() * (depth > 2 ? 6 : 9));
  if (kind === 0) return null;
  if (kind === 1) return random() < 0.5;
  if (kind === 2) return Math.floor(random() * 1e6) / 7;
  if (kind === 3) return 'text é\u{1F600}'.repeat(Math.floor(random() * 20));
  if (kind === 4) return new Uint8Array(Math.floor(random() * 64)).fill(7);
  if (kind === 5) return -0;
  const count = Math.floor(random() * 4);
  const values = Array.from({ length: count }, () =>
    valueFor(random, depth + 1),
  );
  if (kind < 8) return values;
  return Object.fromEntries(values.map((value, i) => [`key${i}`, value]));
}

// Each takes the pool and random numbers, and returns promises.
const JOBS = {
  echo: (pool, random) => [
    pool.run(({ input }) => input, { input: valueFor(random) }),
  ],
  counts: (pool) => [
    pool.run(() => {
      globalThis.count = (globalThis.count ?? 0) + 1;
      return globalThis.count;
    }),
  ],
  state: (pool) => [
    pool.run(({ state }) => {
      state.jobs += 1;
      return state;
    }),
  ],
  throws: (pool, random) => [
    pool.run(
      ({ input }) => {
        throw Object.assign(new RangeError('thrown'), { input });
      },
      { input: valueFor(random) },
    ),
  ],
  'throws a value': (pool, random) => [
    pool.run(
      async ({ input }) => {
        await null;
        throw input;
      },
      { input: valueFor(random) },
    ),
  ],
  waits: (pool, random) => [
    pool.run(
      async ({ input }) => {
        await new Promise((resolve) => setTimeout(resolve, input));
        return 'waited';
      },
      { input: Math.floor(random() * 5) },
    ),
  ],
  'loops for ever': (pool) => [
    pool.run(
      () => {
        for (;;);
      },
      { runTimeoutMs: LIMIT_MS },
    ),
  ],
  'waits for ever': (pool) => [
    pool.run(() => new Promise(() => setInterval(() => {}, 1000)), {
      runTimeoutMs: LIMIT_MS,
    }),
  ],
  exits: (pool) => [pool.run(() => process.exit(3))],
  emits: (pool, random) => {
    const heard = [];
    const job = pool.run(
      ({ input, emit }) => {
        for (const value of input) emit(value);
        return 'emitted';
      },
      {
        input: [1, valueFor(random), 3],
        onMessage: (value) => heard.push(value),
      },
    );
    return [job.then((value) => ({ value, heard }))];
  },
  'calls the host': (pool, random) => [
    pool.run(({ input, host }) => host.twice(input), {
      input: Math.floor(random() * 100),
    }),
    pool.run(({ host }) => host.fails()),
  ],
  streams: (pool, random) => [
    (async () => {
      const values = [];
      const stream = pool.stream(
        async function* ({ input }) {
          for (let i = 0; i < input; i += 1) yield i;
          if (input % 2 === 1) throw new TypeError('odd');
        },
        { input: Math.floor(random() * 6) },
      );
      for await (const value of stream) values.push(value);
      return values;
    })(),
  ],
  'calls exports': (pool, random) => [
    pool.invoke('call', valueFor(random)),
    pool.invoke('fail'),
    pool.invoke('notCallable'),
    pool.invoke('missing'),
  ],
  'cannot be sent': (pool) => [
    pool.run(() => 1, { input: () => {} }),
    pool.run(() => () => {}),
    pool.run(() => Number.NaN),
  ],
  'is cancelled while it waits': (pool, random) => {
    const controller = new AbortController();
    const { signal } = controller;
    const before = pool.run(({ input }) => input, { input: 'before' });
    const jobs = Array.from({ length: 3 }, () =>
      pool.run(() => 'never', { signal, priority: Math.floor(random() * 8) }),
    );
    controller.abort();
    return [before, ...jobs];
  },
  'is cancelled while it runs': (pool) => {
    const controller = new AbortController();
    const { signal } = controller;
    const job = pool.run(
      ({ emit }) => {
        emit('begun');
        for (;;);
      },
      { signal, onMessage: () => controller.abort() },
    );
    return [job];
  },
  'is late already': (pool) => [pool.run(() => 1, { timeoutMs: 0 })],
  'has a key': (pool, random) =>
    Array.from({ length: 5 }, (_, i) =>
      pool.run(({ input }) => input, {
        input: i,
        key: `key${Math.floor(random() * 2)}`,
      }),
    ),
  'is paused': (pool) => {
    pool.pause();
    const jobs = Array.from({ length: 9 }, (_, i) =>
      pool.run(({ input }) => input, { input: i, priority: i % 8 }),
    );
    pool.resume();
    return jobs;
  },
  'finds shared values': (pool, random) => {
    const name = `shared${Math.floor(random() * 1e9)}`;
    const value = pool.share(name, valueFor(random));
    const job = pool.run(({ input, shared }) => shared[input] ?? 'none', {
      input: name,
    });
    return [job.finally(() => value.release())];
  },
  // A thread that was ended or is renewed is no worker until another is there.
  'is for all': (pool, _random, options) => {
    if (options.recycleAfterJobs !== undefined) return [];
    const isThere = pool.run(() => 'there');
    const all = isThere.then(() =>
      pool.broadcast(() => {
        globalThis.mark = 1;
        return 'done';
      }),
    );
    return [isThere, all, all.then(() => pool.run(() => globalThis.mark))];
  },
};

function plain(value) {
  if (value instanceof Uint8Array) return { bytes: [...value] };
  if (Object.is(value, -0)) return '-0';
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, plain(one)]),
    );
  }
  return value === undefined ? 'undefined' : value;
}

function described(error) {
  const { code, name, cause } = error;
  const why =
    cause instanceof Error
      ? { name: cause.name, message: cause.message, input: plain(cause.input) }
      : plain(cause);
  return code === undefined ? { name, message: error.message } : { code, why };
}

const outcomeOf = (promise) =>
  promise.then(
    (value) => ({ value: plain(value) }),
    (error) => described(error),
  );

async function outcomes(runtime, seed) {
  const random = randomOf(seed);
  const options = { runtime, maxQueued: 6, module: MODULE };
  if (random() < 0.7) options.init = { module: INIT, data: valueFor(random) };
  if (random() < 0.3) options.recycleAfterJobs = 3;
  if (random() < 0.3) options.minWorkers = 1;
  const host = {
    twice: (n) => 2 * n,
    fails: () => {
      throw new TypeError('by the host');
    },
  };
  const pool = WorkerPool.create('random', { ...options, host });
  const kinds = Object.keys(JOBS).filter(
    (kind) => kind !== 'state' || options.init !== undefined,
  );
  const lines = [];
  try {
    for (let step = 0; step < STEPS; step += 1) {
      const kind = kinds[Math.floor(random() * kinds.length)];
      const ends = JOBS[kind](pool, random, options).map(outcomeOf);
      lines.push({ step, kind, ends: await Promise.all(ends) });
      // A job that was ended leaves its worker a moment later.
      await pool.drain();
    }
    await pool.stop();
    const { completed, failed, cancelled } = pool.metrics().counters;
    lines.push({ completed, failed, cancelled });
    return lines;
  } finally {
    await pool.stop({ drain: false, timeoutMs: 0 });
  }
}

const first = Number(process.env.SW_SEED ?? 1);
const count = process.env.SW_SEED === undefined ? PROGRAMS : 1;
const seeds = Array.from({ length: count }, (_, i) => first + i);

test.each(seeds)('seed %i', async (seed) => {
  const [isolates, threads] = await Promise.all([
    outcomes('isolate', seed),
    outcomes('thread', seed),
  ]);
  expect(threads).toEqual(isolates);
});
