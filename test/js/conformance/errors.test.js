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
