// Runs Jest and the scenarios on the library in the form in which it is
// published (lib/library-bundle.mjs): npm run test:published -- [folder]...
//
//   folder  only the tests of Jest that are in one of these
//   --rest  after that, the tests that are left out, on the library as it is
//           here, so that each test has run once

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { main } from './lib/fail.mjs';
import { listFiles } from './lib/files.mjs';
import { root } from './lib/paths.mjs';
import { publishedCopy } from './lib/published-copy.mjs';
import { passThrough } from './lib/run.mjs';

const { values: options, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: { rest: { type: 'boolean', default: false } },
});

const suites = [['run-js-tests.mjs', ...folders], ['run-scenarios.mjs']];
const needed = [
  'bench',
  'bin',
  'docs',
  'examples',
  'jest.config.js',
  'scripts',
  'test',
  'types',
];

// Tests of the repository itself, of how its files are loaded or replaced, and
// of what is inside of isolates, which is in the addon and the same in both forms.
const LEFT_OUT = [
  /\/(caller-expressions|cold-start|published|release|runtime\/globals|security-numbers|simulation)\.test\.js$/,
  /\/(web|runtime-in-isolate)\//,
];

const MOCK = /\bjest\.(?:mock|doMock)\(\s*(?:'\.\.|\w)/;
const SUPPORT = /\brequire\('(\.\.?\/[^']+)'\)/g;
const read = (file) => readFileSync(file, 'utf8');

/** Itself or by its support, it puts something else in the place of a module. */
function mocks(file) {
  const text = read(file);
  if (MOCK.test(text)) return true;
  const inTests = join(root, 'test/js/');
  return Array.from(text.matchAll(SUPPORT), ([, name]) =>
    join(dirname(file), name),
  ).some(
    // Programs that are written by a test name files of their own.
    (path) =>
      path.startsWith(inTests) && existsSync(path) && MOCK.test(read(path)),
  );
}

const tests = listFiles(['test/js'], /\.test\.js$/).filter(
  (test) =>
    folders.length === 0 || folders.some((folder) => test.startsWith(folder)),
);
const leftOut = tests.filter(
  (test) =>
    LEFT_OUT.some((pattern) => pattern.test(test)) || mocks(join(root, test)),
);

async function run(folder, env, suite, ...args) {
  const script = join(folder, 'scripts', suite);
  const command = [script, ...args];
  const status = await passThrough(process.execPath, command, {
    cwd: folder,
    env,
  });
  if (status !== 0) process.exitCode = 1;
}

await main(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sw-published-'));
  const suffix = `${process.env.SW_SUITE_SUFFIX ?? ''} as published`;
  const env = { ...process.env, SW_SUITE_SUFFIX: suffix };
  try {
    publishedCopy(folder, needed);
    for (const test of leftOut) rmSync(join(folder, test));
    for (const suite of suites) await run(folder, env, ...suite);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (options.rest) {
    await run(
      root,
      process.env,
      'run-js-tests.mjs',
      '--runTestsByPath',
      ...leftOut,
    );
  }
});
