'use strict';
// Every name that this Node's modules and globals have on a thread of its own is
// there in an isolate, but for those of the list, which docs/runtime.md
// explains. A new release of Node may add some: then this says which.

const { WorkerPool } = require('../../../lib/index.js');

const MODULES = [
  ...['assert', 'async_hooks', 'buffer', 'console', 'constants', 'crypto'],
  ...['diagnostics_channel', 'events', 'module', 'os', 'path', 'perf_hooks'],
  ...['process', 'punycode', 'querystring', 'stream', 'stream/consumers'],
  ...['stream/promises', 'stream/web', 'string_decoder', 'timers', 'tty'],
  ...['timers/promises', 'url', 'util', 'util/types', 'vm', 'worker_threads'],
  'zlib',
];

// The names of each module, `Class.static` and `Class#member`.
const ABSENT = {
  globals: [
    ...['BroadcastChannel', 'Error.prepareStackTrace'],
    ...['Navigator#locks', 'Request#attribute'],
    'Storage',
    ...['WebSocket', 'fetch', 'localStorage', 'sessionStorage'],
  ],
  console: ['createTask'],
  crypto: [
    ...['Cipher', 'Decipher', 'createCipher', 'createDecipher'],
    'parsePKCS12',
  ],
  process: [
    // Threads have these, the main thread has not.
    ...['mainModule', 'removeAllListeners'],
    'moduleLoadList',
  ],
  worker_threads: [/^BroadcastChannel#/, /^Worker[.#]/, 'locks'],
};

// This runs in an isolate and on a thread.
async function namesOf({ input: modules }) {
  const hidden =
    /^(_.*|length|name|prototype|caller|arguments|constructor|super_|disabled|withoutStackTrace|to(Locale)?String)$/;
  const all = {};
  const own = (object) =>
    Object.getOwnPropertyNames(object).filter((name) => !hidden.test(name));
  for (const module of modules) {
    const exports =
      module === 'globals'
        ? globalThis
        : (await import(`node:${module}`)).default;
    const names = [];
    for (const name of own(exports)) {
      names.push(name);
      let value;
      try {
        value = exports[name];
      } catch {}
      if (typeof value !== 'function') continue;
      names.push(...own(value).map((member) => `${name}.${member}`));
      const { prototype } = value;
      if (typeof prototype !== 'object' || prototype === null) continue;
      names.push(...own(prototype).map((member) => `${name}#${member}`));
    }
    all[module] = names;
  }
  return all;
}

// The members of a class that is missing are missing too.
function missingOf(wanted, found) {
  const there = new Set(found);
  const missing = wanted.filter((name) => !there.has(name));
  return missing.filter((name) => {
    const [owner] = name.split(/[.#]/);
    return owner === name || there.has(owner);
  });
}

test('what an isolate lacks is known', async () => {
  const pool = WorkerPool.create('names', { workers: 1, memoryLimitMb: 512 });
  // A thread, because Jest's global object is no process's.
  const threads = WorkerPool.create('all', { workers: 1, runtime: 'thread' });
  const input = ['globals', ...MODULES];
  const [found, wanted] = await Promise.all([
    pool.run(namesOf, { input }),
    threads.run(namesOf, { input }),
  ]);
  await Promise.all([pool.stop(), threads.stop()]);
  const unknown = [];
  let count = 0;
  for (const module of input) {
    const known = ABSENT[module] ?? [];
    for (const name of missingOf(wanted[module], found[module])) {
      count += 1;
      const isKnown = known.some((each) =>
        typeof each === 'string' ? each === name : each.test(name),
      );
      if (!isKnown) unknown.push(`${module}: ${name}`);
    }
  }
  expect(unknown).toEqual([]);
  expect(count).toBeLessThan(60);
});

// A bundler may name two functions alike, and a number to one of them.
test('functions have the names that they have on a thread', async () => {
  const pool = WorkerPool.create('names', { workers: 1, memoryLimitMb: 512 });
  const named = async ({ input }) => {
    const wrong = [];
    for (const module of input) {
      const exports = (await import(`node:${module}`)).default;
      for (const key of Object.keys(exports)) {
        let value;
        try {
          value = exports[key];
        } catch {}
        if (typeof value !== 'function') continue;
        if (/\D\d$/.test(value.name) && value.name !== key) {
          wrong.push(`${module}.${key}: ${value.name}`);
        }
      }
    }
    return wrong;
  };
  try {
    expect(await pool.run(named, { input: MODULES })).toEqual([]);
  } finally {
    await pool.stop();
  }
});
