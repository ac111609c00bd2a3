'use strict';
// Jobs that return promises (src/runtime/outcomes.js): those that are fulfilled
// once the microtasks have run are read, the others are waited for. Nobody can
// tell, but by what a hostile promise would do.

const { WorkerPool } = require('../../lib');

const FAILED = 'SLOPPY_E_WORK_JOB_FAILED';
const REFUSED = 'SLOPPY_E_WORKER_MESSAGE_SERIALIZATION_FAILED';

const kinds = {
  'one job at a time': {},
  'a realm for each job': { isolation: 'context' },
  'several jobs at a time': { concurrentJobsPerWorker: 3 },
};

const WAYS = ['no', 'microtasks', 'timer'];

// Waits, and then does what it is told.
const job = async ({ input: { way, value, error } }) => {
  if (way === 'microtasks') for (let i = 0; i < 10; i++) await null;
  if (way === 'timer') await new Promise((resolve) => setTimeout(resolve, 1));
  if (error !== undefined) throw new RangeError(error);
  return value;
};

describe.each(Object.entries(kinds))('%s', (_, options) => {
  let pool;
  let uncaught;

  beforeEach(() => {
    uncaught = [];
    pool = WorkerPool.create('promised', { maxMicrotasks: 10_000, ...options });
    pool.on('error', (error, origin) => uncaught.push([origin, error.message]));
  });

  afterEach(() => pool.stop({ drain: false }));

  test.each(WAYS)('come with their values (wait: %s)', async (way) => {
    const values = [0, -0, 1.5, '', 'ÿ'.repeat(48), 'Ж', true, null];
    values.push({ id: 1, name: 'x' }, [1, [2]], new Uint8Array(60));
    values.push(
      'long'.repeat(100),
      Array.from({ length: 50 }, (_, i) => i),
    );
    const inputs = [...values, ...values].map((value) => ({ way, value }));
    const results = [];
    for (const input of inputs) results.push(await pool.run(job, { input }));
    expect(results).toEqual([...values, ...values]);
    const together = inputs.map((input) => pool.run(job, { input }));
    expect(await Promise.all(together)).toEqual([...values, ...values]);
    expect(uncaught).toEqual([]);
  });

  test.each(WAYS)('are rejected as they were (wait: %s)', async (way) => {
    for (let i = 0; i < 3; i++) {
      const input = { way, error: `why ${i}` };
      const failure = await pool.run(job, { input }).catch((error) => error);
      expect(failure).toMatchObject({ code: FAILED });
      expect(failure.cause).toBeInstanceOf(RangeError);
      expect(failure.cause.message).toBe(`why ${i}`);
      expect(await pool.run(job, { input: { way, value: i } })).toBe(i);
    }
    // Their caller has heard of them.
    expect(uncaught).toEqual([]);
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
    await pool.drain();
    await new Promise(setImmediate);
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

test.each([
  ['function', '({ spin }) => (spin(), 1)'],
  ['async function', 'async ({ spin }) => (spin(), 1)'],
])(
  'microtasks without end are those of the %s that left them',
  async (_, source) => {
    const pool = WorkerPool.create('endless', { maxMicrotasks: 10_000 });
    const spinning = new Function(
      `return (context) => (${source})({
      spin: function spin() { Promise.resolve().then(spin); },
    })`,
    )();
    await expect(pool.run(spinning)).rejects.toMatchObject({
      code: 'SLOPPY_E_WORK_JOB_TIMEOUT',
    });
    expect(await pool.run(async () => 2)).toBe(2);
    await pool.stop();
  },
);
