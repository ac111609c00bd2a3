'use strict';
// The cause of a job’s failure: an error as it was thrown, in all runtimes.

const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { createPool, rejection, startWorker, stopAll } = require('./support.js');

afterEach(stopAll);

const failure = (fn, options) => rejection(createPool().run(fn, options));
const causeOf = async (fn, options) => (await failure(fn, options)).cause;

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
