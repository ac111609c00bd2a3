'use strict';
// The conditions of a Node, read from what it was started with.

const {
  resolveConditions,
} = require('../../../../lib/executors/isolate/resolve-conditions.js');

test.each([
  ['no options', [], undefined, []],
  [
    'both forms, and the letter',
    ['-C', 'a', '--conditions', 'b', '--conditions=c'],
    '',
    ['a', 'b', 'c'],
  ],
  [
    'each once, those of the variable first',
    ['-C', 'a', '-C', 'b'],
    '-C b -C c',
    ['b', 'c', 'a'],
  ],
  [
    'others between them',
    ['--expose-gc', '-C', 'a', '-r', 'b'],
    undefined,
    ['a'],
  ],
  ['one that misses its value', ['-C'], undefined, []],
  [
    'a value that looks like an option',
    ['-C', '-C', '-C', 'a'],
    undefined,
    ['-C', 'a'],
  ],
  ['an empty one', ['--conditions='], undefined, ['']],
  ['a longer name', ['--conditionsa', '-Ca', '--condition=a'], undefined, []],
  ['spaces in the variable', [], '  -C   a  -C b ', ['a', 'b']],
  ['quotes', [], '-C "a b" "-C" c --conditions="d e"', ['a b', 'c', 'd e']],
  ['quotes inside a word', [], '-C a" b"c', ['a bc']],
  ['an empty quoted value', [], '-C "" -C a', ['', 'a']],
  ['a backslash in quotes', [], '-C "a\\"b" -C "c\\\\d"', ['a"b', 'c\\d']],
  ['a backslash outside of them', [], '-C a\\b', ['a\\b']],
  ['a backslash at the end', [], '-C "a\\', ['a']],
  ['a quote that is open', [], '-C "a b', ['a b']],
])('%s', (_, execArgv, variable, expected) => {
  expect(resolveConditions(execArgv, variable)).toEqual(expected);
});
