'use strict';

const { symlinkSync } = require('node:fs');
const { join } = require('node:path');

const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { folderWith, removeFolders, runIn, runModule } = require('./support.js');

afterEach(removeFolders);

// The smallest module, as a string that can stand in a file: `\0asm`, 1.
const WASM = '\0asm\u0001\0\0\0';

test('what a package holds ready for bundlers: no extensions, a module in a .js file of a CommonJS package', async () => {
  const answer = await runIn({
    'node_modules/pkg/package.json': JSON.stringify({
      type: 'commonjs',
      exports: { require: './cjs.js', default: './esm/index.js' },
    }),
    'node_modules/pkg/cjs.js': "exports.from = 'cjs';",
    'node_modules/pkg/esm/index.js':
      "export { one } from './one';\nexport { two } from './folder';\nexport const from = 'esm';",
    'node_modules/pkg/esm/one.js': 'export const one = 1;',
    'node_modules/pkg/esm/folder/index.js': 'export const two = 2;',
    'main.mjs': `
      import { createRequire } from 'node:module';
      import * as pkg from 'pkg';
      const required = createRequire(import.meta.url)('pkg');
      export const run = () => [{ ...pkg }, { ...required }];`,
  });
  expect(answer).toEqual([{ from: 'esm', one: 1, two: 2 }, { from: 'cjs' }]);
});

test("one's own files need their extensions", async () => {
  const answer = await runIn({
    'one.mjs': 'export const one = 1;',
    'main.mjs':
      "export const run = () => import('./one').catch((error) => error.code);",
  });
  expect(answer).toBe('ERR_MODULE_NOT_FOUND');
});

const USES = `
  const uses = {
    own: () => fs.readFileSync(file).length,
    ownText: () => fs.readFileSync(new URL('file://' + file), 'latin1').length,
    ownLater: () => new Promise((ok, no) => fs.readFile(file, (error, bytes) => error ? no(error) : ok(bytes.length))),
    ownPromise: async () => (await fs.promises.readFile(file)).length,
    exists: () => [fs.existsSync(file), fs.existsSync('/etc'), fs.existsSync(self), fs.existsSync('/')],
    stat: () => fs.statSync('/x.config.js'),
    quiet: () => fs.statSync('/x.config.js', { throwIfNoEntry: false }) === undefined,
    statOwn: () => [fs.statSync(file).size, fs.statSync(file).isFile(), fs.lstatSync(file).isDirectory()],
    self: () => fs.readFileSync(self, 'utf8').includes('statOwn'),
    missing: () => fs.readFileSync(file + 'x'),
    other: () => fs.readFileSync(file.replace('pkg', 'other')).length,
      list: () => fs.readdirSync(file + '/../../other'),
    listKinds: () => fs.readdirSync(file + '/../..', { withFileTypes: true }).map((x) => [x.name, x.isDirectory(), x.isFile(), x.isSymbolicLink()]),
    listLater: () => new Promise((ok, no) => fs.readdir(file + '/../../other', (error, names) => error ? no(error) : ok(names))),
    listPromise: () => fs.promises.readdir(file + '/../../other'),
    folder: () => [fs.statSync(file + '/..').isDirectory(), fs.existsSync(file + '/..')],
    real: () => [fs.realpathSync(file + '/../../pkg/x.wasm') === file, fs.realpathSync.native(file) === file],
    accessible: () => [fs.accessSync(file), fs.accessSync(file + '/..')].length,
    outside: () => fs.readFileSync(file + '/../../../main.mjs'),
    outsideList: () => fs.readdirSync(file + '/../../..'),
    outsideReal: () => fs.realpathSync(file + '/../../../main.mjs'),
    outsideStat: () => fs.statSync(file + '/../../../main.mjs'),
    notAFolder: () => fs.readdirSync(file),
    write: () => fs.writeFileSync(file, ''),
  };
  const told = {};
  const all = async () => {
    for (const name in uses) {
      try { told[name] = await uses[name](); }
      catch (error) { told[name] = [error.code, error.message.includes(self)]; }
    }
    return told;
  };`;

const inPackage = {
  own: 8,
  ownText: 8,
  ownLater: 8,
  ownPromise: 8,
  exists: [true, false, true, true],
  stat: ['ENOENT', false],
  statOwn: [8, true, false],
  quiet: true,
  self: true,
  missing: [Code.StartupFailed, true],
  other: 8,
  list: ['x.wasm'],
  listKinds: [
    ['other', true, false, false],
    ['pkg', true, false, false],
  ],
  listLater: ['x.wasm'],
  listPromise: ['x.wasm'],
  folder: [true, true],
  real: [true, true],
  accessible: 2,
  outside: [Code.StartupFailed, true],
  outsideList: [Code.StartupFailed, true],
  outsideReal: [Code.StartupFailed, true],
  outsideStat: ['ENOENT', false],
  notAFolder: [Code.StartupFailed, true],
  write: [Code.StartupFailed, true],
};

const modules = {
  'node_modules/pkg/x.wasm': WASM,
  'node_modules/other/x.wasm': WASM,
};

test('a package reads the files that it is installed with, finds no configuration, and nothing else', async () => {
  const answer = await runIn({
    ...modules,
    'node_modules/pkg/index.js': `
      const fs = require('fs');
      const self = __filename;
      const file = __dirname + '/x.wasm';
      ${USES}
      exports.run = all;`,
    'main.mjs': "import pkg from 'pkg';\nexport const run = pkg.run;",
  });
  expect(answer).toEqual(inPackage);
});

test('the same for a module, whichever module imported fs before', async () => {
  const answer = await runIn({
    ...modules,
    'node_modules/pkg/index.mjs': `
      import * as fs from 'node:fs';
      const self = import.meta.filename;
      const file = import.meta.dirname + '/x.wasm';
      ${USES}
      export { all as run };`,
    'node_modules/pkg/package.json': '{"exports":"./index.mjs"}',
    'main.mjs': `
      import 'node:fs';
      import * as pkg from 'pkg';
      export const run = pkg.run;`,
  });
  expect(answer).toEqual(inPackage);
});

test('the code of a user gets none of it', async () => {
  const answer = await runIn({
    ...modules,
    'main.mjs': `
      import 'pkg';
      import * as fs from 'node:fs';
      const self = 'main.mjs';
      const file = import.meta.dirname + '/node_modules/pkg/x.wasm';
      ${USES}
      export const run = all;`,
    'node_modules/pkg/index.js': "require('fs');",
  });
  for (const told of Object.values(answer)) {
    expect(told).toEqual([Code.StartupFailed, true]);
  }
});

test('a link out of the installation leads nowhere', async () => {
  const folder = folderWith({
    'node_modules/pkg/index.js': `
      const fs = require('fs');
      exports.run = () => {
        try { return fs.readFileSync(__dirname + '/link.mjs', 'utf8'); }
        catch (error) { return error.code; }
      };`,
    'main.mjs': "import pkg from 'pkg';\nexport const run = pkg.run;",
  });
  symlinkSync(
    join(folder, 'main.mjs'),
    join(folder, 'node_modules/pkg/link.mjs'),
  );
  expect(await runModule(join(folder, 'main.mjs'))).toBe(Code.StartupFailed);
});
