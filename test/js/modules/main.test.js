'use strict';

// import.meta.main, require.main and what else tells a file its place. As in
// the Workers of Node: the file that a worker is started with is the main one.

const { join } = require('node:path');

const { WorkerPool } = require('../../../lib/index.js');
const { folderWith, removeFolders, runIn } = require('./support.js');

afterAll(removeFolders);

const KEYS = ['id', 'path', 'exports', 'filename', 'loaded', 'children'];

test('the main module is the one that the worker is started with', async () => {
  const answer = await runIn({
    'main.mjs': `
      import { main } from './other.mjs';
      import cjs from './file.cjs';
      export const run = async () => [
        import.meta.main, main, (await import('./late.mjs')).main,
        Object.keys(import.meta).sort(), cjs,
      ];`,
    'other.mjs': 'export const { main } = import.meta;',
    'late.mjs': 'export const { main } = import.meta;',
    'file.cjs':
      'module.exports = [require.main === undefined, module.parent === undefined, module.id === __filename];',
  });
  expect(answer).toEqual([
    true,
    false,
    false,
    ['dirname', 'filename', 'main', 'resolve', 'url'],
    [true, true, true],
  ]);
});

test('a CommonJS file that the worker is started with is require.main', async () => {
  const answer = await runIn(
    {
      'main.cjs': `
        const child = require('./child.cjs');
        exports.run = () => [
          require.main === module, module.id, module.parent, module.loaded,
          module.children.map((each) => each.id === each.filename),
          module.isPreloading, module.paths[0] === __dirname + '/node_modules',
          Object.keys(module), child(),
        ];`,
      'child.cjs': `
        const { loaded } = module;
        module.exports = () => [
          require.main === module, require.main.filename, module.parent.id,
          module.parent === require.main, loaded, module.loaded,
        ];`,
    },
    'main.cjs',
  );
  const [, main] = answer.at(-1);
  expect(main.endsWith('main.cjs')).toBe(true);
  expect(answer).toEqual([
    true,
    '.',
    null,
    true,
    [true],
    false,
    true,
    [...KEYS, 'paths'],
    [false, main, '.', true, false, true],
  ]);
});

test('modules of a function that is sent are not main', async () => {
  const folder = folderWith({
    'a.mjs': 'export const { main } = import.meta;',
    'b.cjs': 'exports.main = require.main;',
  });
  const pool = WorkerPool.create('mains', { workers: 1 });
  try {
    const answer = await pool.run(
      ({ modules }) => [modules.a.main, modules.b.main === undefined],
      { modules: { a: join(folder, 'a.mjs'), b: join(folder, 'b.cjs') } },
    );
    expect(answer).toEqual([false, true]);
  } finally {
    await pool.stop();
  }
});

test('what packages ask node:module itself', async () => {
  const answer = await runIn({
    'main.mjs': `
      import Module from 'node:module';
      export function run() {
        const parent = {
          id: 'x', filename: import.meta.filename,
          paths: Module._nodeModulePaths(import.meta.dirname),
        };
        return [
          Module._resolveFilename('pkg', parent) === import.meta.dirname + '/node_modules/pkg/index.js',
          parent.paths[0] === import.meta.dirname + '/node_modules',
          Module._load('pkg', parent),
        ];
      }`,
    'node_modules/pkg/index.js': 'module.exports = 7;',
  });
  expect(answer).toEqual([true, true, 7]);
});
