'use strict';
// The names of modules: paths, URLs and packages, and the TypeScript file that
// stands for a compiled one that is missing.

const { mkdirSync, mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join, resolve } = require('node:path');
const { pathToFileURL } = require('node:url');

const { ModulesReader } = require('../../../lib/entries/job-modules.js');
const { readModulePath } = require('../../../lib/entries/module-path.js');
const { moduleUrl, workerUrl } = require('../../../lib/entries/module-url.js');
const {
  sourceFile,
  sourceUrl,
} = require('../../../lib/entries/source-file.js');

const folder = mkdtempSync(join(tmpdir(), 'sw names-'));
const before = process.cwd();
afterAll(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});
const at = (...parts) => join(folder, ...parts);
const urlOf = (path) => pathToFileURL(path).href;
for (const name of [
  'a.ts',
  'b.mts',
  'c.cts',
  'both.js',
  'both.ts',
  'bare',
  'plain.js',
]) {
  writeFileSync(at(name), '');
}
mkdirSync(at('node_modules', 'pack'), { recursive: true });
writeFileSync(at('node_modules', 'pack', 'index.js'), '');
beforeEach(() => process.chdir(folder));

describe('sourceFile', () => {
  test.each([
    ['a.js', 'a.ts'],
    ['b.mjs', 'b.mts'],
    ['c.cjs', 'c.cts'],
    ['both.js', 'both.js'],
    ['none.js', 'none.js'],
    ['a.mjs', 'a.mjs'],
    ['a', 'a'],
    ['a.json', 'a.json'],
    ['a.ts', 'a.ts'],
  ])('%s is %s', (name, found) => {
    expect(sourceFile(at(name))).toBe(at(found));
    expect(sourceUrl(urlOf(at(name)))).toBe(urlOf(at(found)));
    const suffix = '?v=1.js#h';
    expect(sourceUrl(urlOf(at(name)) + suffix)).toBe(urlOf(at(found)) + suffix);
  });

  test('other URLs stay, and those of no file', () => {
    for (const url of ['data:text/javascript,1', 'node:fs', 'file:///%2f.js']) {
      expect(sourceUrl(url)).toBe(url);
    }
  });
});

describe('readModulePath', () => {
  const read = (module) => readModulePath('Here', module);

  test('paths and file: URLs', () => {
    expect(read('a.js')).toBe(at('a.ts'));
    expect(read('./both.js')).toBe(at('both.js'));
    expect(read(at('none.js'))).toBe(at('none.js'));
    expect(read(urlOf(at('a.js')))).toBe(at('a.ts'));
    expect(read(pathToFileURL(at('both.js')))).toBe(at('both.js'));
  });

  test.each([[''], [1], [null], ['a\0b'], [{}]])('refuses %p', (module) => {
    expect(() => read(module)).toThrow(
      new TypeError('Here module path must be a non-empty string without NUL.'),
    );
  });

  test.each([
    ['data:text/javascript,1', 'no other scheme'],
    ['https://example.com/a.js', 'no other scheme'],
    ['file:///%2f.js', 'encoded'],
  ])('refuses %s', (module, why) => {
    const refused = expect.objectContaining({
      code: 'SLOPPY_E_WORKER_ISOLATE_STARTUP_FAILED',
      cause: expect.objectContaining({ message: expect.stringMatching(why) }),
    });
    let thrown;
    try {
      read(module);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toEqual(refused);
  });
});

describe('moduleUrl', () => {
  const pack = at('node_modules', 'pack', 'index.js');
  test.each([
    ['./a.js', urlOf(at('a.ts'))],
    ['./none.js', urlOf(at('none.js'))],
    [at('both.js'), urlOf(at('both.js'))],
    ['bare', urlOf(at('bare'))],
    ['a.js', urlOf(at('a.ts'))],
    // No package is looked for, nor an extension.
    ['./plain', urlOf(at('plain'))],
    ['pack', urlOf(pack)],
    ['none', urlOf(at('none'))],
    [urlOf(at('a.js')), urlOf(at('a.ts'))],
    ['data:text/javascript,1', 'data:text/javascript,1'],
  ])('of %s', (name, url) => {
    expect(moduleUrl(name)).toBe(url);
    expect(workerUrl(name)).toBe(url);
  });

  test('of a URL object', () => {
    expect(workerUrl(pathToFileURL(at('a.js')))).toBe(urlOf(at('a.ts')));
  });

  test('of no module', () => {
    for (const module of [1, null, {}]) {
      expect(() => workerUrl(module)).toThrow(
        new TypeError('a worker needs a module path or URL.'),
      );
    }
    expect(() => workerUrl('https://example.com')).toThrow(
      'SLOPPY_E_WORKER_ISOLATE_STARTUP_FAILED',
    );
  });
});

describe('modules of a job', () => {
  const listOf = (modules, reader = new ModulesReader()) =>
    JSON.parse(reader.read(modules));

  test('their names and URLs', () => {
    expect(
      listOf({
        dotted: './a.js',
        whole: at('both.js'),
        object: pathToFileURL(at('a.js')),
        url: urlOf(at('a.js')),
        pack: 'pack',
        built: 'node:path',
      }),
    ).toEqual([
      ['dotted', urlOf(at('a.ts'))],
      ['whole', urlOf(at('both.js'))],
      ['object', urlOf(at('a.ts'))],
      ['url', urlOf(at('a.ts'))],
      ['pack', 'pack'],
      ['built', 'node:path'],
    ]);
    expect(listOf({})).toEqual([]);
  });

  test.each([[null], [1], [[]], [new Map()]])('are no %p', (modules) => {
    expect(() => listOf(modules)).toThrow(
      new TypeError('worker modules must be a plain object.'),
    );
  });

  test.each([[''], [1], [null], [['a']]])('none is %p', (module) => {
    expect(() => listOf({ a: 'ok', b: module })).toThrow(
      new TypeError('worker modules must be specifiers or URLs.'),
    );
  });

  test('are read again once they differ', () => {
    const reader = new ModulesReader();
    const read = (modules) => listOf(modules, reader);
    expect(read({ a: 'x', b: 'y' })).toEqual([
      ['a', 'x'],
      ['b', 'y'],
    ]);
    expect(read({ a: 'x', b: 'y' })).toHaveLength(2);
    expect(read({ a: 'x' })).toEqual([['a', 'x']]);
    expect(read({ c: 'x' })).toEqual([['c', 'x']]);
    expect(read({ c: 'z' })).toEqual([['c', 'z']]);
    expect(read({ b: 'y', c: 'z' })).toEqual([
      ['b', 'y'],
      ['c', 'z'],
    ]);
    expect(read({})).toEqual([]);
  });

  test('of which none has changed are not looked up again', () => {
    const reader = new ModulesReader();
    const [first] = listOf({ a: './later.js', p: 'x' }, reader);
    expect(first[1]).toBe(urlOf(at('later.js')));
    writeFileSync(at('later.ts'), '');
    const [again] = listOf({ a: './later.js', p: 'x' }, reader);
    expect(again).toEqual(first);
    const [fresh] = listOf({ a: './later.js', p: 'x' });
    expect(fresh[1]).toBe(urlOf(at('later.ts')));
    rmSync(at('later.ts'));
  });

  test('a URL object may have changed', () => {
    const reader = new ModulesReader();
    const url = pathToFileURL(at('both.js'));
    listOf({ url }, reader);
    url.pathname = url.pathname.replace('both.js', 'none.js');
    expect(listOf({ url }, reader)).toEqual([['url', urlOf(at('none.js'))]]);
  });

  test('follow the working directory where they are dotted', () => {
    const reader = new ModulesReader();
    const modules = { a: 'pack', b: './both.js' };
    expect(listOf(modules, reader)[1][1]).toBe(urlOf(at('both.js')));
    process.chdir(at('node_modules'));
    expect(listOf(modules, reader)[1][1]).toBe(urlOf(resolve('both.js')));
    expect(listOf(modules, reader)[1][1]).not.toBe(urlOf(at('both.js')));
  });

  test('do not look at the working directory where none is', () => {
    const reader = new ModulesReader();
    const modules = { a: 'pack', b: 'node:fs' };
    const first = listOf(modules, reader);
    const cwd = jest.spyOn(process, 'cwd');
    expect(listOf(modules, reader)).toEqual(first);
    expect(cwd).not.toHaveBeenCalled();
    cwd.mockRestore();
  });
});
