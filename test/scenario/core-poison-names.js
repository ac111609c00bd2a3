'use strict';
// Accessors on Object.prototype and Array.prototype, by number or by any name
// that the library uses for its own fields, change nothing: neither what
// arrives nor whether a promise settles. Both sides of the line have them.

const { readFileSync, readdirSync } = require('node:fs');
const { join } = require('node:path');

const { Deadline, WorkQueue } = require('../../lib/index.js');
const { WorkerPool, assert, pass } = require('./support/check.js');

const { defineProperty } = Object;

const long = Array.from({ length: 700 }, (_, i) => i);
const DATA = {
  few: [1, 'two', { three: [null, [4.5]] }],
  long,
  bytes: new Uint8Array([1, 2]),
};
const TEXT = JSON.stringify(DATA);
// Asked for now: later it would find the accessors as well.
const ownLengths = (value) => {
  const { few, long: many } = value;
  return [few, many].map((array) => Object.keys(array).length);
};

// They run in a process, a thread or a page of their own.
const OTHER_PROGRAMS =
  /^(cli|executors.thread|time)\b|^(adapters|exporters).[^.]+[/\\]/;

/** Every name that some file of the library assigns to. */
function fieldNames() {
  const names = new Set();
  const lib = join(__dirname, '../../lib');
  for (const file of readdirSync(lib, { recursive: true })) {
    if (!file.endsWith('.js') || OTHER_PROGRAMS.test(file)) continue;
    const text = readFileSync(join(lib, file), 'utf8');
    for (const [, name] of text.matchAll(/\.(\w+) (?:[-+|?&]+)?= /g)) {
      names.add(name);
    }
  }
  return [...names];
}

// An accessor that gives back what was set shows in no value, only in keys.
function poison(prototype, key) {
  let kept;
  defineProperty(prototype, key, {
    __proto__: null,
    get: () => kept,
    set: (value) => {
      kept = value;
    },
    configurable: true,
  });
}

async function useAll(pool, queue) {
  const job = ({ input, emit, signal, deadline }) => {
    emit([input.few, signal.cancelled, deadline.expired]);
    return input;
  };
  const heard = Object.setPrototypeOf([], null);
  const onMessage = (value) => {
    heard[heard.length] = value;
  };
  const results = await Promise.all([
    pool.run(job, { input: DATA, timeoutMs: 60_000, onMessage }),
    pool.run(job, { input: DATA, deadline: Deadline.never(), onMessage }),
    pool.run(job, { input: DATA, deadline: 60_000, onMessage }),
    queue.enqueue(DATA),
    queue.enqueue(DATA),
  ]);
  const failure = await pool
    .run(() => {
      throw new RangeError('mine');
    })
    .catch((error) => error);
  return { heard, results, failure };
}

async function withPoison(pool, queue, prototype, keys) {
  for (const key of keys) poison(prototype, key);
  let seen;
  try {
    seen = await useAll(pool, queue);
  } finally {
    for (const key of keys) delete prototype[key];
  }
  for (const result of seen.results) {
    assert.strictEqual(JSON.stringify(result), TEXT);
    assert.deepStrictEqual(ownLengths(result), [3, 700]);
  }
  assert.strictEqual(seen.heard.length, 3);
  assert.strictEqual(Object.keys(seen.heard[0][0]).length, 3);
  assert.ok(seen.failure.cause instanceof RangeError);
}

async function aroundTheOwner() {
  const pool = WorkerPool.create('owner', { workers: 1 });
  const queue = WorkQueue.create('owner', { concurrency: 1 });
  queue.process((job) => job.data);
  await useAll(pool, queue);
  const numbers = ['0', '1', '2', '9', '300', '699'];
  await withPoison(pool, queue, Object.prototype, numbers);
  await withPoison(pool, queue, Array.prototype, numbers);
  for (const name of fieldNames()) {
    try {
      await withPoison(pool, queue, Object.prototype, [name]);
    } catch (error) {
      error.message = `${name}: ${error.message}`;
      throw error;
    }
  }
  await pool.stop();
}

async function inTheWorker() {
  const pool = WorkerPool.create('worker');
  await pool.run(
    (ctx) => {
      for (const prototype of [Object.prototype, Array.prototype]) {
        for (const key of ctx.input) {
          let kept;
          Object.defineProperty(prototype, key, {
            __proto__: null,
            get: () => kept,
            set: (value) => {
              kept = value;
            },
            configurable: true,
          });
        }
      }
    },
    { input: ['0', '1', '2', '300', '699', 'input', 'kind', 'code', 'seq'] },
  );
  const lengths = await pool.run(
    ({ input }) => [
      Object.keys(input.few).length,
      Object.keys(input.long).length,
    ],
    { input: DATA },
  );
  assert.deepStrictEqual(lengths, [3, 700]);
  const result = await pool.run(({ input }) => input, { input: DATA });
  assert.deepStrictEqual(result, DATA);
  await pool.stop();
}

(async () => {
  await inTheWorker();
  await aroundTheOwner();
  pass();
})();
