'use strict';
// The format of a file, and its names, where only its text says so: as Node
// of this version has it.

const { logOf, removeFolders } = require('./support.js');

afterEach(removeFolders);

/** The outcome of each text's import: its names, or its error. */
async function namesOf(texts, extension) {
  const files = { 'x.cjs': 'exports.fromX = 1;' };
  for (const [i, text] of texts.entries()) {
    files[`t${i}${extension}`] = `${text}\n`;
  }
  files['main.mjs'] = `const names = [];
    for (let i = 0; i < ${texts.length}; ++i) {
      try { names.push(Object.keys(await import('./t' + i + '${extension}')).join()); }
      catch (e) { names.push(e.code ?? e.name); }
    }
    export const f = () => names;`;
  return logOf(files);
}

test('a file that awaits within an expression is a module', async () => {
  const names = await namesOf(
    [
      "String('a' + await 0); var a = [await 0];",
      'if (await 0) ;',
      'for await (const a of []) ;',
      'var a = { b: await 0 };',
      '(await 0)?.x;',
      'switch (await 0) {}',
      'const require = await 0;',
      'const module = 1;',
    ],
    '.js',
  );
  expect(new Set(names)).toEqual(new Set(['']));
});

test('a file that is neither is CommonJS that does not parse', async () => {
  const names = await namesOf(
    ['await 0; delete x;', '07; await 0;', 'f(a b);', 'const const = 1;'],
    '.js',
  );
  expect(new Set(names)).toEqual(new Set(['SyntaxError']));
});

test('members of module.exports have the names that they have in Node', async () => {
  const names = await namesOf(
    [
      'module.exports = { get v() { return 1; }, a: 1 };',
      'module.exports = { a, get v() { return 1; }, b }; var a, b;',
      "module.exports = { a: require('./x.cjs'), c }; var c;",
      "module.exports = { a: b, c: require('./x.cjs'), d }; var b, d;",
      "module.exports = { a: f(require('./x.cjs')), b }; function f() {} var b;",
      'module.exports = { get, b }; var get, b;',
      "exports['module.exports'] = 1;",
      'module.exports = undefined;',
    ],
    '.cjs',
  );
  expect(names).toHaveLength(8);
});

test('import.meta.resolve() of what is not there', async () => {
  const log = await logOf({
    'main.mjs': `const found = [];
      for (const name of ['.', '..', './gone.mjs', 'p/gone', 'gone', '#gone', 'q/gone']) {
        try { found.push(import.meta.resolve(name).split('/').slice(-2).join('/')); }
        catch (e) { found.push(e.name + ' ' + e.code); }
      }
      export const f = () => found.slice(2).concat(found[0].endsWith('/'), found[1].endsWith('/'));`,
    'node_modules/p/package.json': '{}',
    'node_modules/q/package.json': '{"exports":{".":"./x.js"}}',
    'package.json': '{}',
  });
  expect(log.slice(0, 2)).toEqual([
    expect.stringMatching(/gone\.mjs$/),
    'p/gone',
  ]);
});
