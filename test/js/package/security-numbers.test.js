'use strict';

const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '../../..');
const textOf = (file) =>
  readFileSync(join(root, file), 'utf8').replaceAll(/\s+/g, ' ');
const count = (file) => Object.keys(require(join(root, 'test', file))).length;
// Node 22 and later have one more.
const onlyLater = () => Number(Number.parseInt(process.versions.node, 10) > 20);

test('the documents tell how many kinds of harm are tried', () => {
  const killers = count('killers/kinds.js');
  const endless = count('scenario/fixtures/broken-endless.js');
  const growth =
    count('scenario/fixtures/broken-hungry.js') +
    count('scenario/fixtures/broken-growing.js') -
    onlyLater();
  const faults = textOf('docs/faults.md');
  expect(faults).toContain(`does ${killers} kinds of harm`);
  expect(faults).toContain(`${endless} kinds of endless jobs`);
  for (const file of ['README.md', 'docs/faults.md']) {
    expect(textOf(file)).toContain(`${killers} kinds of harm`);
    expect(textOf(file)).toContain(`${growth} kinds of growth`);
  }
});
