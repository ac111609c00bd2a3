'use strict';

const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const textOf = (file) =>
  readFileSync(join(__dirname, '../../../src', file), 'utf8');

test('every native that is made late has its place in natives.js', () => {
  const [, table] = textOf('worker/rare_natives.cc').match(
    /kRareFunctions\[\] = \{(.*?)\n\};/s,
  );
  const made = Array.from(table.matchAll(/\{"(\w+)"/g), ([, name]) => name);
  const offered = Array.from(
    textOf('runtime/natives.js').matchAll(
      /^native\.(\w+) = later\('(\w+)'\);$/gm,
    ),
    ([, name, called]) => (name === called ? name : undefined),
  );
  expect(made.length).toBeGreaterThan(10);
  expect(offered.sort()).toEqual(made.sort());
});
