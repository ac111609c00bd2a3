'use strict';
// The text of a function for debuggers: it stands where the function stands in
// its own file, and still evaluates to it.

const { pathToFileURL } = require('node:url');
const vm = require('node:vm');

const { loadNative } = require('../../../lib/addon/load.js');
const { inItsFile } = require('../../../lib/entries/function-place.js');
const { functionSource } = require('../../../lib/entries/function-source.js');

const native = loadNative();
const FILE = '/some/folder/file.js';

/** The value of a script's last statement. */
const evaluated = (text, filename = FILE) =>
  vm.runInThisContext(text, { filename });

const inFile = (fn, by = native) => inItsFile(fn, functionSource(fn), by);

/** Lines of a text, without the comments at its end. */
const linesOf = (text) => text.split('\n').filter((row) => !/^\/\/#/.test(row));

const SCRIPTS = {
  'an arrow function on the first line': '  (input) => [input, 1]',
  'at the beginning': '(input) => [input, 1]',
  'on the second line': '\n  (input) => [input, 1]',
  'far below': `${'\n'.repeat(9)}      (input) => [input, 1]`,
  'of several lines': '\n\n   (input) => {\n  return [\n input, 1];\n}',
  'with a lone parameter': '\n  input => [Number(input), 1]',
  'with a lone parameter at the beginning': 'input=>[input, 1]',
  'asynchronous, with a lone parameter':
    '\n    async input => [Number(input), 1]',
  'asynchronous, on two lines': '\n async (\ninput) => [input, 1]',
  'asynchronous, with a parameter of that name': '\n   async => [async, 1]',
  'that calls what is named like it':
    '\n   (asynchronous) => [asynchronous, 1]',
  'with a name': '\n   (function named(input) { return [input, 1]; })',
  'with a name on the next line':
    '\n   (function\n     named(input) { return [input, 1]; })',
  'asynchronous, at the beginning': 'async (input) => [input, 1]',
  'asynchronous, without a space': '\n     async(input) => [input, 1]',
  'asynchronous, with a name':
    '\n   (async function named(input) { return [input, 1]; })',
  'a method that is asynchronous':
    '({\n  async go(input) { return [input, 1]; } }).go',
  'a method that is called async':
    '({\n     async (input) { return [input, 1]; } }).async',
  'a method': '({\n  go(input) { return [input, 1]; } }).go',
  'a method on the first line': '({ go(input) { return [input, 1]; } }).go',
};

test.each(Object.entries(SCRIPTS))('%s', async (_, script) => {
  const fn = evaluated(script);
  const text = inFile(fn);
  const source = String(fn);
  const [first, ...others] = source.split('\n');
  const before = script.slice(0, script.indexOf(source)).split('\n');
  const line = before.length - 1;
  const rows = linesOf(text);
  // The first line may begin earlier where the method's object does.
  const starts = before[line].length;
  const isCut = source.slice(0, source.indexOf('(')).includes('\n');
  const shift = line === 0 ? Math.max(0, rows[0].indexOf(first) - starts) : 0;
  const column = isCut ? rows[line].indexOf(first) : starts + shift;
  expect(rows[line].slice(column, column + first.length)).toBe(first);
  expect(shift).toBeLessThan(3);
  others.forEach((row, at) => {
    expect(rows[line + 1 + at].startsWith(row)).toBe(true);
  });
  expect(text).toMatch(/\n\/\/# sourceURL=file:\/\/\/some\/folder\/file\.js$/);
  expect(await evaluated(text, 'elsewhere')(5)).toEqual([5, 1]);
});

test('a method with a computed name, whose text is another one', () => {
  const fn = evaluated('({\n   ["go"](input) { return [input, 1]; } }).go');
  const [above, row] = linesOf(inFile(fn));
  expect(above).toBe('(a=>{a()});');
  expect(row).toBe('   ({"go"(input) { return [input, 1]; }');
  expect(evaluated(inFile(fn), 'elsewhere')(5)).toEqual([5, 1]);
});

describe('lines above the function', () => {
  test('each has code to stop at, which does not run', () => {
    const text = inFile(evaluated('\n\n\n  (input) => 1'));
    expect(linesOf(text).slice(0, 4)).toEqual([
      '(a=>{a()',
      'a()',
      'a()});(',
      '  (input) => 1',
    ]);
  });

  test('are none for a function of the first line', () => {
    const [row] = linesOf(inFile(evaluated('       (input) => 1')));
    expect(row).toBe('      ((input) => 1');
  });

  test('end before what would return there', () => {
    const fn = evaluated('\n    (input) => __name(input)');
    const [above, row] = linesOf(inFile(fn));
    expect(above).toBe('(a=>{a()});');
    expect(row.indexOf('(input) => __name')).toBeGreaterThan(3);
    expect(row.trimStart()).toMatch(/^\(\(\(\) => \{ return \(input\)/);
  });
});

describe('with a place that somebody names', () => {
  const fn = evaluated('\n   (input) => [input, 1]');
  const at = (...place) => inFile(fn, { placeOf: () => place });
  const plain = functionSource(fn);

  test.each([
    ['a path', '/a b/c.js', pathToFileURL('/a b/c.js').href],
    ['a URL', 'file:///a%20b/c.js', 'file:///a%20b/c.js'],
  ])('%s', (_, name, url) => {
    expect(at(name, 1, 3)).toMatch(new RegExp(`\\n//# sourceURL=${url}$`));
  });

  test.each([
    ['a name that is no file', ['evalmachine.<anonymous>', 1, 3]],
    ['another URL', ['node:fs', 1, 3]],
    ['no name', [undefined, 1, 3]],
    ['a line before the first', ['/a.js', -1, 3]],
    ['a column before the first', ['/a.js', 1, -1]],
    ['a column that is too far', ['/a.js', 0, 1_000_001]],
    ['a line and a column that are', ['/a.js', 500_000, 500_001]],
  ])('%s: as if nobody knew', (_, place) => {
    expect(at(...place)).toBe(plain);
  });

  test('the furthest', () => {
    const text = at('/a.js', 0, 1_000_000);
    expect(text.indexOf('(input)')).toBe(1_000_000);
  });

  test('nobody knows', () => {
    expect(inFile(fn, { placeOf: () => undefined })).toBe(plain);
    const failing = {
      placeOf() {
        throw new Error('no memory');
      },
    };
    expect(inFile(fn, failing)).toBe(plain);
  });

  test.each([
    ['beside the file', 'c.js.map', 'file:///a/c.js.map'],
    ['in the file', 'data:application/json,1', 'data:application/json,1'],
  ])("its file's source map, %s", (_, map, url) => {
    const comments = at('/a/c.js', 1, 3, map).split('\n').slice(-2);
    expect(comments).toEqual([
      `//# sourceMappingURL=${url}`,
      '//# sourceURL=file:///a/c.js',
    ]);
  });

  test.each([[''], [undefined], ['http://[']])('no map: %p', (map) => {
    expect(at('/a/c.js', 1, 3, map)).not.toContain('sourceMappingURL');
    expect(at('/a/c.js', 1, 3, map)).toContain('sourceURL');
  });
});
