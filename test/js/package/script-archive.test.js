'use strict';
// The scripts of src/runtime/gen are one file in the published package, and each
// ABI's come out of it as they were, with those of all.

const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

const script = path.join(__dirname, '../../../scripts/lib/script-archive.mjs');
let gen;

beforeEach(() => {
  gen = fs.mkdtempSync(path.join(os.tmpdir(), 'sw-archive-'));
});
afterEach(() => fs.rmSync(gen, { recursive: true }));

const call = (name, ...args) =>
  JSON.parse(
    execFileSync(process.execPath, [
      '--input-type=module',
      '-e',
      `import { ${name} } from ${JSON.stringify(pathToFileURL(script).href)};
      console.log(JSON.stringify(${name}(...${JSON.stringify([gen, ...args])}) ?? null));`,
    ]),
  );

function put(abi, files) {
  fs.mkdirSync(path.join(gen, abi), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    fs.writeFileSync(path.join(gen, abi, name), text);
  }
}

const filesOf = (abi) =>
  Object.fromEntries(
    fs
      .readdirSync(path.join(gen, abi))
      .map((name) => [
        name,
        fs.readFileSync(path.join(gen, abi, name), 'utf8'),
      ]),
  );

const OLD = { 'library-a.gen.js': 'one\n' };
const OTHER = { 'idna.gen.js': 'windows' };
const COMMON = { 'loader.gen.js': 'all' };
const NEW = { 'library-a.gen.js': 'two é\n', 'library-b.gen.js': '' };

test('each ABI gets its own texts back', () => {
  put('115', OLD);
  put('147', NEW);
  put('win32', OTHER);
  put('', COMMON);
  fs.writeFileSync(path.join(gen, 'LICENSES.gen.txt'), 'stays');
  call('archiveScripts');
  expect(fs.readdirSync(gen).sort()).toEqual([
    'LICENSES.gen.txt',
    'scripts.json.br',
  ]);
  expect(call('takeScripts', '147')).toBe(true);
  expect(filesOf('147')).toEqual(NEW);
  expect(filesOf('win32')).toEqual(OTHER);
  expect(fs.readFileSync(path.join(gen, 'loader.gen.js'), 'utf8')).toBe('all');
  expect(fs.existsSync(path.join(gen, '115'))).toBe(false);
  expect(call('takeScripts', '115')).toBe(true);
  expect(filesOf('115')).toEqual(OLD);
});

test('an ABI that is not in it is not there', () => {
  put('115', OLD);
  expect(call('takeScripts', '115')).toBe(true);
  expect(call('takeScripts', '127')).toBe(false);
  call('archiveScripts');
  expect(call('takeScripts', '127')).toBe(false);
  expect(fs.existsSync(path.join(gen, '127'))).toBe(false);
});
