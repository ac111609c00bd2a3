'use strict';
// The facts that pack:all reads out of a binary. Its modules are ES modules,
// which Jest does not load: they run in a node of their own.

const { execFileSync } = require('node:child_process');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

const script = path.join(__dirname, '../../../scripts/lib/needs.mjs');

function evaluate(expression) {
  const program = `
    const needs = await import(${JSON.stringify(pathToFileURL(script).href)});
    console.log(JSON.stringify(${expression}));
  `;
  const args = ['--input-type=module', '-e', program];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

test('the highest version counts, by numbers and not by letters', () => {
  const listing = [
    '  0x0030:   Name: GLIBC_2.4  Flags: none  Version: 9',
    '  0x0040:   Name: GLIBC_2.34  Flags: none  Version: 8',
    '  0x0050:   Name: GLIBCXX_3.4.9  Flags: none  Version: 7',
    '  0x0060:   Name: GLIBCXX_3.4.30  Flags: none  Version: 6',
    '  0x0070:   Name: CXXABI_1.3.13  Flags: none  Version: 5',
  ].join('\n');
  expect(evaluate(`needs.readNeeds(${JSON.stringify(listing)})`)).toEqual({
    glibc: '2.34',
    libstdcxx: '3.4.30',
  });
});

test.each([
  ['2.28', '2.34', -1],
  ['2.28', '2.4', 1],
  ['2.28', '2.28', 0],
  ['3.4', '3.4.1', -1],
])('%s against %s', (a, b, sign) => {
  const expression = `Math.sign(needs.compareVersions('${a}', '${b}'))`;
  expect(evaluate(expression)).toBe(sign);
});
