'use strict';
// Small graphs of modules, whose values and order are those of Node itself. Each
// has differed once; test/graphs makes random ones.

const { logOf, removeFolders } = require('./support.js');

const LOG = 'const log = (globalThis.log ??= []);';
const F = 'export const f = () => globalThis.end?.() ?? globalThis.log;';
/** Notes what `get` gives, or the code of its error. */
const tried = (get) =>
  `try { log.push(${get}); } catch (e) { log.push(e.code ?? e.message); }`;
/** Awaits the promises and gives the log. */
const END = `const later = []; globalThis.end = async () => {
  await Promise.allSettled(later); return log; };`;
const noted = (name, promise) =>
  `later.push(${promise}.then(() => log.push('${name}'),
    (e) => log.push('${name} ' + (e.code ?? e.name))));`;

afterEach(removeFolders);

test.each(['false', 'true', '0', '[]', '{}', 'null', '""', '" "'])(
  'a package whose "exports" is %s',
  async (exports) => {
    await logOf({
      'main.mjs': `import { createRequire } from 'node:module';
        const require = createRequire(import.meta.url);
        ${LOG} ${END} ${noted('loaded', "import('p')")}
        ${tried("require('p')")} ${F}`,
      'node_modules/p/package.json': `{"exports":${exports}}`,
      'node_modules/p/index.js': "module.exports = 'main';",
    });
  },
);

describe('a module that leaves require.cache', () => {
  const DROP = "delete require.cache[require.resolve('./b.cjs')];";

  test('is what a module that has linked it imports', async () => {
    const log = await logOf({
      'main.mjs': `import './a.cjs'; import b from './b.cjs';
        ${LOG} log.push(b.run, b.mark); ${F}`,
      'a.cjs': `require('./b.cjs').mark = 'kept'; ${DROP}`,
      'b.cjs': `${LOG} log.push('runs'); exports.run = log.length;`,
    });
    expect(log).toEqual(['runs', 1, 'kept']);
  });

  test('does not run any more for its file', async () => {
    const log = await logOf({
      'main.mjs': `import './a.cjs'; ${F}`,
      'a.cjs': "require('./b.cjs');",
      'b.cjs': `${LOG} log.push('begins'); exports.run = log.length;
        if (log.length === 1) { ${DROP} ${tried("require('./c.mjs').run")} }
        log.push('ends');`,
      'c.mjs': "import b from './b.cjs'; export const { run } = b;",
    });
    expect(log).toEqual(['begins', 'begins', 'ends', 2, 'ends']);
  });

  test('runs on when its file has run again', async () => {
    const log = await logOf({
      'main.mjs': `import './a.cjs'; ${F}`,
      'a.cjs': "require('./b.cjs');",
      'b.cjs': `${LOG} log.push('begins');
        const first = module;
        if (log.length === 1) {
          ${DROP} require('./b.cjs'); require.cache[__filename] = first;
          ${tried("require('./c.mjs').run")}
        }
        log.push('ends');`,
      'c.mjs': "import b from './b.cjs'; export const { run } = b;",
    });
    expect(log).toEqual([
      'begins',
      'begins',
      'ends',
      'ERR_REQUIRE_CYCLE_MODULE',
      'ends',
    ]);
  });
});

describe('require() of a module that awaits', () => {
  // Node 24 looks for it first.
  const isFirst = Number(process.versions.node.split('.')[0]) >= 24;

  test('in a cycle', async () => {
    const log = await logOf({
      'main.mjs': `import './a.cjs'; await null; ${F}`,
      'a.cjs': `${LOG} ${tried("require('./main.mjs').f")}
        ${tried("require('./main.mjs').f")}`,
    });
    const code = `ERR_REQUIRE_${isFirst ? 'ASYNC' : 'CYCLE'}_MODULE`;
    expect(log).toEqual([code, code]);
  });

  test('and has thrown', async () => {
    const log = await logOf({
      'main.mjs': `${LOG} await import('./b.mjs').catch(() => {});
        await import('./a.cjs'); ${F}`,
      'a.cjs': `${LOG} ${tried("require('./b.mjs').b")}`,
      'b.mjs': "await null; throw new Error('thrown');",
    });
    expect(log).toEqual([isFirst ? 'ERR_REQUIRE_ASYNC_MODULE' : 'thrown']);
  });

  test('is imported afterwards, again and again', async () => {
    const log = await logOf({
      'main.mjs': `import './a.cjs'; ${F}`,
      'a.cjs': `${LOG} ${END} ${tried("require('./b.mjs').b")}
        const go = async () => {
          for (let i = 0; i < 3; ++i) {
            let turns = 0; let over = false;
            const one = import('./b.mjs').then((b) => { over = true; return b; });
            while (!over && turns < 60) { await undefined; turns += 1; }
            log.push(turns, (await one).b);
          }
        };
        later.push(go());`,
      'b.mjs': `${LOG} await null; log.push('evaluated'); export const b = 1;`,
    });
    expect(log[0]).toBe('ERR_REQUIRE_ASYNC_MODULE');
    expect(log.filter((one) => one === 'evaluated')).toHaveLength(1);
  });
});

describe('several import()', () => {
  test('fail in the order in which what is wrong shows', async () => {
    const log = await logOf({
      'main.mjs': `${LOG} ${END}
        ${noted('no export', "import('./no-export.mjs')")}
        ${noted('throws', "import('./throws.mjs')")}
        ${noted('missing', "import('./missing.mjs')")}
        ${noted('deep', "import('./deep.mjs')")}
        ${noted('throws too', "import('./throws.cjs')")} ${F}`,
      'no-export.mjs': "import { no } from './b.cjs';",
      'throws.mjs': "throw new Error('thrown');",
      'throws.cjs': "throw new Error('thrown by CommonJS');",
      'deep.mjs': "import './missing.mjs';",
      'b.cjs': 'exports.b = 1;',
    });
    expect(log).toHaveLength(5);
  });

  test('of a file without that export fail as often, and run others', async () => {
    const log = await logOf({
      'main.mjs': `${LOG} ${END}
        ${noted('first', "import('./no-export.mjs')")}
        ${noted('second', "import('./no-export.mjs')")}
        ${noted('other', "import('./other.mjs')")} ${F}`,
      'no-export.mjs': "import { no } from './b.mjs';",
      'other.mjs': `import './b.mjs'; ${LOG} log.push('runs');`,
      'b.mjs': `${LOG} log.push('b'); export const b = 1;`,
    });
    expect(log).toHaveLength(5);
  });

  test('take the turns of the format that a name says', async () => {
    const names = ['plain/b.js', 'b.cjs', 'b.mjs', 'b.json', 'c.js'];
    const files = Object.fromEntries(
      names.map((name) => [name, name.endsWith('json') ? '{}' : ';']),
    );
    const log = await logOf({
      ...files,
      'plain/package.json': '{"type":"commonjs"}',
      'main.mjs': `${LOG} ${END}
        ${names
          .filter((name) => !name.endsWith('json'))
          .map((name) => noted(name, `import('./${name}')`))
          .join('\n')}
        ${noted('json', "import('./b.json', { with: { type: 'json' } })")}
        ${noted('builtin', "import('node:path')")}
        const count = async () => {
          for (let i = 0; i < 30; ++i) { await undefined; log.push(i); }
        };
        later.push(count()); ${F}`,
    });
    expect(log).toHaveLength(names.length + 1 + 30);
  });
});
