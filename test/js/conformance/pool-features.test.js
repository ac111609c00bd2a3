'use strict';
// The features of pools beyond the original: modules, host functions, options;
// pool-stream.test.js and pool-events.test.js have the others.

const { WorkerPool } = require('../../../lib/index.js');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { createPool, moduleFile, rejection, stopAll } = require('./support.js');

afterEach(stopAll);

const MODULE = `
  let calls = 0;
  export const count = () => { calls += 1; return calls; };
  export function double(n) { return n * 2; }
  export async function failing(text) { throw new RangeError(text); }
  export async function* numbers(n) {
    for (let i = 0; i < n; i += 1) yield i;
    return 'end';
  }
  export const version = 3;
`;
const modulePool = (options) =>
  createPool({ module: moduleFile(MODULE), ...options });

describe('a pool with a module', () => {
  test('calls its exports by name', async () => {
    const pool = modulePool();
    expect(await pool.invoke('double', 4)).toBe(8);
    expect(await pool.invoke('count')).toBe(1);
    expect(await pool.tasks.count()).toBe(2);
    expect(await pool.tasks.double(5, { timeoutMs: 60_000 })).toBe(10);
    expect(await pool.run(({ input }) => input + 1, { input: 1 })).toBe(2);
  });

  test('the proxy is not a promise', async () => {
    const pool = modulePool();
    expect(pool.tasks.then).toBeUndefined();
    expect(pool.tasks[Symbol.iterator]).toBeUndefined();
    expect(await pool.tasks).toBe(pool.tasks);
  });

  test('what looks at any object calls no export', async () => {
    const pool = modulePool();
    expect(JSON.stringify({ tasks: pool.tasks })).toBe('{"tasks":{}}');
    expect(() => `${pool.tasks}`).toThrow(TypeError);
    expect(pool.state.queue.stats.enqueued).toBe(0);
  });

  test.each(['missing', 'version', 'toString'])(
    'an export %s is not callable',
    async (name) => {
      const error = await rejection(modulePool().invoke(name));
      expect(error.message).toBe(
        'SLOPPY_E_WORKER_CRASHED: worker export is not callable',
      );
    },
  );

  test('an export that is missing: which there are', async () => {
    const { cause, hint } = await rejection(modulePool().invoke('missing'));
    expect(cause).toBeInstanceOf(TypeError);
    expect(cause.message).toMatch(
      /^the module has no export 'missing'; it exports .*'double'/,
    );
    expect(hint).toMatch(/error\.cause/);
    const { cause: other } = await rejection(modulePool().invoke('version'));
    expect(other.message).toBe(
      "the module's export 'version' is no function, but a value of type number",
    );
  });

  test('an export that is missing in CommonJS', async () => {
    const pool = createPool({ module: moduleFile(MADE, 'module.cjs') });
    const { cause } = await rejection(pool.invoke('missing'));
    expect(cause.message).toBe(
      "the module has no export 'missing'; it exports 'default', 'twice', 'version'",
    );
  });

  test('an export that is missing among many, or none', async () => {
    const many = Array.from(
      { length: 30 },
      (_, i) => `export const e${i} = 1;`,
    );
    const pool = createPool({ module: moduleFile(many.join('\n')) });
    const { cause } = await rejection(pool.invoke('missing'));
    expect(cause.message).toMatch(/'e\d+' and 10 more$/);
    const none = createPool({ module: moduleFile('') });
    expect((await rejection(none.invoke('missing'))).cause.message).toBe(
      "the module has no export 'missing', and no others",
    );
  });

  const MADE = `
    const make = () => ({ twice: (n) => 2 * n, version: 3 });
    module.exports = make();
  `;

  test('calls what CommonJS exports only when it runs', async () => {
    const pool = createPool({ module: moduleFile(MADE, 'module.cjs') });
    expect(await pool.tasks.twice(4)).toBe(8);
    expect(await pool.tasks.twice(5)).toBe(10);
  });

  test.each(['missing', 'version', 'hasOwnProperty'])(
    'an export %s of such a module is not callable',
    async (name) => {
      const pool = createPool({ module: moduleFile(MADE, 'module.cjs') });
      expect((await rejection(pool.invoke(name))).message).toBe(
        'SLOPPY_E_WORKER_CRASHED: worker export is not callable',
      );
    },
  );

  test('failures have their cause', async () => {
    const error = await rejection(modulePool().tasks.failing('secret'));
    expect(error.code).toBe(Code.JobFailed);
    expect(error.cause).toBeInstanceOf(RangeError);
    expect(error.cause.message).toBe('secret');
    expect(error.stack).not.toContain('secret');
  });

  test.each(['', 5, null, undefined])('a name of %p', async (name) => {
    expect(await rejection(modulePool().invoke(name))).toBeInstanceOf(
      TypeError,
    );
  });

  test('invoke needs a module', async () => {
    expect(await rejection(createPool().invoke('f'))).toBeInstanceOf(TypeError);
  });

  test('a module that is not there', async () => {
    const pool = createPool({ module: './there-is-no-such-file.mjs' });
    const error = await rejection(pool.invoke('f'));
    expect(error.code).toBe(Code.StartupFailed);
  });

  test.each(['', 5, 'a\0b', null])('a path of %p throws', (module) => {
    expect(() => WorkerPool.create('p', { module })).toThrow(TypeError);
  });
});

describe('host functions', () => {
  test('their errors are of the same class', async () => {
    const own = Object.assign(new Error('own'), { name: 'OwnError' });
    const errors = [new RangeError('range'), new Error('plain'), own];
    const pool = createPool({
      host: {
        fail(which) {
          throw errors[which];
        },
      },
    });
    const told = await pool.run(async ({ host }) => {
      const seen = [];
      for (const which of [0, 1, 2]) {
        await host.fail(which).catch((error) => {
          const isRange = error instanceof RangeError;
          seen.push([`${error}`, isRange, Object.keys(error)]);
        });
      }
      return seen;
    });
    expect(told).toEqual([
      ['RangeError: range', true, []],
      ['Error: plain', false, []],
      ['OwnError: own', false, []],
    ]);
  });

  test('are called with copies, and answer with one', async () => {
    const seen = [];
    const pool = createPool({
      host: {
        add(a, b) {
          seen.push([a, b]);
          return { sum: a + b };
        },
        later: async (text) => `${text}!`,
      },
    });
    const result = await pool.run(async ({ host }) => [
      await host.add(1, 2),
      await host.later('x'),
      Object.keys(host).sort(),
    ]);
    expect(result).toEqual([{ sum: 3 }, 'x!', ['add', 'later']]);
    expect(seen).toEqual([[1, 2]]);
  });

  test('see signal and deadline of the job', async () => {
    let remaining;
    const pool = createPool({
      host: {
        look() {
          remaining = this.deadline.remainingMs();
        },
      },
    });
    await pool.run(async ({ host }) => host.look(), { timeoutMs: 60_000 });
    expect(remaining).toBeGreaterThan(0);
    expect(remaining).toBeLessThanOrEqual(60_000);
  });

  test('their failures are errors in the job', async () => {
    const pool = createPool({
      host: {
        fail() {
          throw new RangeError('from the host');
        },
      },
    });
    const text = await pool.run(async ({ host }) => {
      try {
        return await host.fail();
      } catch (error) {
        return [error instanceof Error, error.name, error.message];
      }
    });
    expect(text).toEqual([true, 'RangeError', 'from the host']);
  });

  test.each([5, [], { a: 1 }, null])('%p is no host', (host) => {
    expect(() => WorkerPool.create('p', { host })).toThrow(
      new TypeError('WorkerPool.host must be an object of functions.'),
    );
  });
});

describe('options', () => {
  test('minWorkers may not exceed workers', () => {
    expect(() => WorkerPool.create('p', { workers: 1, minWorkers: 2 })).toThrow(
      TypeError,
    );
  });

  test.each(['idleTimeoutMs', 'recycleAfterJobs', 'recycleAboveMb'])(
    '%s is a positive integer or Infinity',
    (field) => {
      for (const value of [0, -1, 1.5, '5', null, Number.NaN]) {
        expect(() => WorkerPool.create('p', { [field]: value })).toThrow(
          new TypeError(`WorkerPool.${field} must be a positive integer.`),
        );
      }
      expect(() =>
        createPool({ [field]: Number.POSITIVE_INFINITY }),
      ).not.toThrow();
    },
  );

  test('a worker is renewed after recycleAfterJobs', async () => {
    const pool = createPool({ recycleAfterJobs: 3 });
    const counts = [];
    for (let i = 0; i < 7; i += 1) {
      counts.push(
        await pool.run(() => {
          globalThis.count = (globalThis.count ?? 0) + 1;
          return globalThis.count;
        }),
      );
    }
    expect(counts).toEqual([1, 2, 3, 1, 2, 3, 1]);
  });

  test('idle workers leave, and come back for a job', async () => {
    const pool = createPool({ idleTimeoutMs: 5 });
    const exited = new Promise((resolve) => pool.once('workerExit', resolve));
    await pool.run(() => {
      globalThis.before = 1;
    });
    await exited;
    expect(await pool.run(() => typeof globalThis.before)).toBe('undefined');
  });
});
