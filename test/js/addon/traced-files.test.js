'use strict';
// Tools that trace files find the binaries by literal names.

const { readFileSync } = require('node:fs');
const {
  ABIS,
  PLATFORMS,
  binaryOf,
  packageOf,
} = require('../../../lib/addon/platforms.js');

test('every binary of every platform is named, and what reads code', () => {
  const text = readFileSync(
    require.resolve('../../../lib/addon/traced-files.js'),
    'utf8',
  );
  const named = [...text.matchAll(/require\('([^']+)'\)/g)].map(
    ([, name]) => name,
  );
  const binaries = PLATFORMS.flatMap(({ id }) => [
    `${packageOf(id)}/package.json`,
    ...Object.values(ABIS).map((abi) => `${packageOf(id)}/${binaryOf(abi)}`),
  ]);
  expect(named).toEqual(['amaro', 'acorn', ...binaries]);
  expect(require('../../../lib/addon/traced-files.js')).toHaveLength(
    named.length,
  );
});
