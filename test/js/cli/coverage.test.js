'use strict';
// --coverage counts the code that `run` and `map` call.

const { spawnSync } = require('node:child_process');
const {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

const { runCli } = require('../support/cli.js');

const fixtures = path.join(__dirname, '../debugging/fixtures');
const TASKS = path.join(fixtures, 'covered.mjs');
const CALLS = '[[1,0,2],[5,200]]';
// Each test starts processes, on machines that may be busy.
jest.setTimeout(240_000);

let folder;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sw-cli-coverage-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args) => runCli(args, { cwd: folder, input: '' });

/** @returns {object[]} the functions of the fixture, of each count of it */
function countsIn(where) {
  return readdirSync(where)
    .flatMap((name) => JSON.parse(readFileSync(path.join(where, name))).result)
    .filter(({ url }) => url.endsWith('/covered.mjs'))
    .map(({ functions }) => functions);
}

const countOf = (functions, name) =>
  functions.find(({ functionName }) => functionName === name).ranges[0].count;

test('run writes the counts that Node itself would', async () => {
  const program = path.join(folder, 'program.mjs');
  const url = JSON.stringify(`file://${TASKS}`);
  writeFileSync(
    program,
    `import { all } from ${url};\nconsole.log(JSON.stringify(all([1, 0, 200])));`,
  );
  const node = path.join(folder, 'by-node');
  const { status } = spawnSync(process.execPath, [program], {
    env: { ...process.env, NODE_V8_COVERAGE: node },
  });
  expect(status).toBe(0);
  const input = ['--input', '[1,0,200]'];
  const { code, stdout, stderr } = await run(
    ...['run', `${TASKS}#all`, ...input, '--coverage=by-us'],
  );
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: '["positive","zero"]\n',
    stderr: '',
  });
  const counts = countsIn(path.join(folder, 'by-us'));
  expect(counts).toHaveLength(1);
  expect(counts).toEqual(countsIn(node));
});

test('map counts each call, where c8 looks for it', async () => {
  const input = path.join(folder, 'calls.json');
  writeFileSync(input, CALLS);
  const { code, stdout } = await run(
    ...['map', '--coverage', `${TASKS}#all`, input, '-w', '2', '-q'],
  );
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: '["positive","zero","positive"]\n["positive"]\n',
  });
  const counts = countsIn(path.join(folder, 'coverage/tmp'));
  const calls = counts.map((functions) => countOf(functions, 'all'));
  expect(calls.reduce((sum, count) => sum + count, 0)).toBe(2);
});

test('is written too when the function throws', async () => {
  const { code } = await run('run', `${TASKS}#all`, '--coverage=c');
  expect(code).toBe(1);
  const [functions] = countsIn(path.join(folder, 'c'));
  expect(countOf(functions, 'all')).toBe(1);
});

test.each([
  [['--coverage='], 2, 'needs a folder'],
  [['--coverage', '--inspect=0'], 2, 'exclude each other'],
  [['--coverage=taken/tmp'], 3, 'a part of its path is no folder'],
])('refuses %j', async (args, exit, text) => {
  writeFileSync(path.join(folder, 'taken'), '');
  const { code, stdout, stderr } = await run('run', `${TASKS}#all`, ...args);
  expect([code, stdout]).toEqual([exit, '']);
  expect(stderr).toContain(text);
  expect(existsSync(path.join(folder, 'coverage'))).toBe(false);
});
