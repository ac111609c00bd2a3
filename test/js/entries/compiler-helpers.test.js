'use strict';
// Functions as compilers leave them: what they call from outside comes along.

const { transform } = require('esbuild');
const { WorkerPool } = require('../../../lib/index.js');

const pools = [];

function openPool(runtime) {
  const pool = WorkerPool.create('compiled', { workers: 1, runtime });
  pools.push(pool);
  return pool;
}

afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.stop();
});

/** The function that `module.exports = …` of a compiled text is. */
function compiled(code) {
  const module = { exports: {} };
  new Function('module', 'exports', code)(module, module.exports);
  return module.exports;
}

const JOB = `module.exports = async ({ input, signal }) => {
  const inner = (n) => n * 2;
  class Box { width = input.a; static kind = 'box'; }
  const { a, ...others } = { ...input, extra: 2 ** 3 };
  const later = async (value) => { await null; return value; };
  let caught;
  try { await (async () => { throw new Error('no'); })(); } catch (e) { caught = e.message; }
  return [inner.name, inner(a), new Box().width, Box.kind, others,
    await later(7), caught, typeof signal];
};`;
const EXPECTED = ['inner', 4, 2, 'box', { b: 3, extra: 8 }, 7, 'no', 'object'];

describe.each(['isolate', 'thread'])('runtime: %s', (runtime) => {
  test.each([
    ['keepNames, as tsx has it', { keepNames: true }],
    ['es2021', { target: 'es2021' }],
    ['es2017 and names', { target: 'es2017', keepNames: true }],
    ['es2016', { target: 'es2016' }],
  ])('esbuild: %s', async (_, options) => {
    const { code } = await transform(JOB, { format: 'cjs', ...options });
    const job = compiled(code);
    const pool = openPool(runtime);
    expect(await pool.run(job, { input: { a: 2, b: 3 } })).toEqual(EXPECTED);
  });

  test("Istanbul's counters count nothing and disturb nothing", async () => {
    const text = `function cov_1w7vl7amtb() { throw new Error('left behind'); }
      module.exports = ({ input }) => {
        cov_1w7vl7amtb().f[0]++; cov_1w7vl7amtb().s[0]++;
        if (input > 1) { cov_1w7vl7amtb().b[0][0]++; cov_1w7vl7amtb().s[1]++; return 'many'; }
        else { cov_1w7vl7amtb().b[0][1]++; }
        return (cov_1w7vl7amtb().s[2]++, 'few');
      };`;
    const pool = openPool(runtime);
    expect(await pool.run(compiled(text), { input: 2 })).toBe('many');
    expect(await pool.run(compiled(text), { input: 1 })).toBe('few');
  });

  test('with modules, too', async () => {
    const { code } = await transform(
      `module.exports = ({ input, modules }) => {
         const join = (list) => modules.path.join(...list);
         return [join.name, join(input)];
       };`,
      { format: 'cjs', keepNames: true },
    );
    const pool = openPool(runtime);
    const run = pool.run(compiled(code), {
      input: ['a', 'b'],
      modules: { path: 'node:path' },
    });
    expect(await run).toEqual(['join', 'a/b']);
  });
});

test('a function that has such a name itself keeps its own', async () => {
  const own = ({ input }) => {
    const __name = (text) => `own ${text}`;
    return __name(input);
  };
  expect(await openPool('isolate').run(own, { input: 'x' })).toBe('own x');
});

test.each([
  ['_ref2', 'compiler'],
  ['_asyncToGenerator', 'compiler'],
  ['__generator', 'compiler'],
  ['__vite_ssr_import_0__', 'Vite'],
])(
  'a helper that cannot be sent is told by its tool: %s',
  async (name, tool) => {
    const job = compiled(`module.exports = () => ${name}(1);`);
    const failure = openPool('isolate').run(job);
    await expect(failure).rejects.toMatchObject({
      code: 'SLOPPY_E_WORK_JOB_FAILED',
      hint: expect.stringMatching(
        new RegExp(`^"${name}" is .*${tool}.*option`),
      ),
    });
  },
);
