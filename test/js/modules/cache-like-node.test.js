'use strict';
// What stands in require.cache before a file has run: as in Node.

const { logOf, removeFolders } = require('./support.js');

const PRELUDE = `const log = (globalThis.log ??= []);
  const at = (name) => require.cache[require.resolve(name)];
  const tried = (get) => {
    try { log.push(get()); } catch (e) { log.push(e.code ?? e.name); } };`;
const MAIN = `import './a.cjs'; export const f = () => globalThis.log;`;

afterEach(removeFolders);

const logOfCommonJs = (text, files) =>
  logOf({ 'main.mjs': MAIN, 'a.cjs': PRELUDE + text, ...files });

describe('the entry of a module that an imported file exports again', () => {
  test('is there before it has run, and can be replaced', async () => {
    const log = await logOfCommonJs(
      `tried(() => at('./b.mjs').loaded);
       tried(() => at('./b.mjs').parent === undefined);
       at('./b.mjs').exports = 'replaced';
       tried(() => at('./b.mjs').exports);
       module.exports = require('./b.mjs');
       tried(() => module.exports.v);
       tried(() => at('./b.mjs').loaded);`,
      { 'b.mjs': `export const v = 'of b';` },
    );
    expect(log).toEqual([false, true, 'replaced', 'of b', true]);
  });

  test('goes when it throws', async () => {
    await logOfCommonJs(
      `tried(() => typeof at('./b.mjs'));
       tried(() => { module.exports = require('./b.mjs'); });
       tried(() => typeof at('./b.mjs'));`,
      { 'b.mjs': 'throw new RangeError();' },
    );
  });

  test('is there of a chain, by whatever their names say', async () => {
    await logOfCommonJs(
      `tried(() => Object.keys(require.cache).map((x) => x.split('/').pop()).join());
       0 && (module.exports = require('./b.cjs'));
       0 && (module.exports = { ...require('./e.json'), ...require('./f.odd') });`,
      {
        'b.cjs': `module.exports = require('./c.mjs');`,
        'c.mjs': `import './d.cjs';`,
        'd.cjs': '',
        'e.json': '1',
        'f.odd': 'exports.odd = 1;',
      },
    );
  });

  test('has no names where a module has none for CommonJS', async () => {
    await logOf({
      'main.mjs': `import * as a from './a.cjs';
        export const f = () => [Object.keys(a).join(), ...globalThis.log];`,
      'a.cjs': `${PRELUDE} tried(() => typeof at('./b.mjs'));
        module.exports = require('./b.mjs');`,
      'b.mjs': `export const v = 1; export default 2; 0 && (exports.w = 3);`,
    });
  });

  test('is there of the file that begins, which is still not the main one', async () => {
    await logOf({
      'main.mjs': `import './a.cjs'; export const v = 1;
        export const f = () => globalThis.log;`,
      'a.cjs': `${PRELUDE} tried(() => typeof at('./main.mjs'));
        tried(() => require.main === undefined);
        tried(() => at('./main.mjs')?.id.split('/').pop());
        tried(() => { module.exports = require('./main.mjs'); });
        tried(() => typeof at('./main.mjs'));
        tried(() => { module.exports = require('./main.mjs'); });`,
    });
  });

  test('is not made of an ending that the program runs itself', async () => {
    await logOf({
      'main.mjs': `import './hook.cjs'; await import('./a.cjs');
        export const f = () => globalThis.log;`,
      'hook.cjs': `require.extensions['.mjs'] = (module) => { module.exports = 7; };`,
      'a.cjs': `${PRELUDE} tried(() => typeof at('./b.mjs'));
        module.exports = require('./b.mjs');
        tried(() => module.exports); tried(() => typeof at('./b.mjs'));`,
      'b.mjs': '',
    });
  });
});

test('an imported JSON file has an entry that is no Module', async () => {
  await logOf({
    'main.mjs': `import './b.json' with { type: 'json' }; import './a.cjs';
      export const f = () => globalThis.log;`,
    'a.cjs': `${PRELUDE} tried(() => Object.keys(at('./b.json')).join());
      tried(() => at('./b.json').exports === require('./b.json'));
      tried(() => module.children[0] === at('./b.json'));
      require('./c.json'); tried(() => Object.keys(at('./c.json')).join());`,
    'b.json': '{}',
    'c.json': '1',
  });
});
