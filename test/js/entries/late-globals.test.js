'use strict';

// A realm defines its globals when the first code comes that could reach one.
// However that reaches them, they are there.

const { namesGlobals } = require('../../../lib/entries/names-globals.js');
const { WorkerPool } = require('../../../lib/pool/worker-pool.js');

const GLOBAL_NAMES = ['URL', 'setTimeout', 'self', 'global', 'onerror'];

test.each([
  '(() => 1)',
  '(({ input }) => input.map((n) => n * 2))',
  '(({ input }) => { let selfish = 0, thistle = 1; return selfish + input })',
  '(async ({ input, signal }) => JSON.stringify(new Map([[input, Math.PI]])))',
])('reaches none: %s', (source) => {
  expect(namesGlobals(source)).toBe(false);
});

test.each([
  '(() => new URL("a:b"))',
  '(() => { "use strict"; return setTimeout })',
  '(function () { return this })',
  '(() => globalThis.x)',
  '(() => import("node:path"))',
  '(() => \\u0055RL)',
  '(() => { onerror = 1 })',
])('may reach one: %s', (source) => {
  expect(namesGlobals(source)).toBe(true);
});

test('a long one is not looked through', () => {
  expect(namesGlobals(`(() => "${' '.repeat(30_000)}")`)).toBe(true);
});

const ISOLATIONS = ['worker', 'context', 'isolate'];

describe.each(ISOLATIONS)('isolation %s', (isolation) => {
  let pool;
  beforeEach(() => {
    pool = WorkerPool.create('late', { workers: 1, isolation });
  });
  afterEach(() => pool.stop());

  // Each is the first job that could find out.
  const ways = {
    'by name': () => typeof URL,
    'by an escape': () => typeof \u0055RL,
    'by the receiver': function () {
      return typeof this.URL;
    },
    'by eval': () => {
      // biome-ignore lint/security/noGlobalEval: what is tested
      const run = eval;
      return run(`typeof ${['U', 'RL'].join('')}`);
    },
    'by a constructor': ({ input }) => {
      const key = ['cons', 'tructor'].join('');
      return input[key][key](`return typeof ${['U', 'RL'].join('')}`)();
    },
    'by a frame': () => {
      Error[['prepareStack', 'Trace'].join('')] = (_, frames) => frames;
      function sloppy() {
        return new Error('x').stack;
      }
      const get = ['get', 'This'].join('');
      const frames = sloppy();
      let seen = 'nothing';
      for (const frame of frames) {
        const receiver = frame[get]();
        if (receiver !== undefined)
          seen = typeof receiver[['U', 'RL'].join('')];
      }
      return seen;
    },
  };

  test.each(Object.entries(ways))('%s', async (_name, job) => {
    // One before that reaches none.
    expect(await pool.run(({ input }) => input, { input: 1 })).toBe(1);
    expect(await pool.run(job, { input: [] })).toBe('function');
    // One comes after, and finds them there.
    expect(await pool.run(() => typeof URL)).toBe('function');
  });

  test('a computed key of a method is found before it is read', async () => {
    const { method } = {
      method: { [`${typeof URL}Key`]: () => 'called' }.functionKey,
    };
    expect(await pool.run(method)).toBe('called');
  });

  test('eval gives back what is no text', async () => {
    const job = ({ input }) => {
      // biome-ignore lint/security/noGlobalEval: what is tested
      const run = eval;
      return run(input);
    };
    expect(await pool.run(job, { input: [1, 2] })).toEqual([1, 2]);
  });

  test('they are as if they had been there from the start', async () => {
    const describeAll = ({ input }) =>
      input.map((name) => {
        const descriptor = Object.getOwnPropertyDescriptor(globalThis, name);
        return [
          name,
          descriptor.enumerable,
          descriptor.configurable,
          descriptor.writable,
        ];
      });
    const first = await pool.run(describeAll, { input: GLOBAL_NAMES });
    const other = WorkerPool.create('later', { workers: 1, isolation });
    await other.run(() => 1);
    const later = await other.run(describeAll, { input: GLOBAL_NAMES });
    await other.stop();
    expect(later).toEqual(first);
    expect(first).toEqual([
      ['URL', false, true, true],
      ['setTimeout', true, true, true],
      ['self', true, true, true],
      ['global', true, true, true],
      ['onerror', true, true, null],
    ]);
  });
});

test('what a job did to its prototypes before does not reach them', async () => {
  const pool = WorkerPool.create('late', { workers: 1 });
  const key = await pool.run(() => {
    const names = ['val', 'ue'].join('');
    Object.prototype[names] = 1;
    const set = ['__define', 'Setter__'].join('');
    let caught = 0;
    Object.prototype[set](['se', 'lf'].join(''), () => {
      caught += 1;
    });
    return caught;
  });
  expect(key).toBe(0);
  const seen = await pool.run(() => [
    Object.hasOwn(globalThis, 'URL'),
    Object.hasOwn(globalThis, 'self'),
    self === globalThis,
    typeof onerror,
  ]);
  expect(seen).toEqual([true, true, true, 'object']);
  await pool.stop();
});

test('without eval no code is made of strings, before and after', async () => {
  const pool = WorkerPool.create('late', { workers: 1, allowEval: false });
  const job = ({ input }) => {
    const key = ['cons', 'tructor'].join('');
    try {
      return input[key][key]('return 1')();
    } catch (error) {
      return error.name;
    }
  };
  expect(await pool.run(job, { input: [] })).toBe('EvalError');
  expect(await pool.run(() => typeof URL)).toBe('function');
  expect(await pool.run(job, { input: [] })).toBe('EvalError');
  await pool.stop();
});
