'use strict';
// scripts/lib/failures.mjs finds what failed in the log of a step of CI.

const { execFileSync } = require('node:child_process');
const { pathToFileURL } = require('node:url');
const path = require('node:path');

const file = path.join(__dirname, '../../../scripts/lib/failures.mjs');

/** Jest loads no ES modules: a process does. */
function failuresIn(log) {
  const program = `import { failuresIn } from ${JSON.stringify(pathToFileURL(file))};
    import { readFileSync } from 'node:fs';
    const lines = failuresIn(readFileSync(0, 'utf8'));
    process.stdout.write(JSON.stringify(lines));`;
  const args = ['--input-type=module', '-e', program];
  const options = { encoding: 'utf8', input: log };
  return JSON.parse(execFileSync(process.execPath, args, options));
}

const quiet = Array.from({ length: 50 }, (_, i) => `line ${i}`);
const inside = (...lines) => [...quiet, ...lines, ...quiet].join('\n');

test.each([
  ['\u001b[1m  ● pool › runs\u001b[22m', '  ● pool › runs'],
  ['[  FAILED  ] Ring.IsFull (3 ms)', '[  FAILED  ] Ring.IsFull (3 ms)'],
  ["src/a.cc:3:1: error: 'x' is not declared"],
  ['  FAIL Node 20, nest: a service'],
  ['npm error code E503'],
  ['WARNING: ThreadSanitizer: data race (pid=1)'],
  ['[ci 900 s] arm64 did not end in 600 s'],
  ['TypeError [CODE]: options is a number'],
])('%j is a failure, with what follows', (line, shown = line) => {
  expect(failuresIn(inside(line, '', 'why'))).toEqual([
    shown,
    'why',
    ...quiet.slice(0, 5),
  ]);
});

test('a failure that is told twice is shown once', () => {
  const lines = failuresIn(inside('  ● a › b', ...quiet, '  ● a › b'));
  expect(lines.filter((line) => line.includes('●'))).toHaveLength(1);
});

test('without any the last lines are shown', () => {
  expect(failuresIn(quiet.join('\n'))).toEqual(quiet.slice(-7));
});

test('many long failures stay few short lines', () => {
  const many = Array.from({ length: 99 }, (_, i) => `error: ${i}`.repeat(99));
  const lines = failuresIn(many.join('\n'));
  expect(lines).toHaveLength(30);
  expect(Math.max(...lines.map(({ length }) => length))).toBe(161);
});
