'use strict';
// Section 19: what a job throws, as the caller sees it. Section 7.1 and the
// judging rules: nothing of the user's in a SloppyWorkerError's own text.

const { inspect } = require('node:util');
const { SloppyWorkerError } = require('../../../lib/index.js');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { createPool, moduleFile, occupy, rejection, startWorker, stopAll } =
  require('./support.js');
const { Worker } = require('../../../lib/index.js');

afterEach(stopAll);

const failure = (fn, options) => rejection(createPool().run(fn, options));
const causeOf = async (fn, options) => (await failure(fn, options)).cause;

test('a job that throws rejects with one code and a fixed text', async () => {
  for (const fn of [
    () => {
      throw new Error('secret');
    },
    () => Promise.reject(new Error('secret')),
    async () => {
      await null;
      throw new Error('secret');
    },
  ]) {
    const error = await failure(fn);
    expect(error).toBeInstanceOf(SloppyWorkerError);
    expect(error).toBeInstanceOf(Error);
    expect(error.message).toBe(
      'SLOPPY_E_WORK_JOB_FAILED: work queue job failed',
    );
    expect(error.stack).not.toContain('secret');
    expect(error.cause.message).toBe('secret');
  }
});

describe('the cause', () => {
  test.each([
    ['AbortError', 20],
    ['DataCloneError', 25],
    ['MyError', 0],
  ])('is a DOMException again: %s', async (name, code) => {
    const cause = await causeOf(
      ({ input }) => {
        throw new DOMException('its text', input);
      },
      { input: name },
    );
    expect(cause).toBeInstanceOf(DOMException);
    expect([cause.name, cause.message, cause.code]).toEqual([
      name,
      'its text',
      code,
    ]);
    expect(cause.stack).toContain('its text');
    expect(Object.keys(cause)).toEqual([]);
  });

  test('is the DOMException of a signal, or of a value that cannot be cloned', async () => {
    const aborted = await causeOf(() => AbortSignal.abort().throwIfAborted());
    expect(aborted).toBeInstanceOf(DOMException);
    expect(aborted.name).toBe('AbortError');
    const uncloned = await causeOf(() => structuredClone(() => {}));
    expect(uncloned).toBeInstanceOf(DOMException);
    expect(uncloned.name).toBe('DataCloneError');
    const nested = await causeOf(() => {
      throw new Error('outer', {
        cause: new DOMException('inner', 'AbortError'),
      });
    });
    expect(nested.cause).toBeInstanceOf(DOMException);
    expect(nested.cause.code).toBe(20);
  });

  test.each([
    'Error',
    'EvalError',
    'RangeError',
    'ReferenceError',
    'SyntaxError',
    'TypeError',
    'URIError',
  ])('is a %s again', async (name) => {
    const cause = await causeOf(
      ({ input }) => {
        throw new globalThis[input](`text of ${input}`);
      },
      { input: name },
    );
    expect(cause).toBeInstanceOf(globalThis[name]);
    expect(cause).toBeInstanceOf(Error);
    expect(cause.name).toBe(name);
    expect(cause.message).toBe(`text of ${name}`);
  });

  test('keeps the name of a class of the job', async () => {
    const cause = await causeOf(() => {
      class ParseError extends RangeError {
        constructor(message) {
          super(message);
          this.name = 'ParseError';
          this.line = 7;
        }
      }
      throw new ParseError('bad');
    });
    expect(cause).toBeInstanceOf(RangeError);
    expect(cause).toMatchObject({
      name: 'ParseError',
      message: 'bad',
      line: 7,
    });
  });

  test('keeps own enumerable properties that can travel', async () => {
    const cause = await causeOf(() => {
      throw Object.assign(new Error('x'), {
        code: 'E_CODE',
        details: { list: [1, { deep: true }], bytes: new Uint8Array([1]) },
        callback: () => {},
        big: 5n,
      });
    });
    expect(cause).toMatchObject({
      code: 'E_CODE',
      details: { list: [1, { deep: true }], bytes: new Uint8Array([1]) },
    });
    expect(Object.keys(cause).sort()).toEqual(['code', 'details']);
  });

  test('keeps nested causes', async () => {
    const cause = await causeOf(() => {
      const inner = new TypeError('inner', { cause: { plain: 1 } });
      throw new Error('outer', { cause: inner });
    });
    expect(cause.message).toBe('outer');
    expect(cause.cause).toBeInstanceOf(TypeError);
    expect(cause.cause.message).toBe('inner');
    expect(cause.cause.cause).toEqual({ plain: 1 });
    expect(Object.keys(cause)).toEqual([]);
  });

  test('keeps the errors of an AggregateError', async () => {
    const cause = await causeOf(() =>
      Promise.any([
        Promise.reject(new RangeError('one')),
        Promise.reject('two'),
      ]),
    );
    expect(cause).toBeInstanceOf(AggregateError);
    expect(cause.errors).toHaveLength(2);
    expect(cause.errors[0]).toBeInstanceOf(RangeError);
    expect(cause.errors[0].message).toBe('one');
    expect(cause.errors[1]).toBe('two');
  });

  test('may go round in a circle', async () => {
    const cause = await causeOf(() => {
      const error = new Error('round');
      error.cause = error;
      throw error;
    });
    expect(cause.message).toBe('round');
  });

  test("has the worker's stack, with function and line", async () => {
    const cause = await causeOf(function outer() {
      function inner() {
        throw new Error('here');
      }
      inner();
    });
    expect(cause.stack).toMatch(/^Error: here\n/);
    expect(cause.stack).toMatch(/at inner \(sloppy:pool\/outer:3:\d+\)/);
    expect(cause.stack).toMatch(
      /at (\S+\.)?outer \(sloppy:pool\/outer:5:\d+\)/,
    );
  });

  test('names the file and line of a module', async () => {
    const worker = await startWorker(`
      function inner() {
        throw new Error('here');
      }
      export function outer() { inner(); }
    `);
    const { cause } = await rejection(worker.invoke('outer'));
    expect(cause.stack).toMatch(/at inner \(.*module\.mjs:3:\d+\)/);
    expect(cause.stack).toMatch(/at (\S+\.)?outer \(.*module\.mjs:5:\d+\)/);
  });

  test("goes on with the caller's async stack, as does the error", async () => {
    const pool = createPool();
    async function handler() {
      return await pool.run(function inside() {
        throw new Error('here');
      });
    }
    async function route() {
      return await handler();
    }
    const error = await rejection(route());
    // Jest's formatter leaves out the word async.
    const callers = /at (async )?handler .*\n\s+at (async )?route /;
    expect(error.stack).toMatch(callers);
    expect(error.cause.stack).toMatch(/at inside \(sloppy:pool\/inside:\d/);
    expect(error.cause.stack).toMatch(callers);
    expect(error.cause.stack.match(/at (async )?handler/g)).toHaveLength(1);
  });

  test('goes on through Promise.all', async () => {
    const pool = createPool({ workers: 2 });
    async function both() {
      return await Promise.all([
        pool.run(() => 1),
        pool.run(() => {
          throw new Error('here');
        }),
      ]);
    }
    const error = await rejection(both());
    expect(error.cause.stack).toMatch(
      /at async Promise\.all \(index 1\)\n\s+at (async )?both /,
    );
  });

  test.each([['text'], [5], [null], [true], [{ a: [1] }], [[1, 2]]])(
    'is the value itself when it is no error: %j',
    async (value) => {
      const cause = await causeOf(
        ({ input }) => {
          throw input;
        },
        { input: value },
      );
      expect(cause).toEqual(value);
    },
  );

  test('undefined', async () => {
    const error = await failure(() => {
      throw undefined;
    });
    expect(error.code).toBe(Code.JobFailed);
    expect(error.cause).toBeUndefined();
    expect('cause' in error).toBe(true);
  });

  test('says the kind of what cannot travel', async () => {
    for (const [fn, kind] of [
      [
        () => {
          throw Symbol('s');
        },
        'symbol',
      ],
      [
        () => {
          throw () => {};
        },
        'function',
      ],
    ]) {
      expect((await causeOf(fn)).message).toContain(kind);
    }
  });

  test('survives an error whose members throw', async () => {
    const error = await failure(() => {
      const hostile = new Error('x');
      for (const key of ['message', 'name', 'stack', 'cause', 'extra']) {
        Object.defineProperty(hostile, key, {
          enumerable: true,
          get() {
            throw new Error('no');
          },
        });
      }
      throw hostile;
    });
    expect(error.code).toBe(Code.JobFailed);
    const proxied = await failure(() => {
      throw new Proxy(new Error('x'), {
        get() {
          throw new Error('no');
        },
        getPrototypeOf() {
          throw new Error('no');
        },
        ownKeys() {
          throw new Error('no');
        },
      });
    });
    expect(proxied.code).toBe(Code.JobFailed);
  });

  test('a member __proto__ is data', async () => {
    const cause = await causeOf(() => {
      const error = new Error('x');
      Object.defineProperty(error, '__proto__', {
        enumerable: true,
        value: { polluted: 1 },
      });
      throw error;
    });
    expect(Object.getPrototypeOf(cause)).toBe(Error.prototype);
    expect(cause.polluted).toBeUndefined();
  });

  // Longer texts are cut at 64 Ki.
  test('a very long message', async () => {
    const cause = await causeOf(() => {
      throw new Error('x'.repeat(60_000));
    });
    expect(cause.message).toHaveLength(60_000);
  });

  test('a job cannot forge a code', async () => {
    const error = await failure(() => {
      throw Object.assign(new Error('x'), {
        name: 'SloppyWorkerError',
        code: 'SLOPPY_E_WORKER_STALE_HANDLE',
      });
    });
    expect(error.code).toBe(Code.JobFailed);
    expect(error.cause.code).toBe(Code.StaleHandle);
  });
});

test('a failure is told before its place is given away', async () => {
  const pool = createPool();
  const order = [];
  const failed = pool
    .run(() => {
      throw new Error('x');
    })
    .catch(() => order.push('failed'));
  const drained = pool.drain().then(() => order.push('drained'));
  await Promise.all([failed, drained]);
  expect(order).toEqual(['failed', 'drained']);
  expect(pool.state.queue).toMatchObject({ active: 0, queued: 0 });
});

test('throwIfCancelled in a job', async () => {
  const controller = new AbortController();
  const pool = createPool({ cancelGraceMs: 60_000 });
  const promise = pool.run(
    ({ signal, emit }) => {
      emit(1);
      for (;;) signal.throwIfCancelled();
    },
    { signal: controller.signal, onMessage: () => controller.abort('secret') },
  );
  const error = await rejection(promise);
  expect(error.code).toBe(Code.JobCancelled);
  await pool.drain();
});

describe('a secret', () => {
  const SECRET = 's3cr3t-4711';

  /** Every way a secret can get near an error of ours. */
  const ways = {
    payloadType: (pool) => pool.run(() => 1, { input: { [SECRET]: () => {} } }),
    payloadCycle: (pool) => {
      const input = { [SECRET]: SECRET };
      input.self = input;
      return pool.run(() => 1, { input });
    },
    payloadGetter: (pool) =>
      pool.run(() => 1, {
        input: {
          get [SECRET]() {
            throw new Error(SECRET);
          },
        },
      }),
    payloadNumber: (pool) =>
      pool.run(() => 1, { input: { [SECRET]: Number.NaN } }),
    payloadTooLarge: () =>
      createPool({ maxPayloadBytes: 10 }).run(() => 1, {
        input: SECRET.repeat(10),
      }),
    cancelledBefore: (pool) =>
      pool.run(() => 1, { signal: AbortSignal.abort(SECRET) }),
    cancelledBeforeByError: (pool) =>
      pool.run(() => 1, { signal: AbortSignal.abort(new Error(SECRET)) }),
    cancelledRunning: (pool) => {
      const controller = new AbortController();
      const { started, promise } = occupy(pool, {
        signal: controller.signal,
        input: SECRET,
      });
      started.then(() => controller.abort(new Error(SECRET)));
      return promise;
    },
    timeout: (pool) => occupy(pool, { timeoutMs: 5, input: SECRET }).promise,
    thrown: (pool) =>
      pool.run(
        ({ input }) => {
          throw new Error(input);
        },
        { input: SECRET },
      ),
    thrownValue: (pool) =>
      pool.run(
        ({ input }) => {
          throw { input };
        },
        { input: SECRET },
      ),
    thrownName: (pool) =>
      pool.run(
        ({ input }) => {
          throw Object.assign(new Error(input), { name: input, code: input });
        },
        { input: SECRET },
      ),
    notDefined: (pool) => pool.run(new Function('', 'return missing')),
    resultType: (pool) =>
      pool.run(({ input }) => ({ [input]: () => {} }), { input: SECRET }),
    resultTooLarge: () =>
      createPool({ maxResultBytes: 10 }).run(({ input }) => input, {
        input: SECRET.repeat(10),
      }),
    stopped: (pool) => {
      pool.stop();
      return pool.run(() => 1, { input: SECRET });
    },
    shutdown: async (pool) => {
      const { started, promise } = occupy(pool, { input: SECRET });
      await started;
      pool.stop({ timeoutMs: 0 });
      return promise;
    },
    startup: () =>
      Worker.start(moduleFile(`throw new Error('${SECRET}'); export {}`)),
    startupSyntax: () => Worker.start(moduleFile(`const ${SECRET};`)),
    exportName: async () =>
      (await startWorker('export const f = () => 1;')).invoke(SECRET),
    exportThrows: async () =>
      (await startWorker('export const f = (text) => { throw text; };')).invoke(
        'f',
        SECRET,
      ),
  };

  test.each(Object.keys(ways))('%s: not in our text', async (way) => {
    const error = await rejection(ways[way](createPool()));
    expect(error).toBeInstanceOf(SloppyWorkerError);
    for (const own of [error.message, error.stack, error.hint, String(error)]) {
      expect(own).not.toContain(SECRET);
    }
    for (const key of Reflect.ownKeys(error)) {
      if (key !== 'cause') expect(inspect(error[key])).not.toContain(SECRET);
    }
  });

  test.each(['payloadType', 'payloadCycle', 'payloadGetter', 'payloadNumber'])(
    '%s: not in the cause either',
    async (way) => {
      const error = await rejection(ways[way](createPool()));
      expect(inspect(error, { showHidden: true })).not.toContain(SECRET);
    },
  );
});
