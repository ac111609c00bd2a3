'use strict';

const { writeFileSync } = require('node:fs');
const { join } = require('node:path');

const { folderWith, removeFolders, runIn, runModule } = require('./support.js');

afterEach(removeFolders);

// Large enough to be shared by the workers of the process.
const PADDING = `/* ${'large '.repeat(4000)} */\n`;
const moduleOf = (text) =>
  `${PADDING}export function run() { return ${JSON.stringify(text)}; }\n`;

test.each([
  ['ASCII', 'plain'],
  ['Latin-1', 'é\u00FF'],
  ['more', 'é ж 😀'],
])('the text of a large file in %s is what it is', async (_, text) => {
  const path = join(folderWith({ 'main.mjs': moduleOf(text) }), 'main.mjs');
  expect(await runModule(path)).toBe(text);
  expect(await runModule(path)).toBe(text);
});

test('an edited file is another text, of the same length too', async () => {
  const path = join(folderWith({ 'main.mjs': moduleOf('one') }), 'main.mjs');
  expect(await runModule(path)).toBe('one');
  writeFileSync(path, moduleOf('two'));
  expect(await runModule(path)).toBe('two');
  writeFileSync(path, moduleOf('one'));
  expect(await runModule(path)).toBe('one');
});

test('a byte order mark is no part of it', async () => {
  const answer = await runIn({
    'data.json': `\uFEFF{"text":"é","padding":"${'x'.repeat(20_000)}"}`,
    'cjs.cjs': `\uFEFF${PADDING}module.exports = 'cjs ж';`,
    'main.mjs': `\uFEFF${PADDING}
      import data from './data.json' with { type: 'json' };
      import cjs from './cjs.cjs';
      export const run = () => [data.text, cjs];`,
  });
  expect(answer).toEqual(['é', 'cjs ж']);
});

test('the same text under two names is two modules with their own names', async () => {
  const text = `${PADDING}export const name = import.meta.filename;`;
  const answer = await runIn({
    'a.mjs': text,
    'b.mjs': text,
    'main.mjs': `
      import * as a from './a.mjs';
      import * as b from './b.mjs';
      export const run = () => [a.name, b.name].map((name) => name.at(-5));`,
  });
  expect(answer).toEqual(['a', 'b']);
});
