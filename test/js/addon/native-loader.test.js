'use strict';
// The binary that is loaded, and what is said when there is none: a copy of the
// JavaScript layer in a folder of its own, with nothing built in it.

const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { familySync } = require('detect-libc');
const { version } = require('../../../package.json');
const { Build } = require('../../../lib/protocol/wire.gen.js');
const {
  PLATFORMS,
  binaryOf,
  muslLoader,
  packageOf,
  platformId,
} = require('../../../lib/addon/platforms.js');

const root = path.join(__dirname, '../../..');
const abi = process.versions.modules;
const id = platformId(process.platform, process.arch, familySync());
const built = path.join(root, 'build', `abi${abi}`, 'release');
const addon = path.join(built, 'sloppy_workers.node');

let folder;
let installed;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sw loader-'));
  const modules = path.join(folder, 'node_modules');
  installed = path.join(modules, 'sloppy-workers');
  fs.mkdirSync(installed, { recursive: true });
  for (const name of ['lib', 'package.json']) {
    fs.cpSync(path.join(root, name), path.join(installed, name), {
      recursive: true,
    });
  }
  for (const name of ['acorn', 'amaro', 'detect-libc']) {
    const from = path.join(root, 'node_modules', name);
    fs.symlinkSync(from, path.join(modules, name), 'junction');
  }
});

afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

function installPlatform({
  id: installedId = id,
  version: of = version,
  file = addon,
} = {}) {
  const to = path.join(folder, 'node_modules', packageOf(installedId));
  fs.mkdirSync(to, { recursive: true });
  const manifest = { name: packageOf(installedId), version: of };
  fs.writeFileSync(path.join(to, 'package.json'), JSON.stringify(manifest));
  if (file) fs.copyFileSync(file, path.join(to, binaryOf(abi)));
}

function runProgram(program, env = {}, flags = []) {
  const { SLOPPY_WORKERS_PRESET: _, ...rest } = process.env;
  return execFileSync(process.execPath, [...flags, '-e', program], {
    cwd: folder,
    env: { ...rest, ...env },
    encoding: 'utf8',
  }).trimEnd();
}

const oneJob = `
  const { WorkerPool } = require('sloppy-workers');
  WorkerPool.create('p').run(() => 6 * 7)
    .then(console.log, (error) => console.log(error.message));
`;

test('the platform package of this version is used', () => {
  installPlatform();
  expect(runProgram(oneJob)).toBe('42');
});

const mayBeMusl =
  process.platform === 'linux' && fs.existsSync(muslLoader(process.arch));

test('the C library is looked up only where there may be another', () => {
  installPlatform();
  const program = `
    const { WorkerPool } = require('sloppy-workers');
    WorkerPool.create('p').run(() => 6 * 7).then(() => console.log(
      Object.keys(require.cache).some((file) => file.includes('detect-libc'))));
  `;
  expect(runProgram(program)).toBe(String(mayBeMusl));
});

test('a binary that was built in the package is used without one', () => {
  const there = path.join(installed, path.relative(root, addon));
  fs.mkdirSync(path.dirname(there), { recursive: true });
  fs.copyFileSync(addon, there);
  expect(runProgram(oneJob)).toBe('42');
});

test('a binary that was built there is used where the package has a broken one', () => {
  const broken = path.join(folder, 'broken.node');
  fs.writeFileSync(broken, 'no binary');
  installPlatform({ file: broken });
  const there = path.join(installed, path.relative(root, addon));
  fs.mkdirSync(path.dirname(there), { recursive: true });
  fs.copyFileSync(addon, there);
  expect(runProgram(oneJob)).toBe('42');
  const counted = path.join(folder, 'coverage');
  expect(runProgram(oneJob, { NODE_V8_COVERAGE: counted })).toBe('42');
});

test('SLOPPY_WORKERS_BINARY names one file, and no other is tried', () => {
  expect(runProgram(oneJob, { SLOPPY_WORKERS_BINARY: addon })).toBe('42');
  installPlatform();
  const message = runProgram(oneJob, { SLOPPY_WORKERS_BINARY: 'nowhere' });
  expect(message).toContain('tried SLOPPY_WORKERS_BINARY: no such file.');
});

test('with nothing installed the error says what was tried and what to do', () => {
  const message = runProgram(oneJob);
  expect(message).toMatch(/^SLOPPY_E_WORKER_BRIDGE_UNAVAILABLE: /);
  const build = path.join('build', `abi${abi}`, 'release');
  for (const fact of [
    `for ${id} `,
    process.version,
    `ABI ${abi}`,
    `${packageOf(id)}/${binaryOf(abi)}: not installed`,
    `${path.join(build, 'sloppy_workers.node')}: no such file`,
  ]) {
    expect(message).toContain(fact);
  }
  const script = path.join('node_modules/sloppy-workers/scripts/build.mjs');
  expect(message.endsWith(`with: node ${script}`)).toBe(true);
  expect(message).not.toContain(folder);
});

const others = PLATFORMS.filter(
  (platform) =>
    platform.os === process.platform &&
    platform.cpu === process.arch &&
    platform.id !== id,
);

test.each(others)('the package for another C library is left: $id', (other) => {
  installPlatform({ id: other.id });
  const message = runProgram(oneJob);
  expect(message).toContain(`${packageOf(id)}/${binaryOf(abi)}: not installed`);
});

test.each([
  ['of another version', { version: '0.0.0' }, /is version 0\.0\.0, .* needed/],
  ['for other Nodes', { file: null }, /no binary for this Node/],
  [
    'with a broken binary',
    { file: __filename },
    /abi\d+\.node: (?!not installed|no )\S/,
  ],
])('a platform package %s is told', (_, options, expected) => {
  installPlatform(options);
  const message = runProgram(oneJob);
  expect(message).toMatch(/^SLOPPY_E_WORKER_BRIDGE_UNAVAILABLE/);
  expect(message).toMatch(expected);
  expect(message).not.toContain(folder);
});

test('where Node loads no addons, that is said and no compiler asked for', () => {
  installPlatform();
  const message = runProgram(oneJob, {}, ['--no-addons']);
  expect(message).toMatch(/^SLOPPY_E_WORKER_BRIDGE_UNAVAILABLE/);
  expect(message).toMatch(
    /Addons are off: start Node without --no-addons, and under its permission model with --allow-addons$/,
  );
});

const permission = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission';
const allowed = (...folders) => [
  permission,
  '--allow-addons',
  '--allow-worker',
  ...Array.from(
    new Set(folders),
    (each) => `--allow-fs-read=${path.join(each, '*')}`,
  ),
];

test('under the permission model the usual flags are enough', () => {
  installPlatform();
  const flags = allowed(folder, fs.realpathSync(folder), root);
  expect(runProgram(oneJob, {}, flags)).toBe('42');
});

test('a binary that the permission model hides is told', () => {
  installPlatform();
  const modules = fs.realpathSync(path.join(root, 'node_modules'));
  const flags = allowed(folder, path.join(root, 'node_modules'), modules);
  const message = runProgram(oneJob, { SLOPPY_WORKERS_BINARY: addon }, flags);
  expect(message).toMatch(/^SLOPPY_E_WORKER_BRIDGE_UNAVAILABLE/);
  expect(message).toContain('--allow-fs-read');
});

test('what needs no isolate works without a binary', () => {
  const program = `
    const { WorkQueue, BackgroundService, Time } = require('sloppy-workers');
    const queue = WorkQueue.create('q');
    queue.process((job) => job.data * 2);
    queue.enqueue(21).then(async (value) => {
      const service = BackgroundService.create('s', async () => {});
      console.log(value, typeof service.start);
    });
  `;
  expect(runProgram(program)).toBe('42 function');
});

test.each([0, Build.Digest - 1, undefined])(
  'a binary of another build (%p) is refused before it is opened',
  (build) => {
    const other = path.join(folder, 'other.js');
    fs.writeFileSync(
      other,
      `exports.build = ${build};
      exports.open = () => console.log('opened');`,
    );
    const message = runProgram(oneJob, { SLOPPY_WORKERS_BINARY: other });
    expect(message).toMatch(/^SLOPPY_E_WORKER_BRIDGE_UNAVAILABLE/);
    expect(message).toContain('SLOPPY_WORKERS_BINARY: was not built with');
    expect(message).toContain('Build it from source');
    expect(message).not.toContain('opened');
  },
);

test('a Node whose snapshot does not fit is told of', () => {
  const refusing = path.join(folder, 'refusing.js');
  fs.writeFileSync(
    refusing,
    `exports.build = ${Build.Digest};
    exports.open = () => {
      throw Object.assign(new Error('no fit'), { code: 'ERR_NODE_SNAPSHOT' });
    };`,
  );
  const message = runProgram(oneJob, { SLOPPY_WORKERS_BINARY: refusing });
  expect(message).toContain('SLOPPY_WORKERS_BINARY: no fit. ');
  expect(message).toContain('--no-node-snapshot');
  expect(message).toContain("runtime: 'thread'");
  expect(message).not.toContain('Build it from source');
});

const pretend = (name) => `
  const versions = { ...process.versions, ${name}: '1.2.3' };
  const real = process;
  globalThis.process = Object.create(real, { versions: { value: versions } });
`;

test.each(['bun', 'deno', 'electron'])(
  '%s, which pretends to be a Node, is told and no binary loaded',
  (name) => {
    installPlatform();
    const message = runProgram(pretend(name) + oneJob);
    expect(message).toMatch(/^SLOPPY_E_WORKER_BRIDGE_UNAVAILABLE/);
    expect(message).toContain(`${name} 1.2.3`);
    expect(message).toContain("runtime: 'thread'");
    expect(message).not.toContain('Build it from source');
  },
);

test.each([
  ['without a binary', '', path.join('nowhere', 'none.node')],
  ['in Electron', pretend('electron'), addon],
])("%s Node's threads run jobs, and the hint names them", (_, before, file) => {
  // A thread reads the parts of the runtime that it shares with isolates.
  fs.symlinkSync(
    path.join(root, 'src'),
    path.join(installed, 'src'),
    'junction',
  );
  const program = `${before}
    const { WorkerPool } = require('sloppy-workers');
    WorkerPool.create('i').run(() => 1).catch((error) => {
      console.log(error.hint);
      const pool = WorkerPool.create('t', { runtime: 'thread' });
      return pool.run(({ input }) => input * 7, { input: 6 })
        .then((got) => { console.log(got); return pool.stop(); });
    });`;
  const [hint, got] = runProgram(program, {
    SLOPPY_WORKERS_BINARY: file,
  }).split('\n');
  expect(hint).toContain("runtime: 'thread'");
  expect(got).toBe('42');
});
