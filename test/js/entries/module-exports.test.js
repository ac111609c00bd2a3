'use strict';
// The exports that a Worker's module may not have are found before it starts.

const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const { formIn } = require('../../../lib/entries/export-forms.js');
const { checkExports } = require('../../../lib/entries/module-exports.js');

const folder = mkdtempSync(join(tmpdir(), 'sw-exports-'));
afterAll(() => rmSync(folder, { recursive: true }));

const check = (text, { name = 'module.mjs', size = text.length } = {}) => {
  const path = join(folder, name);
  writeFileSync(path, text + ' '.repeat(size - text.length));
  return checkExports(path);
};

const FORMS = [
  ['export default', 'export default 1;'],
  ['export default', 'export  default function f() {}'],
  ['export *', "export * from 'node:fs';"],
  ['export *', "export*from 'node:fs';"],
  ['export { }', 'const a = 1; export { a };'],
  ['export { }', 'const a = 1; export{a};'],
  ['export class', 'export class A {}'],
  ['export let', 'export let a = 1;'],
  ['export var', 'export\nvar a = 1;'],
  ['export let', 'export function f() {}\nexport let a;\nexport var b;'],
  ['export let', '#!/usr/bin/env node\nexport let a = 1;'],
];

describe.each(FORMS)('%s', (form, text) => {
  test(`is found: ${text}`, async () => {
    expect(formIn(text)).toBe(form);
    const code = 'SLOPPY_E_WORKER_ISOLATE_STARTUP_FAILED';
    const refused = `export syntax is unsupported: ${form}; supported`;
    await expect(check(text)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(refused),
    });
    await expect(check(text, { name: 'script.js' })).rejects.toThrow(refused);
  });
});

test.each([
  'export const a = 1;',
  'export function f() {}',
  'export async function f() {}',
  'export const defaults = 1, classes = 2;',
  '// export default 1\nconst text = "export let a";',
  'const unexport = 1; { unexport }',
  'export const a = `export class A {}`;',
  'let a = 1; class B {}',
  'exports.a = 1;',
])('a module may have: %s', async (text) => {
  expect(formIn(text)).toBeUndefined();
  await expect(check(text)).resolves.toBeUndefined();
});

test('a module that cannot be parsed is left to V8', async () => {
  const text = 'export default = ;';
  expect(formIn(text)).toBeUndefined();
  await expect(check(text)).resolves.toBeUndefined();
});

test('only scripts are parsed, and none that are very long', async () => {
  const text = 'export default 1;';
  await expect(check(text, { name: 'a.ts' })).resolves.toBeUndefined();
  await expect(check(text, { name: 'a.cjs' })).resolves.toBeUndefined();
  await expect(check(text, { size: 2 ** 20 + 1 })).resolves.toBeUndefined();
  await expect(check(text, { size: 2 ** 20 })).rejects.toThrow('default');
});

/** Modules of their own, and how often these have parsed. */
function counting() {
  jest.resetModules();
  const parse = jest.fn(jest.requireActual('acorn').parse);
  jest.doMock('acorn', () => ({ parse }));
  const forms = require('../../../lib/entries/export-forms.js');
  const exports = require('../../../lib/entries/module-exports.js');
  jest.dontMock('acorn');
  return { ...forms, ...exports, parse };
}

test('a text that names no form is not parsed', async () => {
  const { checkExports: checked, parse } = counting();
  const look = async (text) => {
    const path = join(folder, 'named.mjs');
    writeFileSync(path, text);
    await checked(path, text.length);
    return parse.mock.calls.length;
  };
  expect(await look('export const a = 1; // class let var default')).toBe(0);
  expect(await look('export const defaults = 1;')).toBe(0);
  expect(await look('export const a = unexport{};')).toBe(0);
  expect(await look('// export default')).toBe(1);
});

test('verdicts are kept, of so many texts', () => {
  const fresh = counting();
  const look = (n) => {
    expect(fresh.formIn(`export let a${n};`)).toBe('export let');
    return fresh.parse.mock.calls.length;
  };
  for (let n = 0; n < 64; n += 1) expect(look(n)).toBe(n + 1);
  for (let n = 0; n < 64; n += 1) expect(look(n)).toBe(64);
  // The oldest makes room for another one.
  expect(look(64)).toBe(65);
  expect(look(1)).toBe(65);
  expect(look(0)).toBe(66);
});
