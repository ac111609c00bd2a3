'use strict';
// Section 3.1: what `run` checks, in which order, and what it runs.

const { SloppyWorkerError } = require('../../../lib/index.js');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const {
  createPool,
  occupy,
  rejection,
  stopAll,
  testOnIsolates,
} = require('./support.js');

afterEach(stopAll);

const cyclic = {};
cyclic.self = cyclic;
const cancelled = () => AbortSignal.abort('done');

// The working directory is the repository.
test('a sent function imports from the working directory', async () => {
  const pool = createPool({}, "a pool's name");
  const values = await pool.run(async () => {
    const modules = [
      await import('./test/js/adapters/fixtures/tasks-neighbour.cjs'),
      await import('papaparse'),
      await import('data:text/javascript,export default 1'),
    ];
    return modules.map((module) => typeof module.default);
  });
  expect(values).toEqual(['object', 'object', 'number']);
  const { cause } = await rejection(pool.run(() => import('./gone.mjs')));
  expect(cause.message).toMatch(/gone\.mjs/);
  const thrower = () => {
    throw new Error('on purpose');
  };
  const thrown = await rejection(pool.run(thrower));
  expect(thrown.cause.stack).toMatch(/sloppy:a.pool.s.name\/thrower:2:/);
});

describe('order of checks', () => {
  // Each breaks one rule; the first rule broken decides.
  const steps = [
    ['function', 'WorkerPool.run requires a function.'],
    ['payload', Code.SerializationFailed],
    ['stopped', Code.QueueStopped],
    ['options', 'worker timeoutMs must be finite and non-negative.'],
    ['cancelled', Code.JobCancelled],
    ['expired', Code.JobTimeout],
    ['full', Code.QueueFull],
  ];

  async function runWith(broken) {
    const pool = createPool({ workers: 1, maxQueued: 1 });
    if (broken.has('full')) {
      occupy(pool);
      pool.run(() => 1).catch(() => {});
    }
    if (broken.has('stopped')) pool.stop({ drain: false, timeoutMs: 0 });
    const before = pool.state.queue.stats;
    const promise = pool.run(broken.has('function') ? 'x' : () => 1, {
      input: broken.has('payload') ? cyclic : 1,
      signal: broken.has('cancelled') ? cancelled() : undefined,
      timeoutMs: broken.has('options')
        ? 'x'
        : broken.has('expired')
          ? 0
          : undefined,
    });
    expect(promise).toBeInstanceOf(Promise);
    return { error: await rejection(promise), before, pool };
  }

  test.each(steps.map(([name], index) => [name, index]))(
    '%s comes before all after it',
    async (_name, index) => {
      const rest = new Set(steps.slice(index).map(([name]) => name));
      const { error } = await runWith(rest);
      const expected = steps[index][1];
      expect(error.code ?? error.message).toBe(expected);
      if (error.code === undefined) expect(error).toBeInstanceOf(TypeError);
      else expect(error).toBeInstanceOf(SloppyWorkerError);
    },
  );

  test('what is refused before the capacity changes no figure', async () => {
    for (const [name] of steps.slice(0, -1)) {
      const { pool, before } = await runWith(new Set([name]));
      expect(pool.state.queue.stats).toEqual(before);
      expect(before.enqueued + before.overflow).toBe(0);
    }
  });

  test('the check of the options has an order of its own', async () => {
    const pool = createPool();
    for (const [options, text] of [
      [[], 'worker operation options must be a plain object.'],
      [
        Object.assign([], { input: { an: 'object' } }),
        'worker operation options must be a plain object.',
      ],
      [
        { signal: 1, timeoutMs: 'x', deadline: 'x' },
        'worker signal must be a Sloppy cancellation signal or AbortSignal-like object.',
      ],
    ]) {
      const error = await rejection(pool.run(() => 1, options));
      expect(error).toBeInstanceOf(TypeError);
      expect(error.message).toBe(text);
    }
  });
});

describe('what a function sees', () => {
  test('its input, null when there is none', async () => {
    const pool = createPool();
    expect(await pool.run(({ input }) => input)).toBeNull();
    expect(await pool.run(({ input }) => input, { input: undefined })).toBe(
      null,
    );
    expect(await pool.run(({ input }) => input, null)).toBeNull();
    expect(await pool.run(({ input }) => input, { input: 0 })).toBe(0);
  });

  test('the global object as this', async () => {
    const isGlobal = await createPool().run(function isGlobal() {
      return this === globalThis;
    });
    expect(isGlobal).toBe(true);
  });

  test('nothing of the caller', async () => {
    const outside = 5;
    const error = await rejection(createPool().run(() => outside));
    expect(error.code).toBe(Code.JobFailed);
    expect(error.cause).toBeInstanceOf(ReferenceError);
    expect(error.cause.message).toBe('outside is not defined');
    expect(error.hint).toContain('outside');
  });

  test('no process, no require, no helper of ours', async () => {
    const [kinds, names] = await createPool().run(() => [
      [typeof process, typeof require, typeof module],
      Object.getOwnPropertyNames(globalThis).filter((n) => /sloppy/i.test(n)),
    ]);
    expect(kinds.every((kind) => kind !== 'function')).toBe(true);
    expect(names).toEqual([]);
  });

  test('the context members of the specification', async () => {
    const kinds = await createPool().run(
      ({ input, signal, deadline, emit }) => [
        typeof input,
        typeof signal.cancelled,
        typeof signal.aborted,
        typeof signal.reason,
        typeof signal.throwIfCancelled,
        typeof signal.addEventListener,
        typeof signal.removeEventListener,
        typeof deadline,
        typeof emit,
      ],
      { input: 's' },
    );
    expect(kinds).toEqual([
      'string',
      'boolean',
      'boolean',
      'undefined',
      'function',
      'function',
      'function',
      'undefined',
      'function',
    ]);
  });

  test('a deadline that counts down', async () => {
    const [first, later, expired] = await createPool().run(
      ({ deadline }) => {
        const before = deadline.remainingMs();
        let later = before;
        while (later === before) later = deadline.remainingMs();
        return [before, later, deadline.expired];
      },
      { timeoutMs: 60_000 },
    );
    expect(first).toBeLessThanOrEqual(60_000);
    expect(later).toBeLessThan(first);
    expect(expired).toBe(false);
  });

  test('its state between jobs on the same worker', async () => {
    const pool = createPool();
    await pool.run(() => {
      globalThis.kept = 1;
    });
    expect(await pool.run(() => globalThis.kept)).toBe(1);
  });

  testOnIsolates.each(['context', 'isolate'])(
    'nothing of it with isolation %s',
    async (isolation) => {
      const pool = createPool({ isolation });
      await pool.run(() => {
        globalThis.kept = 1;
        Object.prototype.polluted = 1;
      });
      expect(
        await pool.run(() => [typeof globalThis.kept, typeof {}.polluted]),
      ).toEqual(['undefined', 'undefined']);
    },
  );

  testOnIsolates.each(['context', 'isolate'])(
    'and no input of another, short or long, with isolation %s',
    async (isolation) => {
      const pool = createPool({ isolation });
      for (const count of [3, 20_000, 1, 8000]) {
        const numbers = Array.from({ length: count }, (_, i) => i + count);
        const input = { numbers, text: 'x'.repeat(count) };
        expect(await pool.run(({ input }) => input, { input })).toEqual(input);
      }
    },
  );

  testOnIsolates(
    'room for more than an isolate for one job begins with',
    async () => {
      const pool = createPool({ isolation: 'isolate' });
      const kept = await pool.run(() => {
        const list = [];
        for (let i = 0; i < 200_000; i++) list.push({ i });
        return list[199_999].i;
      });
      expect(kept).toBe(199_999);
    },
  );
});

describe('what the caller gets', () => {
  test('a copy of the result', async () => {
    const pool = createPool();
    expect(await pool.run(() => ({ a: [1, 'b', null, true] }))).toEqual({
      a: [1, 'b', null, true],
    });
    expect(await pool.run(async () => 'later')).toBe('later');
    expect(await pool.run(() => undefined)).toBeUndefined();
  });

  test('what a thenable resolves with', async () => {
    const value = await createPool().run(() => ({
      // biome-ignore lint/suspicious/noThenProperty: a thenable is the point
      then: (resolve) => resolve(7),
    }));
    expect(value).toBe(7);
  });

  test('messages in order, before the result', async () => {
    const events = [];
    await createPool()
      .run(
        ({ emit }) => {
          for (let i = 0; i < 5; i += 1) emit({ i });
        },
        { onMessage: (value) => events.push(value.i) },
      )
      .then(() => events.push('result'));
    expect(events).toEqual([0, 1, 2, 3, 4, 'result']);
  });

  testOnIsolates(
    'a promise of a later turn that never settles is a timeout',
    async () => {
      const error = await rejection(
        createPool().run(() => new Promise(() => {})),
      );
      expect(error.code).toBe(Code.JobTimeout);
      expect(error.message).toBe(
        'SLOPPY_E_WORK_JOB_TIMEOUT: worker promise can never settle',
      );
    },
  );

  test('a promise that a timer settles is waited for', async () => {
    const pool = createPool();
    const value = await pool.run(
      () => new Promise((resolve) => setTimeout(() => resolve('tick'), 1)),
    );
    expect(value).toBe('tick');
  });
});
