'use strict';
// Loads modules of lib/ anew, as if the process ran on Windows: paths, URLs,
// the platform, the working directory, and which files there are.

const nodePath = require('node:path');
const nodeUrl = require('node:url');

const WINDOWS = { windows: true };

/** The modules as if they were Node's on Windows. */
const url = {
  ...nodeUrl,
  URL,
  fileURLToPath: (given) => nodeUrl.fileURLToPath(given, WINDOWS),
  pathToFileURL: (given) => nodeUrl.pathToFileURL(given, WINDOWS),
};

/** Node's own asks the process for the working directory. */
function pathsIn(cwd) {
  const resolve = (...parts) => nodePath.win32.resolve(cwd, ...parts);
  const relative = (from, to) =>
    nodePath.win32.relative(resolve(from), resolve(to));
  return { ...nodePath.win32, resolve, relative };
}

/**
 * @param {string} file of lib/, for example `entries/module-url.js`
 * @param {{ cwd?: string, files?: Record<string, string>,
 *   mocks?: Record<string, object> }} [world] the texts of files by their
 *   paths; other modules of Node by name
 * @returns the module's exports; the mocks last for the whole test file
 */
function loadOnWindows(file, { cwd = 'C:\\app', files = {}, mocks = {} } = {}) {
  const isThere = (path) => Object.hasOwn(files, path);
  const fs = {
    ...require('node:fs'),
    existsSync: isThere,
    statSync: (path) => ({
      isFile: () => isThere(path),
      size: 100,
      mtimeMs: 1,
      ino: 1,
    }),
    readFileSync(path) {
      if (isThere(path)) return files[path];
      throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
    },
  };
  const all = { path: pathsIn(cwd), url, fs, ...mocks };
  jest.spyOn(process, 'cwd').mockReturnValue(cwd);
  Object.defineProperty(process, 'platform', { value: 'win32' });
  Object.defineProperty(process, 'arch', { value: 'x64' });
  let exports;
  jest.resetModules();
  jest.isolateModules(() => {
    for (const [name, mock] of Object.entries(all)) {
      jest.doMock(`node:${name}`, () => mock);
    }
    exports = require(`../../../lib/${file}`);
  });
  return exports;
}

module.exports = { loadOnWindows };
