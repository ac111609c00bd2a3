'use strict';
// The modules that a program waits for before its first job: of the library and
// of Node, only those that it uses. Loading took longer than starting a worker.

const { execFileSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const path = require('node:path');

const { muslLoader } = require('../../../lib/addon/platforms.js');

const root = path.join(__dirname, '../../..');
const mayBeMusl =
  process.platform === 'linux' && existsSync(muslLoader(process.arch));

/** The modules that a program has loaded by its end, and had not before. */
function loadedBy(program) {
  const text = execFileSync(
    process.execPath,
    [
      '-e',
      `const before = new Set(process.moduleLoadList);
      (async () => {
        ${program}
      })().then(() => console.log(JSON.stringify({
        files: Object.keys(require.cache),
        builtins: process.moduleLoadList.filter((name) => !before.has(name)),
      })));`,
    ],
    { cwd: root, encoding: 'utf8' },
  );
  const { files, builtins } = JSON.parse(text);
  return [
    ...files.map((file) => path.relative(root, file).replaceAll('\\', '/')),
    ...builtins.map((name) => name.replace('NativeModule ', 'node:')),
  ];
}

const FIRST_JOB = `
  const { WorkerPool } = require('./lib/index.js');
  const pool = WorkerPool.create('cold');
  if (await pool.run(() => 6 * 7) !== 42) throw new Error('no answer');
  await pool.stop();`;

test('a pool and a job load no parser and nothing of other classes', () => {
  const loaded = loadedBy(FIRST_JOB);
  expect(loaded).toContain('lib/pool/worker-pool.js');
  for (const name of [
    'node_modules/acorn/dist/acorn.js',
    'lib/app/app.js',
    'lib/entries/export-forms.js',
    'lib/time.js',
    'lib/pool/work-queue.js',
    'lib/pool/worker.js',
    // The C library is looked up, by a command, only where there are two.
    ...(mayBeMusl ? [] : ['node:child_process']),
    'node:crypto',
    'node:fs/promises',
    'node:worker_threads',
  ]) {
    expect(loaded).not.toContain(name);
  }
});

test('classes are loaded when somebody takes them, and are themselves then', () => {
  const loaded = loadedBy(`
    const all = require('./lib/index.js');
    const { Time } = all;
    if (Time !== require('./lib/time.js').Time) throw new Error('another');
    if (Time !== all.Time) throw new Error('changed');`);
  expect(loaded).toContain('lib/time.js');
  expect(loaded).not.toContain('lib/pool/worker-pool.js');
});

test('every name is there, can be listed, and can be replaced', () => {
  jest.isolateModules(() => {
    const all = require('../../../lib/index.js');
    const names = Object.keys(all);
    expect(names).toHaveLength(17);
    all.WorkerPool = 1;
    expect(all.WorkerPool).toBe(1);
    expect({ ...all, WorkerPool: undefined }).toEqual(
      expect.objectContaining({ Sloppy: expect.anything() }),
    );
    for (const name of names) expect(all[name]).toBeDefined();
    expect(Object.keys(all)).toEqual(names);
  });
});
