'use strict';
// The features of pools beyond the original: modules, host functions, streams,
// events, pause and resize.

const { on, once } = require('node:events');

const { WorkerPool } = require('../../../lib/index.js');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const {
  createPool,
  moduleFile,
  occupy,
  outcomes,
  rejection,
  stopAll,
} = require('./support.js');

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

async function collect(iterable) {
  const values = [];
  for await (const value of iterable) values.push(value);
  return values;
}

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

describe('stream', () => {
  test('a value that cannot travel ends it as such a result does', async () => {
    const pool = createPool();
    const values = pool.stream(async function* () {
      try {
        yield 1;
        yield () => {};
      } finally {
        globalThis.closed = true;
      }
    });
    expect(await values.next()).toEqual({ done: false, value: 1 });
    expect((await rejection(values.next())).message).toBe(
      'SLOPPY_E_WORKER_MESSAGE_SERIALIZATION_FAILED: ' +
        'worker result serialization failed',
    );
    expect(await pool.run(() => globalThis.closed)).toBe(true);
    const small = createPool({ maxResultBytes: 100 });
    const large = small.stream(function* () {
      yield 'x'.repeat(1000);
    });
    expect((await rejection(large.next())).code).toBe(Code.ResourceLimit);
  });

  test('gives what a generator yields, and its result', async () => {
    const pool = createPool();
    const stream = pool.stream(
      async function* ({ input }) {
        for (let i = 0; i < input; i += 1) yield { i };
        return 'end';
      },
      { input: 100 },
    );
    const seen = [];
    let step = await stream.next();
    while (!step.done) {
      seen.push(step.value.i);
      step = await stream.next();
    }
    expect(seen).toEqual(Array.from({ length: 100 }, (_, i) => i));
    expect(step.value).toBe('end');
  });

  test('of sync generators and exports', async () => {
    const sync = createPool().stream(function* () {
      yield 1;
      yield 2;
    });
    expect(await collect(sync)).toEqual([1, 2]);
    expect(await collect(modulePool().stream('numbers', { input: 3 }))).toEqual(
      [0, 1, 2],
    );
  });

  test('a failure ends it after what came before', async () => {
    const seen = [];
    const consume = async () => {
      const stream = createPool().stream(async function* () {
        yield 1;
        throw new RangeError('x');
      });
      for await (const value of stream) seen.push(value);
    };
    const error = await rejection(consume());
    expect(error.code).toBe(Code.JobFailed);
    expect(error.cause).toBeInstanceOf(RangeError);
    expect(seen).toEqual([1]);
  });

  test('the worker does not run far ahead', async () => {
    const pool = createPool({ workers: 1 });
    let made = 0;
    const stream = pool.stream(
      async function* ({ emit }) {
        for (let i = 0; i < 200; i += 1) {
          emit(i);
          yield i;
        }
      },
      {
        onMessage: () => {
          made += 1;
        },
      },
    );
    let taken = 0;
    for await (const _value of stream) {
      taken += 1;
      expect(made - taken).toBeLessThanOrEqual(33);
    }
    expect(taken).toBe(200);
  });

  test('leaving the loop runs the finally of the generator', async () => {
    const pool = createPool();
    let told;
    const finished = new Promise((resolve) => {
      told = resolve;
    });
    const stream = pool.stream(
      async function* ({ emit }) {
        try {
          for (let i = 0; ; i += 1) yield i;
        } finally {
          emit('finally');
        }
      },
      { onMessage: told },
    );
    for await (const value of stream) if (value === 2) break;
    expect(await finished).toBe('finally');
    expect(await pool.run(() => 1)).toBe(1);
  });

  test('input that streams, too', async () => {
    async function* source() {
      for (let i = 0; i < 50; i += 1) yield i;
    }
    const sum = await createPool().run(
      async ({ input }) => {
        let total = 0;
        for await (const value of input) total += value;
        return total;
      },
      { input: source() },
    );
    expect(sum).toBe(1225);
  });
});

describe('events and needsDrain', () => {
  test('Node waits for them', async () => {
    const pool = createPool();
    const idle = once(pool, 'idle');
    const started = on(pool, 'workerStarted');
    await pool.run(() => 1);
    expect(await idle).toEqual([]);
    const [worker] = (await started.next()).value;
    expect(worker.number).toBe(1);
    await started.return();
    const controller = new AbortController();
    const failing = rejection(once(pool, 'idle', controller));
    controller.abort();
    expect((await failing).name).toBe('AbortError');
  });

  test('idle tells of a change, not of a stop or a resize', async () => {
    const pool = createPool();
    const heard = jest.fn();
    pool.on('idle', heard).resize(2);
    expect(heard).not.toHaveBeenCalled();
    await pool.run(() => 1);
    await pool.drain();
    expect(heard).toHaveBeenCalledTimes(1);
    pool.resize(1);
    await pool.stop();
    expect(heard).toHaveBeenCalledTimes(1);
  });

  test('idle is heard by who listens while a job runs', async () => {
    const pool = createPool();
    const job = pool.run(() => 1);
    const idle = once(pool, 'idle');
    await job;
    expect(await idle).toEqual([]);
  });

  test('needsDrain is true when a submission would wait', async () => {
    const pool = createPool({ maxQueued: 1 });
    expect(pool.needsDrain).toBe(false);
    const controller = new AbortController();
    const { started } = occupy(pool, { signal: controller.signal });
    await started;
    const queued = pool.run(() => 1);
    expect(pool.needsDrain).toBe(true);
    const drained = new Promise((resolve) => pool.once('drain', resolve));
    controller.abort();
    await drained;
    expect(pool.needsDrain).toBe(false);
    expect(await queued).toBe(1);
  });

  test('idle, and listeners that come off', async () => {
    const pool = createPool();
    let calls = 0;
    const listener = () => {
      calls += 1;
    };
    expect(pool.on('idle', listener)).toBe(pool);
    await pool.run(() => 1);
    await pool.onIdle();
    expect(calls).toBe(1);
    expect(pool.off('idle', listener)).toBe(pool);
    await pool.run(() => 1);
    await pool.onIdle();
    expect(calls).toBe(1);
  });

  test('workerStarted comes once for each thread, before its exit', async () => {
    const pool = createPool({ workers: 2, minWorkers: 2 });
    const seen = [];
    pool.on('workerStarted', () => seen.push('started'));
    pool.on('workerExit', () => seen.push('exit'));
    await pool.run(() => 1);
    await pool.stop();
    // The second thread may start after the first has ended.
    expect([...seen].sort()).toEqual(['exit', 'exit', 'started', 'started']);
    expect(seen[0]).toBe('started');
    expect(seen[3]).toBe('exit');
  });

  test('onQueueDrain is called when nothing waits to run any more', async () => {
    const calls = [];
    const pool = createPool({
      onQueueDrain: () => calls.push(pool.state.queue.queued),
    });
    await pool.run(() => 1);
    expect(calls).toEqual([]);
    for (const rounds of [1, 2]) {
      await Promise.all([1, 2, 3].map((input) => pool.run(() => 1, { input })));
      await pool.onIdle();
      expect(calls).toEqual(Array(rounds).fill(0));
    }
  });

  test('onQueueDrain counts jobs that wait for a place', async () => {
    let calls = 0;
    const onQueueDrain = () => {
      calls += 1;
    };
    const pool = createPool({
      maxQueued: 1,
      overflow: 'backpressure',
      maxBackpressureWaiters: 10,
      onQueueDrain,
    });
    await Promise.all(
      [1, 2, 3, 4].map((input) => pool.run(() => 1, { input })),
    );
    await pool.onIdle();
    expect(calls).toBe(1);
  });

  test.each([null, 1, 'x', {}])('onQueueDrain %p', (onQueueDrain) => {
    expect(() => createPool({ onQueueDrain })).toThrow(
      new TypeError('WorkerPool.onQueueDrain must be a function.'),
    );
  });
});

describe('pause and resume', () => {
  test('nothing starts in between', async () => {
    const pool = createPool();
    await pool.run(() => 1);
    expect(pool.pause()).toBe(pool);
    let settled = false;
    const job = pool.run(() => 'later');
    job.then(() => {
      settled = true;
    });
    const other = createPool();
    for (let i = 0; i < 20; i += 1) await other.run(() => 1);
    expect(settled).toBe(false);
    expect(pool.resume()).toBe(pool);
    expect(await job).toBe('later');
  });

  test('a paused pool can be stopped', async () => {
    const pool = createPool();
    pool.pause();
    const jobs = outcomes([pool.run(() => 1)]);
    await pool.stop();
    expect(await jobs).toEqual(['resolved']);
  });
});

describe('resize', () => {
  test('changes how many jobs run at once', async () => {
    const pool = createPool({ workers: 1, maxQueued: 5 });
    expect(pool.resize(3)).toBe(pool);
    expect(pool.state).toMatchObject({
      workers: 3,
      queue: { concurrency: 3 },
    });
    const controller = new AbortController();
    const running = [1, 2, 3].map(() =>
      occupy(pool, { signal: controller.signal }),
    );
    await Promise.all(running.map(({ started }) => started));
    expect(pool.state.queue).toMatchObject({ active: 3, queued: 0 });
    controller.abort();
    await pool.drain();
    pool.resize(1);
    expect(await pool.run(() => 1)).toBe(1);
  });

  test('admits as many jobs as the new size allows', async () => {
    const pool = createPool({ workers: 1, maxQueued: 1 }).resize(4);
    const jobs = Array.from({ length: 5 }, (_, input) =>
      pool.run((context) => context.input, { input }),
    );
    expect((await rejection(pool.run(() => 1))).code).toBe(Code.QueueFull);
    expect(await Promise.all(jobs)).toEqual([0, 1, 2, 3, 4]);
  });

  test.each([0, -1, 1.5, '2', undefined])('%p throws', (workers) => {
    expect(() => createPool().resize(workers)).toThrow(TypeError);
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
