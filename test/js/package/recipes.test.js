'use strict';
// The recipes are as examples/README.md promises.

const fs = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '../../..');
const read = (name) => fs.readFileSync(path.join(root, name), 'utf8');

const [, section] = /^## Recipes\n(.*?)^## /ms.exec(read('examples/README.md'));
const files = Array.from(section.matchAll(/\]\((\S+)\)/g), ([, to]) => to);
const { devDependencies } = JSON.parse(read('package.json'));

test('there are six', () => {
  const folders = files.map((file) => file.split('/')[0]);
  expect(new Set(folders).size).toBe(6);
});

test.each(files)('%s has at most 40 lines', (file) => {
  const lines = read(`examples/${file}`).trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(40);
});

test.each(files)('%s names versions that are tried', (file) => {
  const named = read(`examples/${file}`).matchAll(/ (\w+)@(\d+)/g);
  for (const [, name, major] of named) {
    const tried = /\d+/.exec(devDependencies[name])[0];
    expect([name, major]).toEqual([name, tried]);
  }
});
