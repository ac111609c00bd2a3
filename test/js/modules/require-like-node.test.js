'use strict';
// What programs may change of require(), and what require() makes of files by
// their names: as in Node.

const { folderWith, logOf, removeFolders } = require('./support.js');
const { join } = require('node:path');
const { Worker } = require('../../../lib/index.js');

const PRELUDE = `const log = (globalThis.log ??= []);
  const tried = (get) => {
    try { log.push(get()); } catch (e) { log.push(e.code ?? e.name); } };`;
const MAIN = `import './a.cjs'; export const f = () => globalThis.log;`;

afterEach(removeFolders);

const logOfCommonJs = (text, files) =>
  logOf({ 'main.mjs': MAIN, 'a.cjs': PRELUDE + text, ...files });

describe('require.extensions', () => {
  test('has functions, the same for all files', async () => {
    const log = await logOfCommonJs(
      `const { extensions } = require;
       log.push(Object.keys(extensions).join(), typeof extensions['.js'],
         extensions === require('./b.cjs'), require('module')._extensions === extensions,
         require('module')._cache === require.cache);`,
      { 'b.cjs': 'module.exports = require.extensions;' },
    );
    expect(log).toEqual(['.js,.json,.node', 'function', true, true, true]);
  });

  test('a function of a program runs its files, and finds them', async () => {
    const log = await logOfCommonJs(
      `require.extensions['.txt'] = function (module, file) {
         log.push(this === require.extensions, file.split('/').pop(), module.id === file);
         module.exports = { text: file.length > 0 };
       };
       tried(() => require('./b.txt').text);
       tried(() => require('./b').text);
       tried(() => require('./b.txt') === require('./b'));
       tried(() => require.resolve('./b').split('/').pop());
       tried(() => require('./c.d.txt').text);`,
      { 'b.txt': '', 'c.d.txt': '' },
    );
    expect(log).toEqual([
      true,
      'b.txt',
      true,
      true,
      true,
      true,
      'b.txt',
      true,
      'c.d.txt',
      true,
      true,
    ]);
  });

  test('the longest end counts', async () => {
    await logOfCommonJs(
      `require.extensions['.d.txt'] = (module) => { module.exports = 'longer'; };
       require.extensions['.txt'] = (module) => { module.exports = 'shorter'; };
       tried(() => require('./c.d.txt')); tried(() => require('./x.txt'));
       tried(() => require('./.txt'));
       delete require.extensions['.d.txt'];
       tried(() => require('./e.d.txt'));`,
      {
        'c.d.txt': '',
        'x.txt': '',
        '.txt': 'module.exports = 5',
        'e.d.txt': '',
      },
    );
  });

  test('a text is changed before it runs, as compilers do', async () => {
    const log = await logOfCommonJs(
      `const old = require.extensions['.js'];
       require.extensions['.js'] = (module, file) => {
         const { _compile } = module;
         module._compile = function (text, name) {
           module._compile = _compile;
           return module._compile(text.replace('OLD', 'new'), name);
         };
         old(module, file);
       };
       tried(() => require('./b.js').value);
       tried(() => require('./b.js').child.value);`,
      {
        'b.js': `exports.value = 'OLD'; exports.child = require('./sub/c.js');`,
        'sub/c.js': `exports.value = 'OLD' + __filename.split('/').pop();`,
      },
    );
    expect(log).toEqual(['new', 'newc.js']);
  });

  test('one that throws leaves nothing behind', async () => {
    await logOfCommonJs(
      `let calls = 0;
       require.extensions['.txt'] = (module) => {
         calls += 1;
         if (calls === 1) throw new RangeError('once');
         module.exports = calls;
       };
       tried(() => require('./b.txt')); tried(() => require('./b.txt'));`,
      { 'b.txt': '' },
    );
  });

  test('allowEval: false holds for the text that it compiles', async () => {
    const folder = folderWith({
      'main.cjs': `require.extensions['.txt'] = (module, file) =>
          module._compile('module.exports = 1', file);
        exports.f = () => { try { return require('./b.txt'); } catch (e) { return e.name; } };`,
      'b.txt': '',
    });
    const worker = await Worker.start(join(folder, 'main.cjs'), {
      allowEval: false,
    });
    expect(await worker.invoke('f')).toBe('EvalError');
    await worker.stop();
  });
});

test('what is in require.cache by the name of a built-in takes its place', async () => {
  const log = await logOfCommonJs(
    `const path = require('path');
     require.cache.path = { exports: 'mine', loaded: true };
     tried(() => require('path')); tried(() => require('node:path') === path);
     tried(() => require.resolve('path')); tried(() => require('./b.cjs'));
     delete require.cache.path;
     tried(() => require('path') === path);`,
    { 'b.cjs': "module.exports = require('path');" },
  );
  expect(log).toEqual(['mine', true, 'path', 'mine', true]);
});

test.each(['module', 'commonjs'])(
  'a file without .js is what Node takes it for, in a package of type %s',
  async (type) => {
    const log = await logOfCommonJs(
      `tried(() => require('./p/script')); tried(() => require('./p/module').default);
       tried(() => require('./p/script.unknown'));
       tried(() => require('./p/module.unknown').default);`,
      {
        'p/package.json': `{"type":"${type}"}`,
        'p/script': 'module.exports = 1;',
        'p/module': 'export default 2;',
        'p/script.unknown': 'module.exports = 3;',
        'p/module.unknown': 'export default 4;',
      },
    );
    // logOf compares with Node, which has asked the package since 26.
    expect(log.slice(2)).toEqual([3, 4]);
  },
);
