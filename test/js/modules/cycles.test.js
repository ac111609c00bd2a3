'use strict';

const { removeFolders, runIn } = require('./support.js');

afterEach(removeFolders);

const main = (text) => `${text}\nexport const run = () => globalThis.log;`;
const LOG = 'const log = (globalThis.log ??= []);';
const tried = (name) =>
  `try { log.push(Object.keys(require('${name}')).join()); }
   catch (e) { log.push(e.code); }`;

// Node itself crashes on its kind, from 20 to 26.
test('a module of a cycle whose root has failed later', async () => {
  const log = await runIn({
    'main.mjs': `const log = [];
      const note = (name) => import(name).then(() => log.push(name), (e) => log.push(name + e.message));
      await note('./entry.mjs'); await note('./b.mjs'); await note('./c.mjs');
      await note('./b.mjs'); await note('./a.mjs'); await note('./d.mjs');
      export const run = () => log;`,
    'entry.mjs': "import './a.mjs';",
    'a.mjs':
      "import './b.mjs'; import './d.mjs'; await Promise.reject(new Error(' late'));",
    'b.mjs': "import './c.mjs'; import './a.mjs';",
    'c.mjs': "import './b.mjs';",
    'd.mjs': '',
  });
  expect(log).toEqual([
    './entry.mjs late',
    './b.mjs late',
    './c.mjs late',
    './b.mjs late',
    './a.mjs late',
    './d.mjs',
  ]);
});

test('require() refuses a module that imports the file back', async () => {
  const files = {
    'main.mjs': main("import './index.cjs';"),
    'index.cjs': `${LOG} exports.a = 1; ${tried('./extra.mjs')}`,
    'extra.mjs': "import './index.cjs'; export const b = 1;",
  };
  expect(await runIn(files)).toEqual(['ERR_REQUIRE_CYCLE_MODULE']);
});

test('require() refuses the module that is being evaluated', async () => {
  const files = {
    'main.mjs': main("import './index.cjs';"),
    'index.cjs': `${LOG} ${tried('./main.mjs')} ${tried('./main.mjs')}`,
  };
  const code = 'ERR_REQUIRE_CYCLE_MODULE';
  expect(await runIn(files)).toEqual([code, code]);
});

test('require() refuses what depends on what is being evaluated', async () => {
  const files = {
    'main.mjs': main("import './index.cjs'; export const a = 1;"),
    'index.cjs': `${LOG} ${tried('./c.mjs')}`,
    'c.mjs': "import './d.mjs'; export const c = 1;",
    'd.mjs': "import { a } from './main.mjs'; export const d = typeof a;",
  };
  expect(await runIn(files)).toEqual(['ERR_REQUIRE_CYCLE_MODULE']);
});

test('a module that a sibling has linked sees what there is so far', async () => {
  const files = {
    'main.mjs': main("import './b.cjs'; import './d.mjs';"),
    'b.cjs': `${LOG} ${tried('./d.mjs')}`,
    'd.mjs': "import './main.mjs'; export const d = 1;",
  };
  expect(await runIn(files)).toEqual(['d']);
});

test('a module that requires itself through CommonJS is refused', async () => {
  const files = {
    'main.mjs': main("import './index.cjs';"),
    'index.cjs': `${LOG} ${tried('./c.mjs')}`,
    'c.mjs': "import './d.cjs'; export const c = 1;",
    'd.cjs': `${LOG} ${tried('./c.mjs')}`,
  };
  expect(await runIn(files)).toEqual(['ERR_REQUIRE_CYCLE_MODULE', 'c']);
});

test('cycles of CommonJS give what there is so far', async () => {
  const files = {
    'main.mjs': main("import './a.cjs';"),
    'a.cjs': `${LOG} exports.early = 1; ${tried('./b.cjs')} exports.late = 1;`,
    'b.cjs': `${LOG} ${tried('./a.cjs')} exports.b = 1;`,
  };
  expect(await runIn(files)).toEqual(['early', 'b']);
});

test('import() begins after the synchronous code, whoever loads the file', async () => {
  const files = {
    'main.mjs': `import index from './index.cjs';
      export const run = async () => { await index.late; return log; };`,
    'index.cjs': `globalThis.log = ['begin'];
      Promise.resolve().then(() => log.push('micro'));
      exports.late = import('./late.mjs');
      log.push('end');`,
    'late.mjs': "import './index.cjs'; log.push('late');",
  };
  expect(await runIn(files)).toEqual(['begin', 'end', 'micro', 'late']);
});

test('require() of what an import() is loading is refused, then works', async () => {
  const files = {
    'main.cjs': `${LOG}
      const late = import('./x.mjs');
      ${tried('./x.mjs')}
      exports.run = async () => { await late; ${tried('./x.mjs')} return log; };`,
    'x.mjs': 'export const x = 1;',
  };
  const [first, second] = await runIn(files, 'main.cjs');
  // Node 24 has loaded it before import() returns, older ones later.
  expect(['ERR_REQUIRE_ESM_RACE_CONDITION', 'x']).toContain(first);
  expect(second).toBe('x');
});

test('a required module with a default export has the mark of compiled ones', async () => {
  const files = {
    'main.mjs': `import whole from './index.cjs';
      export const run = () => whole;`,
    'index.cjs': `const space = require('./x.mjs');
      space.set(2);
      module.exports = [Object.keys(space), Object.prototype.toString.call(space), space.x,
        space === require('./x.mjs')];`,
    'x.mjs': `export let x = 1; export const set = (n) => { x = n; };
      export default 3;`,
  };
  expect(await runIn(files)).toEqual([
    ['__esModule', 'default', 'set', 'x'],
    '[object Module]',
    2,
    true,
  ]);
});

test('a JSON file is one value for import and require', async () => {
  const files = {
    'main.mjs': `import { createRequire } from 'node:module';
      import one from './a.json' with { type: 'json' };
      const require = createRequire(import.meta.url);
      const two = require('./b.json');
      const again = await import('./b.json', { with: { type: 'json' } });
      export const run = () => [one === require('./a.json'), again.default === two];`,
    'a.json': '{"a":1}',
    'b.json': '{"b":1}',
  };
  expect(await runIn(files)).toEqual([true, true]);
});

test('a failed module fails again with the same error', async () => {
  const files = {
    'main.mjs': `import { createRequire } from 'node:module';
      const require = createRequire(import.meta.url);
      const errors = [];
      for (let i = 0; i < 2; ++i) {
        await import('./bad.mjs').catch((e) => errors.push(e));
        try { require('./bad.mjs'); } catch (e) { errors.push(e); }
      }
      export const run = () => [errors.length, new Set(errors).size, runs];`,
    'bad.mjs':
      "globalThis.runs = (globalThis.runs ?? 0) + 1; throw new Error('x');",
  };
  expect(await runIn(files)).toEqual([4, 1, 1]);
});
