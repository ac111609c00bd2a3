'use strict';
// The release workflow cannot run here. What can be checked: that it is a
// workflow, builds every platform and ABI of the list, and only calls scripts
// that there are, with options that they have.

const fs = require('node:fs');
const path = require('node:path');
const { parse } = require('yaml');
const { validateWorkflow } = require('@action-validator/core');
const { ABIS, PLATFORMS } = require('../../../lib/addon/platforms.js');
const { scripts } = require('../../../package.json');

const root = path.join(__dirname, '../../..');
const read = (file) => fs.readFileSync(path.join(root, file), 'utf8');
const text = read('.github/workflows/release.yml');
const { jobs } = parse(text);
const commands = Object.values(jobs)
  .flatMap(({ steps }) => steps.map(({ run }) => run ?? ''))
  .join('\n');
const calls = Array.from(
  commands.matchAll(/npm run ([\w:]+)(?: -- (.*))?/g),
  ([, script, options = '']) => ({ script, options }),
);

test.each(['ci.yml', 'nightly.yml', 'release.yml'])(
  '%s is a valid workflow',
  (file) => {
    const { errors } = validateWorkflow(read(`.github/workflows/${file}`));
    expect(errors).toEqual([]);
  },
);

test.each([
  ['ci', 'steps'],
  ['nightly', 'nightly'],
])('%s.yml runs every step of .ci/%s within its limit', (name, list) => {
  const steps = read(`.ci/${list}`)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('|').map((part) => part.trim()));
  const { step } = parse(read(`.github/workflows/${name}.yml`)).jobs;
  expect(step.strategy.matrix.step).toEqual(steps.map(([name]) => name));
  // Steps that install and build are left out.
  const longest = Math.max(...steps.map(([, minutes]) => Number(minutes)));
  expect(step['timeout-minutes']).toBeGreaterThanOrEqual(longest + 15);
  for (const [, , command] of steps) {
    const script = /^npm (?:run )?([\w:]+)/.exec(command)[1];
    expect(scripts).toHaveProperty([script]);
  }
});

test('a mistake in a workflow is found', () => {
  const broken = text.replace('runs-on: ubuntu-24.04\n', '');
  expect(validateWorkflow(broken).errors).not.toEqual([]);
});

test('every platform and every Node of the list is built', () => {
  const { platform, node } = jobs.binaries.strategy.matrix;
  const ids = (rows) => rows.map(({ id }) => id).sort();
  expect(ids(platform)).toEqual(ids(PLATFORMS));
  expect(node).toEqual(Object.keys(ABIS));
});

test('each platform is built on a machine and in an image that fit it', () => {
  for (const { id, runner, image } of jobs.binaries.strategy.matrix.platform) {
    const { os, cpu, libc } = PLATFORMS.find((platform) => platform.id === id);
    const system = { linux: 'ubuntu', darwin: 'macos', win32: 'windows' }[os];
    expect(runner.startsWith(system)).toBe(true);
    if (os === 'linux') expect(runner.endsWith('-arm')).toBe(cpu === 'arm64');
    if (os === 'darwin') expect(runner.endsWith('intel')).toBe(cpu === 'x64');
    expect(image).toBe({ glibc: 'almalinux:8', musl: 'alpine' }[libc]);
  }
});

test('every build goes through pack:all, and is tried', () => {
  const builds = jobs.binaries.steps.filter(({ name }) => /^build/.test(name));
  expect(builds).toHaveLength(4);
  for (const { run } of builds) {
    expect(run).toMatch(
      /npm run pack:all -- --only-binaries --nodes \$\{\{ matrix\.node \}\}/,
    );
    expect(run).toContain('npm run test:examples -- quickstart');
  }
});

test('the scripts and their options exist', () => {
  expect(calls.length).toBeGreaterThan(0);
  for (const { script, options } of calls) {
    expect(scripts).toHaveProperty([script]);
    const source = read(scripts[script].replace(/^node /, ''));
    for (const [option] of options.matchAll(/--[a-z][\w-]*/g)) {
      expect(source).toContain(option);
    }
  }
});

test('what is published was packed whole, and carries provenance', () => {
  expect(commands).toContain('--binaries build/binaries --complete');
  expect(commands).toContain('--max-glibc 2.28');
  expect(commands).toContain('--provenance');
  expect(jobs.publish.permissions['id-token']).toBe('write');
  expect(jobs.publish.needs).toBe('packages');
  expect(jobs.packages.needs).toBe('binaries');
});
