'use strict';
// NODE_V8_COVERAGE counts what isolates execute, as on the main thread.

const { spawnSync } = require('node:child_process');
const { mkdtempSync, readFileSync, readdirSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

const PROGRAM = path.join(__dirname, 'fixtures/covers.cjs');
const NAME_BY_NODE = /^coverage-\d+-\d{13}-\d+\.json$/;

let folder;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sw-coverage-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** @returns {object[]} what has been counted of a file, each time */
function countsOf(file, ...args) {
  const { status, stderr } = spawnSync(
    process.execPath,
    [PROGRAM, file, ...args],
    {
      env: { ...process.env, NODE_V8_COVERAGE: folder },
      encoding: 'utf8',
      timeout: 60_000,
    },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const names = readdirSync(folder);
  for (const name of names) expect(name).toMatch(NAME_BY_NODE);
  const counts = names
    .flatMap((name) => JSON.parse(readFileSync(path.join(folder, name))).result)
    .filter(({ url }) => url.endsWith(`/fixtures/${file}`));
  for (const name of names) rmSync(path.join(folder, name));
  return counts;
}

const callsOf = ({ functions }, name) =>
  functions.find(({ functionName }) => functionName === name).ranges[0].count;

// A realm loads its module before there is a job for it, and counts that. It
// depends on time whether the last one has done so before the pool stops.
const ofJobs = (counts) => counts.filter((one) => callsOf(one, 'all') > 0);

// The rest of the functions of a script is of no interest to reports.
const functionsOf = (counts) =>
  counts.map(({ url, functions }) => ({ url, functions }));

test.each(['covered.mjs', 'covered.cjs'])(
  'a module is counted as on the main thread: %s',
  (file) => {
    const here = functionsOf(countsOf(file, 'here'));
    expect(here).toHaveLength(1);
    expect(functionsOf(countsOf(file, 'there'))).toEqual(here);
    // Isolates of which nobody has stopped the pool.
    expect(functionsOf(countsOf(file, 'unstopped'))).toEqual(here);
  },
);

test.each(['context', 'isolate'])(
  'each job is counted, with isolation: %s',
  (isolation) => {
    const counts = ofJobs(countsOf('covered.mjs', 'there', isolation));
    expect(counts.map((one) => callsOf(one, 'all'))).toEqual([1, 1]);
    for (const { functions } of counts) {
      const sign = functions.find(
        ({ functionName }) => functionName === 'sign',
      );
      expect(sign.isBlockCoverage).toBe(true);
      expect(sign.ranges.some(({ count }) => count === 0)).toBe(true);
    }
  },
);

test('realms that are counted do not fill the heap', () => {
  const counts = ofJobs(countsOf('covered.mjs', 'many', 'context'));
  expect(counts).toHaveLength(122);
  expect(counts.every((one) => callsOf(one, 'all') === 1)).toBe(true);
});

test('is written although a job is ended with its process', () => {
  expect(countsOf('covered.mjs', 'spins')).toHaveLength(1);
});
