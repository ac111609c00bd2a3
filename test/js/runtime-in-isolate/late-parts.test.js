'use strict';
// Parts of Node's text that few jobs touch, and that are loaded by the first
// call: what they answer is what this Node's main thread answers.

const { execFileSync } = require('node:child_process');

const { WorkerPool } = require('../../../lib');

const matching = () => {
  const path = process.getBuiltinModule('path');
  const told = (work) => {
    try {
      return work();
    } catch (error) {
      return [error.name, error.code, error.message];
    }
  };
  const paths = [
    ...['', 'a', 'a.js', 'A.js', '.a.js', 'a/b.js', 'a/b/c.js', '/a/b', '../a'],
    ...['a\\b.js', 'C:\\a\\b', '#a', '!a', 'a1', 'a3', 'a{b}', 'ab', './a'],
  ];
  const patterns = [
    ...['', '*', '**', '*.js', '**/*.js', 'a/*', 'a/**', '/a/*', '../*', '.*'],
    ...[
      'a\\*',
      'C:\\**',
      '#*',
      '!a',
      'a{1..3}',
      '{a,b}*',
      'a?(b)',
      '[[:alpha:]]',
    ],
    ...['+(a|b)', '@(a).js', '[!a]', 'a.JS', './*'],
  ];
  const both = (of) =>
    paths.map((each) =>
      patterns
        .map((pattern) => (of.matchesGlob(each, pattern) ? 1 : 0))
        .join(''),
    );
  return [
    both(path),
    both(path.win32),
    told(() => path.matchesGlob(1, '*')),
    told(() => path.matchesGlob('a', null)),
    told(() => path.posix.matchesGlob('a', '*'.repeat(70_000))),
  ];
};

const paced = async () => {
  const util = process.getBuiltinModule('util');
  if (util.debounce === undefined) return 'none';
  const calls = [];
  const note = (value) => {
    calls.push(value);
    return value;
  };
  const late = util.debounce(note, 1);
  const first = late(1).catch((error) => [error.name, error.code]);
  const settled = [await late(2), await first];
  const eager = util.throttle(note, 1, 1);
  settled.push(await Promise.all([eager(3), eager(4), eager(5)]));
  const told = (work) => {
    try {
      return work();
    } catch (error) {
      return [error.name, error.code, error.message];
    }
  };
  return [
    settled,
    calls,
    told(() => util.debounce(1, 1)),
    told(() => util.throttle(note, 1, 2 ** 31)),
  ];
};

let pool;

beforeAll(() => {
  pool = WorkerPool.create('late-parts', { workers: 1 });
});

afterAll(() => pool.stop());

test.each([
  ['path.matchesGlob', matching],
  ['util.debounce and util.throttle', paced],
])('%s answers as on the main thread', async (_, job) => {
  const code = `Promise.resolve((${job})()).then((value) => console.log(JSON.stringify(value)))`;
  const args = ['--no-warnings', '-e', code];
  const expected = execFileSync(process.execPath, args, { encoding: 'utf8' });
  expect(await pool.run(job)).toEqual(JSON.parse(expected));
});
