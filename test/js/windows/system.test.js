'use strict';
// The binary, stacks, signals and the user's folders on Windows.

const path = require('node:path');

const { version } = require('../../../package.json');
const { binaryOf } = require('../../../lib/addon/platforms.js');
const { Build } = require('../../../lib/protocol/wire.gen.js');
const { loadOnWindows } = require('../support/on-windows.js');

const binary = binaryOf(process.versions.modules);
const folder = 'C:\\app\\node_modules\\@sloppy-workers\\win32-x64';
const environment = { ...process.env };

beforeEach(() => {
  delete process.env.SLOPPY_WORKERS_BINARY;
  delete process.env.SLOPPY_WORKERS_PRESET;
});

afterEach(() => {
  process.env = { ...environment };
});

/** @param {(path: string) => unknown} load of the binary */
function loader(load, { files = {}, cwd, found = version } = {}) {
  const fake = Object.assign(
    (path) => (path.endsWith('.json') ? { version: found } : load(path)),
    {
      resolve(name) {
        if (name === '@sloppy-workers/win32-x64/package.json') {
          return `${folder}\\package.json`;
        }
        throw new Error(`no ${name}`);
      },
    },
  );
  const mocks = { module: { createRequire: () => fake } };
  const world = cwd === undefined ? { files, mocks } : { files, mocks, cwd };
  return loadOnWindows('addon/load.js', world);
}

const messageOf = (fn) => {
  try {
    fn();
  } catch (error) {
    return error.message;
  }
  throw new Error('nothing was thrown');
};

test('the binary is that of the package for Windows', () => {
  const file = `${folder}\\${binary}`;
  const open = jest.fn(() => 'functions');
  const load = jest.fn(() => ({ build: Build.Digest, open }));
  const { binaryFile, loadNative } = loader(load, { files: { [file]: '' } });
  expect(binaryFile()).toBe(file);
  expect(loadNative()).toBe('functions');
  expect(load).toHaveBeenCalledWith(file);
});

test('a binary of the environment is taken by its drive', () => {
  const file = 'D:\\my builds\\x.node';
  process.env.SLOPPY_WORKERS_BINARY = file;
  const load = () => ({ build: Build.Digest, open: () => 'functions' });
  const { loadNative, binaryFile } = loader(load, { files: { [file]: '' } });
  expect(loadNative()).toBe('functions');
  expect(binaryFile()).toBe(file);
});

test('a binary of another version is refused', () => {
  const file = `${folder}\\${binary}`;
  const { loadNative } = loader(() => ({}), {
    files: { [file]: '' },
    found: '0.0.0',
  });
  expect(messageOf(loadNative)).toContain(`is version 0.0.0, ${version}`);
});

test('the reason of Windows is one line without the path', () => {
  const file = `${folder}\\${binary}`;
  const { loadNative } = loader(
    () => {
      throw new Error(
        `The specified module could not be found.\r\n\\\\?\\${file}`,
      );
    },
    { files: { [file]: '' } },
  );
  const message = messageOf(loadNative);
  expect(message).toContain('could not be found.; build');
  expect(message).not.toMatch(/[\r\n]/);
  expect(message).not.toContain('C:\\app');
  expect(message).toContain('no binary for win32-x64');
});

test('the command that builds from source is there on every drive', () => {
  const manifest = path.win32.join(__dirname, '../../../package.json');
  const { loadNative } = loader(() => ({}), {
    cwd: 'D:\\other',
    files: { [manifest]: '' },
  });
  expect(messageOf(loadNative)).toMatch(/node \S*scripts\\build\.mjs$/);
});

const MAP = JSON.stringify({
  version: 3,
  sources: ['x.ts'],
  names: [],
  mappings: 'AAAA',
});
const mapped = `x\n//# sourceMappingURL=data:application/json,${encodeURIComponent(MAP)}`;

test.each(['C:\\app\\x.js', 'C:/app/x.js', 'file:///C:/app/x.js'])(
  'a frame in %s is mapped',
  (name) => {
    const { mapStack } = loadOnWindows('errors/source-maps.js', {
      files: { 'C:\\app\\x.js': mapped, 'C:/app/x.js': mapped },
    });
    expect(mapStack(`Error\n    at f (${name}:1:1)`)).toMatch(/x\.ts:1:1\)$/);
  },
);

// A job could have its owner's process log in at any host.
test.each([
  'file://host/share/x.js',
  '//host/share/x.js',
  '/\\host/share/x.js',
])('no host is asked for %s', (name) => {
  const asked = jest.fn(() => mapped);
  const fs = {
    statSync: () => ({ isFile: () => true, size: 9 }),
    readFileSync: asked,
  };
  const { mapStack } = loadOnWindows('errors/source-maps.js', {
    mocks: { fs },
  });
  const stack = `Error\n    at f (${name}:1:1)`;
  expect(mapStack(stack)).toBe(stack);
  expect(asked).not.toHaveBeenCalled();
});

test.each(['SIGINT', 'SIGTERM', 'SIGBREAK'])('%s stops a command', (name) => {
  const { onStop } = loadOnWindows('cli/interrupt.js');
  const stop = onStop();
  try {
    expect(process.listenerCount(name)).toBe(1);
    process.emit(name, name);
    expect(stop.signal.aborted).toBe(true);
    expect(stop.exit).toBe(name === 'SIGTERM' ? 143 : 130);
  } finally {
    stop.end();
  }
  expect(process.listenerCount(name)).toBe(0);
});

test.each([
  ['C:\\Users\\me\\AppData\\Local', 'C:\\Users\\me\\AppData\\Local'],
  ['', 'C:\\Users\\me\\AppData\\Local'],
  ['relative', 'C:\\Users\\me\\AppData\\Local'],
])('compiled code is kept in the folder for local data (%s)', (given, home) => {
  process.env.LOCALAPPDATA = given;
  delete process.env.XDG_CACHE_HOME;
  const os = { homedir: () => 'C:\\Users\\me' };
  const { codeCacheOf } = loadOnWindows('cli/code-cache.js', { mocks: { os } });
  expect(codeCacheOf({})).toBe(`${home}\\sloppy-workers\\code`);
});
