'use strict';
// Two Nodes that build one folder in turn must not link its addon anew: it
// would be away meanwhile under the tests that use it.

const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const script = path.join(__dirname, '../../../scripts/embed-js.mjs');
const LONG_AGO = new Date(1e12);
let folder;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sw-embed-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

test('what is embedded keeps its date until its text changes', () => {
  const source = path.join(folder, 'gen', 'a.gen.js');
  const made = ['embedded_js.h', 'embedded_js.cc'].map((name) =>
    path.join(folder, name),
  );
  const embed = (text) => {
    fs.mkdirSync(path.dirname(source), { recursive: true });
    fs.writeFileSync(source, text);
    execFileSync(process.execPath, [script, folder, source]);
  };
  const isOld = () =>
    made.map((file) => fs.statSync(file).mtimeMs === LONG_AGO.getTime());

  embed('1');
  for (const file of made) fs.utimesSync(file, LONG_AGO, LONG_AGO);
  embed('1');
  expect(isOld()).toEqual([true, true]);
  embed('2');
  expect(isOld()).toEqual([true, false]);
  expect(fs.readFileSync(made[1], 'utf8')).toContain('\n    50,\n');
});
