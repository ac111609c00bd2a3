'use strict';
// Errors of modules that cannot be loaded, or not yet: the code, the class and
// the order are Node's own. Each has differed once.

const { logOf, removeFolders } = require('./support.js');

const PRELUDE = `globalThis.log ??= [];
  globalThis.say ??= (e) => log.push(e.name + ' ' + (e.code ?? ''));`;
const F = 'export const f = () => globalThis.log;';

afterEach(removeFolders);

/** Notes what import() of each gives, one after the other. */
const importing = (...names) =>
  names
    .map(
      (name) =>
        `await import(${name}).then((x) => log.push(Object.keys(x).join()), say);`,
    )
    .join('\n');

/** Notes what require() of each gives. */
const requiring = (...names) =>
  names
    .map(
      (name) =>
        `try { log.push(Object.keys(require('${name}')).join()); } catch (e) { say(e); }`,
    )
    .join('\n');

const last = (log) => log.at(-1);

test('errors have the classes of Node', async () => {
  const log = await logOf({
    'main.mjs': `${PRELUDE} ${importing(
      "'./d.json'",
      "'./m.mjs', { with: { type: 'json' } }",
      "'./m.mjs', { with: { kind: 'x' } }",
      "'#missing'",
      "'./%2fm.mjs'",
      "'./m.unknown'",
      "'./gone.mjs'",
      "'./folder'",
      "'.'",
      "'..'",
      "'data:text/plain,5'",
    )} ${F}`,
    'd.json': '{}',
    'm.mjs': 'export default 1;',
    'm.unknown': '',
    'folder/x.js': '',
    'package.json': '{}',
  });
  expect(log).toContain('TypeError ERR_PACKAGE_IMPORT_NOT_DEFINED');
  expect(last(log)).toBe('RangeError ERR_UNKNOWN_MODULE_FORMAT');
});

test('an attribute that nothing supports shows in its turn', async () => {
  const log = await logOf({
    'main.mjs': `${PRELUDE} ${importing("'./x.mjs'")}
      const kinds = ["{ with: { kind: 'x' } }", '{}'];
      await Promise.allSettled([
        import('./a.mjs', { with: { kind: 'x' } }).catch(say),
        import('./b.mjs').then(() => log.push('b')),
        import('./gone.mjs').catch(say),
      ]); ${F}`,
    'x.mjs': "import './gone.mjs'; import './a.mjs' with { kind: 'x' };",
    'a.mjs': '',
    'b.mjs': '',
  });
  expect(log[0]).toBe('Error ERR_MODULE_NOT_FOUND');
});

test('of several faults the entry shows the one that Node does', async () => {
  const log = await logOf({
    'main.mjs': `${PRELUDE} ${importing("'./entry.mjs'")} ${F}`,
    'entry.mjs': `import './a.mjs'; import './m.mjs' with { type: 'json' };`,
    'a.mjs': "import './gone.mjs';",
    'm.mjs': '',
  });
  expect(log).toHaveLength(1);
});

test('a file that has left a graph that failed is made anew', async () => {
  const log = await logOf({
    'main.mjs': `${PRELUDE} import './a.cjs'; ${F}`,
    'a.cjs': `${PRELUDE} ${requiring('./b.cjs', './m.mjs', './m.mjs')}`,
    'b.cjs': `${PRELUDE} ${requiring('./m.mjs')}
      throw Object.assign(new Error('mine'), { code: 'E_MINE' });`,
    'm.mjs': "import './b.cjs'; await 0;",
  });
  expect(log.slice(0, 2)).toEqual([
    'Error ERR_REQUIRE_CYCLE_MODULE',
    'Error E_MINE',
  ]);
  expect(last(log)).toBe('Error ERR_REQUIRE_ASYNC_MODULE');
});

test('a module of a cycle that require() could not load does not end the process', async () => {
  const log = await logOf({
    'main.mjs': `${PRELUDE} import './entry.cjs';
      await new Promise((go) => setTimeout(go, 20)); ${F}`,
    'entry.cjs': `${PRELUDE} import('./b.mjs').catch(() => {});
      ${requiring('./a.mjs', './a.mjs')}`,
    'a.mjs': "import * as b from './b.mjs'; import './entry.cjs';",
    'b.mjs': "import './a.mjs';",
  });
  expect(log[0]).toMatch(/^Error ERR_REQUIRE_/);
});

test('a file that has thrown does not run for those that had linked it', async () => {
  const log = await logOf({
    'main.mjs': `${PRELUDE} import './entry.cjs';
      await globalThis.late.catch(say); ${F}`,
    'entry.cjs': `${PRELUDE} ${requiring('./b.cjs')}`,
    'b.cjs': `${PRELUDE} log.push('runs');
      globalThis.late ??= import('./m.mjs'); throw new Error('mine');`,
    'm.mjs': "import './b.cjs';",
  });
  expect(log[0]).toBe('runs');
});
