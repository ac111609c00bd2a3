'use strict';
// How names of modules are read on Windows: drives, hosts and file: URLs.

const { loadOnWindows } = require('../support/on-windows.js');

const files = {
  'C:\\app\\tasks.mjs': '',
  'C:\\app\\compiled.ts': '',
  '\\\\host\\share\\tasks.mjs': '',
};

// The text that is given; the path; the URL.
const NAMES = [
  ['./tasks.mjs', 'C:\\app\\tasks.mjs', 'file:///C:/app/tasks.mjs'],
  ['.\\tasks.mjs', 'C:\\app\\tasks.mjs', 'file:///C:/app/tasks.mjs'],
  ['tasks.mjs', 'C:\\app\\tasks.mjs', 'file:///C:/app/tasks.mjs'],
  ['..\\a b#.mjs', 'C:\\a b#.mjs', 'file:///C:/a%20b%23.mjs'],
  ['D:\\x\\y.mjs', 'D:\\x\\y.mjs', 'file:///D:/x/y.mjs'],
  ['d:/x/y.mjs', 'd:\\x\\y.mjs', 'file:///d:/x/y.mjs'],
  ['\\x\\y.mjs', 'C:\\x\\y.mjs', 'file:///C:/x/y.mjs'],
  ['/x/y.mjs', 'C:\\x\\y.mjs', 'file:///C:/x/y.mjs'],
  [
    '\\\\host\\share\\tasks.mjs',
    '\\\\host\\share\\tasks.mjs',
    'file://host/share/tasks.mjs',
  ],
  ['.\\compiled.js', 'C:\\app\\compiled.ts', 'file:///C:/app/compiled.ts'],
];

test.each(NAMES)('%s names a path and a URL', (name, path, url) => {
  const { readModulePath } = loadOnWindows('entries/module-path.js', { files });
  expect(readModulePath('Worker.start', name)).toBe(path);
  const { moduleUrl, workerUrl } = loadOnWindows('entries/module-url.js', {
    files,
  });
  expect(moduleUrl(name)).toBe(url);
  expect(workerUrl(name)).toBe(url);
  const { ModulesReader } = loadOnWindows('entries/job-modules.js', { files });
  const isPath = /[\\/]/.test(name);
  expect(new ModulesReader().read({ x: name })).toBe(
    JSON.stringify([['x', isPath ? url : name]]),
  );
});

test.each([
  ['file:///C:/app/a%20b.mjs', 'C:\\app\\a b.mjs'],
  ['file://host/share/x.mjs', '\\\\host\\share\\x.mjs'],
  ['file:///C:/app/compiled.js', 'C:\\app\\compiled.ts'],
])('%s is a path', (url, path) => {
  const { readModulePath } = loadOnWindows('entries/module-path.js', { files });
  expect(readModulePath('Worker.start', url)).toBe(path);
  expect(readModulePath('Worker.start', new URL(url))).toBe(path);
});

test('a file: URL without a drive is refused with a code', () => {
  const { readModulePath } = loadOnWindows('entries/module-path.js', { files });
  expect(() => readModulePath('Worker.start', 'file:///x.mjs')).toThrow(
    expect.objectContaining({
      code: 'SLOPPY_E_WORKER_ISOLATE_STARTUP_FAILED',
    }),
  );
});

test('one letter before a colon is a drive, more are a scheme', () => {
  const { readModulePath } = loadOnWindows('entries/module-path.js', { files });
  expect(readModulePath('Worker.start', 'E:x.mjs')).toMatch(/^E:/);
  expect(() => readModulePath('Worker.start', 'https://a/b.mjs')).toThrow();
  const { moduleUrl } = loadOnWindows('entries/module-url.js', { files });
  expect(moduleUrl('node:path')).toBe('node:path');
});

test('the query of a URL is kept where TypeScript is found', () => {
  const { moduleUrl } = loadOnWindows('entries/module-url.js', { files });
  expect(moduleUrl('file:///C:/app/compiled.js?v=1#x')).toBe(
    'file:///C:/app/compiled.ts?v=1#x',
  );
});

test("a sent function stands in its file's URL", () => {
  const { inItsFile } = loadOnWindows('entries/function-place.js');
  const native = { placeOf: () => ['C:\\app\\a b.js', 0, 9, undefined] };
  const fn = () => {};
  expect(inItsFile(fn, `(${fn})`, native)).toMatch(
    /\n\/\/# sourceURL=file:\/\/\/C:\/app\/a%20b\.js$/,
  );
});

test.each([
  ['./tasks.mjs#score', 'file:///C:/app/tasks.mjs', 'score'],
  ['C:\\app\\tasks.mjs#score', 'file:///C:/app/tasks.mjs', 'score'],
  ['\\\\host\\share\\tasks.mjs', 'file://host/share/tasks.mjs', 'default'],
  ['file:///C:/x.mjs#score', 'file:///C:/x.mjs', 'score'],
  ['lodash#chunk', 'lodash', 'chunk'],
])('the command line reads %s', (text, url, name) => {
  const { readModuleReference } = loadOnWindows('cli/module-reference.js', {
    files,
  });
  expect(readModuleReference(text)).toEqual({ url, name });
});

test.each(['.\\none.mjs', 'C:\\none.mjs', 'c:/none.mjs', '\\\\h\\s\\none.mjs'])(
  'the command line says that %s is missing',
  (path) => {
    const { readModuleReference } = loadOnWindows('cli/module-reference.js', {
      files,
    });
    expect(() => readModuleReference(path)).toThrow(
      expect.objectContaining({ code: 'SLOPPY_CLI_MODULE' }),
    );
  },
);
