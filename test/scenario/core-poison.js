'use strict';
// Prototypes replaced by a job neither break its worker nor reach the next job
// when each has a realm of its own; prototypes replaced around the caller do
// not break the library.

const { Code, WorkerPool, assert, outcomeOf, pass } =
  require('./support/check.js');

const poison = () => {
  const bad = () => {
    throw new Error('poisoned');
  };
  // Indexes and what was there before serve: this poison reaches itself.
  const { defineProperty } = Object;
  const poisoned = [
    [Object.prototype, ['toString', 'hasOwnProperty', 'isPrototypeOf']],
    [
      Array.prototype,
      ['push', 'indexOf', 'slice', 'map', 'join', Symbol.iterator],
    ],
    [Promise.prototype, ['then', 'catch', 'finally']],
    [Promise, ['resolve', 'reject', 'all']],
    [JSON, ['parse', 'stringify']],
    [Map.prototype, ['get', 'set', 'delete', 'has', 'forEach']],
    [Set.prototype, ['add', 'delete', 'has', 'forEach']],
    [WeakMap.prototype, ['get', 'set']],
    [Function.prototype, ['call', 'apply', 'bind', 'toString']],
    [Reflect, ['apply', 'ownKeys', 'get', 'construct']],
    [Object, ['keys', 'getPrototypeOf', 'defineProperty', 'assign', 'hasOwn']],
    [Object.getPrototypeOf(Uint8Array.prototype), ['set', 'slice', 'subarray']],
    [String.prototype, ['substring', 'slice', 'indexOf']],
    [Error, ['captureStackTrace', Symbol.hasInstance]],
  ];
  const names = ['0', '1', 'kind', 'value', 'code', 'signal'];
  for (let i = 0; i < poisoned.length; i++) {
    const keys = poisoned[i][1];
    for (let k = 0; k < keys.length; k++) {
      defineProperty(poisoned[i][0], keys[k], {
        __proto__: null,
        value: bad,
        configurable: true,
        writable: true,
      });
    }
  }
  const trap = {
    __proto__: null,
    get: bad,
    set: bad,
    configurable: true,
  };
  for (let i = 0; i < names.length; i++) {
    defineProperty(Object.prototype, names[i], trap);
  }
};
const DATA = { a: [1, 'two', { three: null }], bytes: new Uint8Array([1, 2]) };
const echo = ({ input }) => input;
const asyncEcho = async ({ input }) => {
  await null;
  return input;
};

async function inTheWorker() {
  for (const isolation of ['worker', 'context', 'isolate']) {
    const pool = WorkerPool.create('poison', { workers: 1, isolation });
    await pool.run(poison);
    assert.deepStrictEqual(await pool.run(echo, { input: DATA }), DATA);
    if (isolation !== 'worker') {
      assert.deepStrictEqual(await pool.run(asyncEcho, { input: DATA }), DATA);
      assert.strictEqual(await pool.run(() => `${[1, 2].map(String)}`), '1,2');
    }
    const error = await pool
      .run(() => {
        throw new RangeError('mine');
      })
      .catch((reason) => reason);
    assert.strictEqual(error.code, Code.JobFailed);
    assert.ok(error.cause instanceof RangeError);
    assert.strictEqual(error.cause.message, 'mine');
    await pool.stop();
  }
}

async function nothingToReach() {
  const pool = WorkerPool.create('globals');
  const names = await pool.run(() =>
    Object.getOwnPropertyNames(globalThis).filter((name) =>
      /sloppy|native|codec/i.test(name),
    ),
  );
  assert.deepStrictEqual(names, []);
  const seen = await pool.run((ctx) => {
    const out = [];
    const error = new Error('x');
    Error.prepareStackTrace = (_, sites) =>
      sites.map((site) => [
        typeof site.getThis(),
        typeof site.getFunction(),
        site.getFunction?.() === undefined,
      ]);
    out.push(...new Error('y').stack, error.stack.length > 0);
    delete Error.prepareStackTrace;
    out.push(Object.keys(ctx.signal).length);
    return out.length;
  });
  assert.ok(seen > 0);
  await pool.stop();
}

// A realm of its own is looked at: the poison stays in the main realm.
async function aroundTheCaller() {
  const pool = WorkerPool.create('owner', { workers: 2 });
  await pool.run(echo, { input: DATA });
  const kept = new Map();
  const bad = () => {
    throw new Error('poisoned owner');
  };
  const list = [
    [Array.prototype, Symbol.iterator],
    [Array.prototype, 'push'],
    [Array.prototype, 'map'],
    [Promise.prototype, 'then'],
    [Promise.prototype, 'catch'],
    [Promise, 'all'],
    [JSON, 'parse'],
    [JSON, 'stringify'],
    [Object.prototype, 'toString'],
    [Object.prototype, 'hasOwnProperty'],
    [Object, 'keys'],
    [Object, 'getPrototypeOf'],
    [Uint8Array.prototype, 'set'],
    [Object.getPrototypeOf(Uint8Array.prototype), 'set'],
    [Object.getPrototypeOf(Uint8Array.prototype), 'slice'],
    [ArrayBuffer.prototype, 'slice'],
  ];
  for (const pair of list) {
    const [object, key] = pair;
    kept.set(pair, Object.getOwnPropertyDescriptor(object, key));
  }
  const results = [];
  const { defineProperty } = Object;
  const entries = [...kept];
  for (let i = 0; i < entries.length; i++) {
    const pair = entries[i][0];
    const before = entries[i][1];
    let messages = 0;
    defineProperty(pair[0], pair[1], { value: bad, configurable: true });
    let trouble;
    let result;
    let failed;
    let late;
    let stopped;
    try {
      result = await pool.run(
        ({ input, emit }) => {
          emit(input);
          return input;
        },
        {
          input: DATA,
          onMessage: () => {
            messages += 1;
          },
        },
      );
      failed = await outcomeOf(
        pool.run(() => {
          throw new TypeError('mine');
        }),
      );
      const loop = () => {
        for (;;);
      };
      late = await outcomeOf(pool.run(loop, { timeoutMs: 20 }));
      const other = WorkerPool.create('other');
      const running = outcomeOf(other.run(loop));
      const queued = outcomeOf(other.run(echo));
      await other.stop({ drain: false, timeoutMs: 20 });
      stopped = await queued;
      await running;
    } catch (error) {
      trouble = error;
    }
    if (before) defineProperty(pair[0], pair[1], before);
    else delete pair[0][pair[1]];
    assert.strictEqual(trouble, undefined, String(pair[1]));
    assert.deepStrictEqual(result, DATA);
    assert.strictEqual(messages, 1, String(pair[1]));
    assert.strictEqual(failed, Code.JobFailed, String(pair[1]));
    assert.strictEqual(late, Code.JobTimeout, String(pair[1]));
    assert.strictEqual(stopped, Code.ShutdownCancelled, String(pair[1]));
    results.push(result);
  }
  for (const key of ['then', 'kind', 'timeoutMs']) {
    let caught = 0;
    defineProperty(Object.prototype, key, {
      get() {
        return undefined;
      },
      set() {
        caught += 1;
      },
      configurable: true,
    });
    const result = await pool.run(echo, { input: DATA });
    delete Object.prototype[key];
    assert.deepStrictEqual(result, DATA);
    assert.strictEqual(caught, 0, key);
  }
  await pool.stop();
}

(async () => {
  await inTheWorker();
  await nothingToReach();
  await aroundTheCaller();
  pass();
})();
