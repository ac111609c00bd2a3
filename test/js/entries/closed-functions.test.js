'use strict';

// The first job of a realm may run before the runtime is there, if its function
// is closed. Nobody can tell: neither its caller, nor those who come after it.

const { reachOf } = require('../../../lib/entries/function-analysis.js');
const { Reach } = require('../../../lib/protocol/wire.gen.js');
const { WorkerPool } = require('../../../lib/pool/worker-pool.js');

// Objects of theirs are behind comments, where nobody sees them coming.
const text = (fn) => `(${fn})`;
const isClosed = (source) => reachOf(source) === Reach.Nothing;

// The same with a character that no closed function has.
function opened(fn) {
  const source = String(fn).replace('(', '(/* $ */');
  // biome-ignore lint/security/noGlobalEval: a function of the test's own
  return eval(text(source));
}

async function outcomeOf(promise) {
  try {
    return { value: await promise };
  } catch (error) {
    const { code, message, cause } = error;
    const thrown = cause === undefined ? undefined : `${cause}`;
    return { code, message, thrown };
  }
}

const CASES = {
  'a sum': [({ input }) => input + 1, 41],
  recursion: [
    ({ input }) => {
      const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2));
      return fib(input);
    },
    15,
  ],
  'minus zero': [({ input }) => input, -0],
  true: [({ input }) => !input, false],
  false: [({ input }) => !input, true],
  null: [({ input }) => input, null],
  undefined: [() => {}],
  'a text': [({ input }) => input, 'a text'],
  'no text': [({ input }) => input, ''],
  'a text of two bytes': [({ input }) => input, 'ñ→'],
  'a long text': [({ input }) => input, 'x'.repeat(10_000)],
  'a text without its first character': [
    ({ input }) => {
      let rest;
      let count = 0;
      for (const c of input) {
        rest = count++ === 0 ? c : rest + c;
      }
      return rest;
    },
    'text',
  ],
  'a text of its own': [({ input }) => (input ? 'yes' : 'no'), true],
  'one of 48 bytes': [({ input }) => input + input + input, 'x'.repeat(16)],
  'one of 51 bytes': [({ input }) => input + input + input, 'x'.repeat(17)],
  'a square root': [({ input }) => Math.floor(Math.sqrt(input)), 17],
  'an object': [
    ({ input }) => {
      return /**/ { of: input };
    },
    1,
  ],
  'a big integer': [() => 2n ** 70n],
  'not a number': [() => NaN],
  infinity: [({ input }) => input / 0, 1],
  'a function': [() => () => 1],
  'a promise of a number': [async ({ input }) => input * 2, 21],
  'a promise of an object': [
    async ({ input }) => {
      return /**/ { of: input };
    },
    1,
  ],
  'a promise of a thenable': [
    async () => {
      return /**/ {
        // biome-ignore lint/suspicious/noThenProperty: wanted
        then(done) {
          done(7);
        },
      };
    },
  ],
  'a promise that fails': [
    async ({ input }) => {
      throw input;
    },
    4,
  ],
  'a thenable that throws when it is looked at': [
    () => {
      return /**/ {
        // biome-ignore lint/suspicious/noThenProperty: wanted
        get then() {
          throw 5;
        },
      };
    },
  ],
  'what it throws': [
    ({ input }) => {
      throw input;
    },
    'thrown',
  ],
  'a stack that overflows': [
    () => {
      const f = () => f() + 1;
      return f();
    },
  ],
  'a variable that is not there': [() => nothing],
  'a property of nothing': [
    () => {
      const { a } = null;
      return a;
    },
  ],
};

const ISOLATIONS = ['worker', 'context', 'isolate'];

describe.each(ISOLATIONS)('isolation %s', (isolation) => {
  const pools = [];
  const newPool = (options) => {
    const pool = WorkerPool.create('closed', {
      workers: 1,
      isolation,
      ...options,
    });
    pools.push(pool);
    return pool;
  };
  afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.stop())));

  test.each(Object.entries(CASES))('%s', async (_, [fn, input]) => {
    const twin = opened(fn);
    expect(isClosed(text(fn))).toBe(true);
    expect(isClosed(text(twin))).toBe(false);
    const [ours, theirs] = await Promise.all(
      [fn, twin].map((job) => outcomeOf(newPool().run(job, { input }))),
    );
    expect(ours).toEqual(theirs);
  });

  test('the stack of an error names the line', async () => {
    const fn = ({ input }) => {
      const { a } = input;
      return a;
    };
    const { cause } = await newPool()
      .run(fn, { input: null })
      .catch((error) => error);
    expect(cause.stack).toMatch(
      /TypeError: .*\n {4}at sloppy:closed\/fn:\d+:\d+\n/,
    );
  });

  test('a rejection that nobody handles is told', async () => {
    const heard = [];
    const job = () => {
      const fail = async () => {
        throw 8;
      };
      fail();
      return 1;
    };
    expect(isClosed(text(job))).toBe(true);
    const pool = newPool();
    pool.on('error', (error) => heard.push(error));
    expect(await pool.run(job)).toBe(1);
    await pool.stop();
    expect(heard).toEqual([8]);
  });

  test('what it leaves to be done is its own work', async () => {
    const pool = newPool();
    const job = async () => {
      const later = async () => {
        return /**/ {
          // biome-ignore lint/suspicious/noThenProperty: wanted
          then() {
            for (;;);
          },
        };
      };
      later();
      return 1;
    };
    expect(isClosed(text(job))).toBe(true);
    await expect(pool.run(job, { timeoutMs: 30 })).rejects.toMatchObject({
      code: 'SLOPPY_E_WORK_JOB_TIMEOUT',
    });
    expect(await pool.run(({ input }) => input, { input: 2 })).toBe(2);
  });

  test('an endless one ends with its time, and the next has a realm', async () => {
    const pool = newPool();
    const endless = () => {
      for (;;);
    };
    await expect(pool.run(endless, { timeoutMs: 30 })).rejects.toMatchObject({
      code: 'SLOPPY_E_WORK_JOB_TIMEOUT',
    });
    expect(await pool.run(({ input }) => input, { input: 1 })).toBe(1);
    expect(await pool.run(() => [new URL('a:b').href])).toEqual(['a:b']);
  });

  test('one that fills the heap', async () => {
    const pool = newPool({ memoryLimitMb: 16 });
    const grow = () => {
      let all = 0;
      for (;;) all = /**/ { all };
    };
    expect(isClosed(text(grow))).toBe(true);
    await expect(pool.run(grow)).rejects.toMatchObject({
      code: 'SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED',
    });
    expect(await pool.run(({ input }) => input, { input: 3 })).toBe(3);
    expect(await pool.run(() => [4])).toEqual([4]);
  });

  test('one that is cancelled', async () => {
    const pool = newPool();
    const abort = new AbortController();
    const endless = () => {
      for (;;);
    };
    const run = pool.run(endless, { signal: abort.signal });
    const started = pool.run(() => 1);
    setTimeout(() => abort.abort(), 30);
    await expect(run).rejects.toMatchObject({
      code: 'SLOPPY_E_WORK_JOB_CANCELLED',
    });
    expect(await started).toBe(1);
  });

  test('closed and other jobs by turns', async () => {
    const pool = newPool();
    const jobs = [
      ({ input }) => input,
      ({ input }) => [input],
      () => {
        return /**/ {};
      },
      ({ input }) => Math.abs(-input),
      () => null,
    ];
    const results = [];
    for (let i = 0; i < 25; i++) {
      results.push(await pool.run(jobs[i % 5], { input: i }));
    }
    const five = (i) => [i, [i + 1], {}, i + 3, null];
    expect(results).toEqual([0, 5, 10, 15, 20].flatMap(five));
  });

  test('a text that is larger than results may be', async () => {
    const pool = newPool({ maxResultBytes: 10 });
    const job = ({ input }) => input + input;
    expect(await pool.run(job, { input: '12345' })).toBe('1234512345');
    await expect(
      newPool({ maxResultBytes: 10 }).run(job, { input: '123456' }),
    ).rejects.toMatchObject({
      code: 'SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED',
    });
  });

  test('many at once, each answered', async () => {
    const pool = newPool({ workers: 2, maxQueued: 100 });
    const job = ({ input }) => input * 2;
    const runs = Array.from({ length: 100 }, (_, input) =>
      pool.run(job, { input }),
    );
    expect(await Promise.all(runs)).toEqual(
      Array.from({ length: 100 }, (_, i) => i * 2),
    );
  });

  test('a pool that forbids code made of strings', async () => {
    const pool = newPool({ allowEval: false });
    expect(await pool.run(() => 1)).toBe(1);
    const evaluate = () => [].constructor.constructor('return 1')();
    await expect(pool.run(evaluate)).rejects.toMatchObject({
      cause: { name: 'EvalError' },
    });
  });

  const leaveNumber = () => {
    unheard = 1;
    return 1;
  };
  const leaveObject = () => {
    unheard = 1;
    return /**/ {};
  };
  test.each([
    ['a number', leaveNumber],
    ['an object', leaveObject],
  ])('what one that returns %s leaves behind', async (_, leave) => {
    const pool = newPool();
    expect(isClosed(text(leave))).toBe(true);
    await pool.run(leave);
    const look = () => typeof globalThis.unheard;
    const left = isolation === 'worker' ? 'number' : 'undefined';
    expect(await pool.run(look)).toBe(left);
  });
});

test('an isolate for so many jobs counts them', async () => {
  const pool = WorkerPool.create('closed', { workers: 1, recycleAfterJobs: 1 });
  const leave = () => {
    unheard = 1;
    return true;
  };
  for (let i = 0; i < 3; i++) {
    expect(await pool.run(leave)).toBe(true);
    expect(await pool.run(() => typeof globalThis.unheard)).toBe('undefined');
  }
  await pool.stop();
});
