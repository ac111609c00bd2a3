// The package under the name `sloppy`, as an alias of npm leaves it: imported,
// required and in Jest, it is one instance with one error class.

import assert from 'node:assert';
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const folder = mkdtempSync(join(tmpdir(), 'sw-entry-'));

const common = `
  const required = {
    all: require('sloppy'),
    workers: require('sloppy/workers'),
    time: require('sloppy/time'),
  };
  async function check() {
    const imported = {
      all: await import('sloppy'),
      workers: await import('sloppy/workers'),
      time: await import('sloppy/time'),
    };
    for (const [entry, exports] of Object.entries(required)) {
      for (const [name, value] of Object.entries(exports)) {
        same(imported[entry][name], value, entry + '.' + name);
        same(required.all[name], value, entry + '.' + name);
      }
      const extra = Object.keys(imported[entry]).filter(
        (name) => !['default', 'module.exports'].includes(name) &&
          !(name in exports),
      );
      same(extra.join(), '', entry);
    }
    same(imported.all.default, required.all, 'default');
    same(Object.keys(required.workers).length, 7, 'workers');

    const pool = imported.workers.WorkerPool.create('entry');
    const job = () => { throw new RangeError('x'); };
    const error = await pool.run(job).catch((thrown) => thrown);
    await pool.stop();
    same(error instanceof required.all.SloppyWorkerError, true, 'required');
    same(error instanceof imported.all.SloppyWorkerError, true, 'imported');
    same(error instanceof Error, true, 'Error');
    same(error.cause instanceof RangeError, true, 'RangeError');
    same(error.code, 'SLOPPY_E_WORK_JOB_FAILED', 'code');
    const deadline = imported.time.Deadline.after(0);
    same(deadline.expired, true, 'deadline');
  }
`;

const esm = `
  import { createRequire } from 'node:module';
  import { SloppyWorkerError, WorkerPool } from 'sloppy';
  import * as workers from 'sloppy/workers';
  import { Deadline, Time } from 'sloppy/time';
  import assert from 'node:assert';
  const { strictEqual: same } = assert;
  const require = createRequire(import.meta.url);
  ${common}
  same(WorkerPool, workers.WorkerPool);
  same(typeof Time.delay, 'function');
  same(Deadline.never().expired, false);
  same(new SloppyWorkerError('X', 'y').message, 'X: y');
  await check();
  console.log('pass');
`;

const cjs = `
  const { strictEqual: same } = require('node:assert');
  ${common}
  check().then(() => console.log('pass'));
`;

const jestTest = `
  const same = (actual, expected) => expect(actual).toBe(expected);
  const { SloppyWorkerError, WorkerPool } = require('sloppy');
  // Jest has modules of its own, and globals of its own.
  test('instanceof and toThrow', async () => {
    const pool = WorkerPool.create('jest');
    await expect(pool.run(() => { throw new RangeError('x'); }))
      .rejects.toThrow(SloppyWorkerError);
    const error = await pool.run(() => { throw new RangeError('x'); })
      .catch((thrown) => thrown);
    same(error instanceof SloppyWorkerError, true);
    same(error instanceof Error, true);
    expect(error.cause).toBeInstanceOf(RangeError);
    expect(error).toMatchObject({ code: 'SLOPPY_E_WORK_JOB_FAILED' });
    await pool.stop();
    // A copy that another test file, or another realm, has loaded.
    jest.resetModules();
    const again = require('sloppy');
    same(again.SloppyWorkerError === SloppyWorkerError, false);
    same(error instanceof again.SloppyWorkerError, true);
    same(new again.SloppyWorkerError('X', 'y') instanceof SloppyWorkerError, true);
    const other = again.WorkerPool.create('again');
    same(await other.run(({ input }) => input + 1, { input: 1 }), 2);
    await other.stop();
    same({} instanceof SloppyWorkerError, false);
    same(new Error('x') instanceof SloppyWorkerError, false);
  });
`;

function run(file, text, args) {
  const path = join(folder, file);
  writeFileSync(path, text);
  return execFileSync(process.execPath, [...args, path], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

try {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/sloppy'), 'junction');
  assert.match(run('use.mjs', esm, []), /^pass$/m);
  assert.match(run('use.cjs', cjs, []), /^pass$/m);
  const manifest = createRequire(import.meta.url).resolve('jest/package.json');
  const jest = join(dirname(manifest), 'bin/jest.js');
  // Its own settings: not those of this repository, where the link leads.
  const settings = {
    rootDir: folder,
    testEnvironment: 'node',
    testTimeout: 120_000,
  };
  const config = JSON.stringify({ ...settings, watchman: false });
  run('use.test.js', jestTest, [jest, '--config', config, '--runTestsByPath']);
} finally {
  rmSync(folder, { recursive: true });
}
console.log('pass');
