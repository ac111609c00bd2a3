'use strict';

const { _nodeModulePaths } = require('node:module');
const { posix, win32 } = require('node:path');

const { buildSync } = require('esbuild');

const { createTexts } = require('../../../src/runtime/loader/texts.js');

// path-unified is written as modules, and Jest runs none.
const { text } = buildSync({
  entryPoints: [require.resolve('../../../src/runtime/loader/paths.js')],
  bundle: true,
  write: false,
  format: 'cjs',
}).outputFiles[0];
const made = { exports: {} };
new Function('module', 'exports', text)(made, made.exports);
const { createPaths } = made.exports;
const texts = createTexts({
  charCodeAt: (text, at) => text.charCodeAt(at),
  lastIndexOf: (text, part) => text.lastIndexOf(part),
  substring: (text, start, end) => text.substring(start, end),
  textIndexOf: (text, part) => text.indexOf(part),
});
const append = (list, value) => list.push(value);

const windows = createPaths('win32', texts, append);
const linux = createPaths('linux', texts, append);

test.each([
  [
    windows,
    win32,
    ['C:\\', 'C:\\a\\b.js', '\\\\host\\share\\a\\b.js', 'c:/x/y'],
  ],
  [linux, posix, ['/', '/a/b.js', '/a\\b.js']],
])('folders and joined paths as node:path has them', (paths, oracle, files) => {
  for (const file of files) {
    expect(paths.dirname(file)).toBe(oracle.dirname(file));
    expect(paths.isAbsolute(file)).toBe(true);
    for (const name of ['./x', '../../x.js', 'x', '/y', 'D:\\z']) {
      expect(paths.resolve(file, name)).toBe(oracle.resolve(file, name));
    }
  }
});

test('the folders that packages are looked for in', () => {
  for (const folder of ['/', '/a/b', '/a/node_modules/b', '/a/node_modules']) {
    expect(linux.lookupPaths(folder)).toEqual(_nodeModulePaths(folder));
  }
  expect(windows.lookupPaths('C:\\a\\node_modules\\b')).toEqual([
    'C:\\a\\node_modules\\b\\node_modules',
    'C:\\a\\node_modules',
    'C:\\node_modules',
  ]);
  expect(windows.lookupPaths('\\\\host\\share\\a')).toEqual([
    '\\\\host\\share\\a\\node_modules',
    '\\\\host\\share\\node_modules',
  ]);
});

test('which names say where a file is', () => {
  const places = ['./a', '../a', '/a'];
  const names = ['a', '@a/b', '#a', '.a', '..a', 'a/b'];
  const only = ['.\\a', '..\\a', 'C:\\a', 'C:/a', '\\\\host\\share\\a'];
  for (const name of places) {
    expect([linux.isPlace(name), windows.isPlace(name)]).toEqual([true, true]);
  }
  for (const name of names) {
    expect([linux.isPlace(name), windows.isPlace(name)]).toEqual([
      false,
      false,
    ]);
  }
  for (const name of only) {
    expect([linux.isPlace(name), windows.isPlace(name)]).toEqual([false, true]);
  }
});

test('a folder stands for a file in it', () => {
  expect(linux.standIn('/a/')).toBe('/a/noop.js');
  expect(linux.standIn('/a')).toBe('/a');
  expect(windows.standIn('C:\\a\\')).toBe('C:\\a\\noop.js');
  expect(windows.endsAsFolder('.\\a\\')).toBe(true);
});
