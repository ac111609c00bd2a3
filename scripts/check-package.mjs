// Installs the packed tarball into an empty folder and uses it as a user does:
// build it there, require it, import it. Then publint and attw on the tarball.

import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './lib/paths.mjs';
import { report, skip } from './lib/results.mjs';
import { capture } from './lib/run.mjs';

const useIt = `
const assert = require('node:assert');
const required = require('sloppy-workers');
(async () => {
  const imported = await import('sloppy-workers');
  for (const name of Object.keys(required)) {
    assert.strictEqual(imported[name], required[name], name);
  }
  const pool = required.WorkerPool.create('package-check', { workers: 1 });
  assert.strictEqual(await pool.run(({ input }) => input * 2, { input: 21 }), 42);
  await pool.stop();
  console.log('pass');
})();
`;

const useAlias = `
const assert = require('node:assert');
const { Sloppy, SloppyWorkerError } = require('sloppy');
const workers = require('sloppy/workers');
const { Deadline } = require('sloppy/time');
assert.strictEqual(workers.SloppyWorkerError, SloppyWorkerError);
assert.strictEqual(Object.keys(workers).length, 7);
assert.ok(Deadline.after(0).expired);
const queue = Sloppy.create().use(workers.WorkQueue.create('queue'));
queue.process((job) => job.data * 2);
(async () => {
  const imported = await import('sloppy/workers');
  assert.strictEqual(imported.WorkQueue, workers.WorkQueue);
  assert.strictEqual(await queue.enqueue(21), 42);
  console.log('pass');
})();
`;

const npmQuiet = ['--no-audit', '--no-fund', '--loglevel=error'];

function npm(args, cwd) {
  const { status, stdout, output } = capture('npm', args, { cwd });
  if (status !== 0) throw new Error(`npm ${args[0]} failed\n${output}`);
  return stdout;
}

function pack(folder) {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination'];
  const [{ filename }] = JSON.parse(npm([...args, folder, ...npmQuiet], root));
  return join(folder, filename);
}

function install(folder, tarball) {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  npm(['install', '--prefer-offline', ...npmQuiet, tarball], folder);
}

function buildThere(folder) {
  const cwd = join(folder, 'node_modules/sloppy-workers');
  npm(['run', 'build', '--silent'], cwd);
}

// The name that applications of Sloppy import, as npm's alias installs it.
function installAlias(folder, tarball) {
  npm(
    ['install', '--prefer-offline', ...npmQuiet, `sloppy@file:${tarball}`],
    folder,
  );
  writeFileSync(join(folder, 'alias.cjs'), useAlias);
  const command = [join(folder, 'alias.cjs')];
  const { status, output } = capture(process.execPath, command, {
    cwd: folder,
  });
  if (status !== 0 || output.trim() !== 'pass') throw new Error(output);
}

function useThere(folder) {
  const file = join(folder, 'use.cjs');
  writeFileSync(file, useIt);
  const { status, output } = capture(process.execPath, [file], { cwd: folder });
  if (status !== 0 || output.trim() !== 'pass') throw new Error(output);
}

function tool(path, args) {
  const command = [join(root, 'node_modules', path), ...args];
  const { status, output } = capture(process.execPath, command, { cwd: root });
  if (status !== 0) throw new Error(output);
}

function check(counts, name, body) {
  try {
    const value = body();
    counts.passed += 1;
    console.log(`  pass ${name}`);
    return value;
  } catch (error) {
    counts.failed += 1;
    console.log(`  FAIL ${name}\n${error.message}`);
    return undefined;
  }
}

function checkPackage() {
  const counts = { passed: 0, failed: 0 };
  const folder = mkdtempSync(join(tmpdir(), 'sw-package-'));
  try {
    const tarball = check(counts, 'pack', () => pack(folder));
    if (!tarball) return counts;
    const steps = {
      install: () => install(folder, tarball),
      'build in the installed package': () => buildThere(folder),
      'require and import give one instance that works': () => useThere(folder),
      'under the alias sloppy': () => installAlias(folder, tarball),
      publint: () => tool('publint/src/cli.js', ['run', tarball, '--strict']),
      attw: () => tool('@arethetypeswrong/cli/dist/index.js', [tarball]),
    };
    for (const [name, body] of Object.entries(steps)) check(counts, name, body);
    return counts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const { main } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
if (existsSync(join(root, main))) report('package', checkPackage());
else skip('package', `${main} is not there`);
