'use strict';
// Jobs that return promises (src/runtime/outcomes.js): those that are fulfilled
// once the microtasks have run are read, the others are waited for. Nobody can
// tell, but by what a hostile promise would do.

const {
  createPool,
  moduleFile,
  runtime,
  stopAll,
  testOnIsolates,
} = require('./support.js');

afterEach(stopAll);

const FAILED = 'SLOPPY_E_WORK_JOB_FAILED';
const REFUSED = 'SLOPPY_E_WORKER_MESSAGE_SERIALIZATION_FAILED';

// Waits, and then does what it is told.
const job = async ({ way, value, error }) => {
  if (way === 'microtasks') for (let i = 0; i < 10; i++) await null;
  if (way === 'timer') await new Promise((resolve) => setTimeout(resolve, 1));
  if (error !== undefined) throw new RangeError(error);
  return value;
};
const WAYS = ['no', 'microtasks', 'timer'];

const jobFunction = new Function(`return ({ input }) => (${job})(input)`)();
const withModules = ({ input, modules }) => modules.own.job(input);
const { signal } = new AbortController();

const calls = {
  'a function': (pool, input) => pool.run(jobFunction, { input }),
  'a function with a signal': (pool, input) =>
    pool.run(jobFunction, { input, signal }),
  'a function with a limit': (pool, input) =>
    pool.run(jobFunction, { input, timeoutMs: 60_000 }),
  'an export': (pool, input) => pool.invoke('job', input),
  'an export with a signal': (pool, input) =>
    pool.invoke('job', input, { signal }),
};

const kinds = {
  'one job at a time': {},
  'several jobs at a time': { concurrentJobsPerWorker: 3 },
};
if (runtime === 'isolate') {
  kinds['a realm for each job'] = { isolation: 'context' };
}

describe.each(Object.keys(kinds))('%s', (kind) => {
  let path;
  let pool;
  let uncaught;

  beforeEach(() => {
    uncaught = [];
    path = moduleFile(`export const job = ${job};`);
    pool = createPool({ module: path, ...kinds[kind] });
    pool.on('error', (error, origin) => uncaught.push([origin, error.message]));
  });

  const everyWay = Object.keys(calls).flatMap((call) =>
    WAYS.map((way) => [call, way]),
  );

  test.each(everyWay)('%s comes with its value (%s)', async (name, way) => {
    const call = (input) => calls[name](pool, input);
    const values = [0, -0, 1.5, '', 'ÿ'.repeat(48), 'Ж', true, null];
    values.push({ id: 1, name: 'x' }, [1, [2]], new Uint8Array(60));
    const numbers = Array.from({ length: 50 }, (_, i) => i);
    values.push('long'.repeat(100), numbers);
    const twice = [...values, ...values];
    const results = [];
    for (const value of twice) results.push(await call({ way, value }));
    expect(results).toEqual(twice);
    const together = twice.map((value) => call({ way, value }));
    expect(await Promise.all(together)).toEqual(twice);
    expect(uncaught).toEqual([]);
  });

  test.each(everyWay)('%s is rejected as it was (%s)', async (name, way) => {
    const call = (input) => calls[name](pool, input);
    for (let i = 0; i < 3; i++) {
      const error = `why ${i}`;
      const failure = await call({ way, error }).catch((reason) => reason);
      expect(failure).toMatchObject({ code: FAILED });
      expect(failure.cause.name).toBe('RangeError');
      expect(failure.cause.message).toBe(error);
      expect(await call({ way, value: i })).toBe(i);
    }
    // Their caller has heard of them.
    expect(uncaught).toEqual([]);
  });

  test.each(WAYS)('of a job with modules (%s)', async (way) => {
    const modules = { own: path };
    for (const value of [1, 'two', { id: 3 }]) {
      const input = { way, value };
      const result = await pool.run(withModules, { input, modules });
      expect(result).toEqual(value);
    }
  });

  test('what cannot be sent is refused', async () => {
    for (const refused of [
      async () => () => {},
      async () => Symbol('x'),
      async () => {
        const all = {};
        all.self = all;
        return all;
      },
    ]) {
      await expect(pool.run(refused)).rejects.toMatchObject({ code: REFUSED });
    }
    expect(await pool.run(async () => 1)).toBe(1);
  });

  test('others that nobody listens to belong to the job', async () => {
    const other = async ({ input }) => {
      Promise.reject(new Error(`other ${input}`));
      return input;
    };
    expect(await pool.run(other, { input: 1 })).toBe(1);
    expect(await pool.run(other, { input: 'two' })).toBe('two');
    // A worker that has none yet waits for the runtime to tell it.
    while (uncaught.length < 2) await new Promise(setImmediate);
    expect(uncaught).toEqual([
      ['unhandledRejection', 'other 1'],
      ['unhandledRejection', 'other two'],
    ]);
  });

  test('whose `then` is another are read all the same', async () => {
    const hostile = () => {
      const promise = Promise.resolve(5);
      // biome-ignore lint/suspicious/noThenProperty: wanted
      promise.then = () => {
        throw new Error('mine');
      };
      return promise;
    };
    expect(await pool.run(hostile)).toBe(5);
    const replaced = async ({ input }) => {
      // biome-ignore lint/suspicious/noThenProperty: wanted
      Promise.prototype.then = () => {
        throw new Error('replaced');
      };
      return input;
    };
    expect(await pool.run(replaced, { input: 6 })).toBe(6);
    expect(await pool.run(replaced, { input: { id: 7 } })).toEqual({ id: 7 });
  });

  const left = {
    'a function': ({ emit }) => {
      const result = { done: [] };
      Promise.resolve()
        .then(() => result.done.push(1))
        .then(() => emit(result.done.push(2)));
      return result;
    },
    'an async function': async ({ emit }) => {
      const result = { done: [] };
      Promise.resolve()
        .then(() => result.done.push(1))
        .then(() => emit(result.done.push(2)));
      return result;
    },
  };
  test.each(Object.keys(left))(
    'the microtasks that %s leaves come before its result',
    async (name) => {
      const said = [];
      const onMessage = (value) => said.push(value);
      expect(await pool.run(left[name], { onMessage })).toEqual({
        done: [1, 2],
      });
      expect(said).toEqual([2]);
    },
  );

  test('and those that a function leaves that throws', async () => {
    const said = [];
    const throwing = ({ emit }) => {
      const error = new Error('mine');
      Promise.resolve()
        .then(() => (error.message += ', changed'))
        .then(() => emit(1));
      throw error;
    };
    const onMessage = (value) => said.push(value);
    await expect(pool.run(throwing, { onMessage })).rejects.toMatchObject({
      code: FAILED,
      cause: { message: 'mine, changed' },
    });
    expect(said).toEqual([1]);
  });

  test('what a job says meanwhile comes before its result', async () => {
    const said = [];
    const result = pool.run(
      async ({ emit }) => {
        emit(1);
        await null;
        emit('two');
        return 3;
      },
      { onMessage: (value) => said.push(value) },
    );
    expect([await result, ...said]).toEqual([3, 1, 'two']);
  });
});

for (const [name, start] of [
  ['a function', ''],
  ['an async function', 'async '],
]) {
  testOnIsolates(
    `microtasks that ${name} leaves without end are its own`,
    async () => {
      const pool = createPool({ maxMicrotasks: 10_000 });
      const spinning = new Function(
        `return ${start}() => {
        const spin = () => Promise.resolve().then(spin);
        spin();
        return 1;
      }`,
      )();
      await expect(pool.run(spinning)).rejects.toMatchObject({
        code: 'SLOPPY_E_WORK_JOB_TIMEOUT',
      });
      expect(await pool.run(async () => 2)).toBe(2);
    },
  );
}
