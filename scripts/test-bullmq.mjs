// BullMQ's own tests on our SQLite backend:
//   npm run test:bullmq [-- <folder of BullMQ's tests>] [-- --files queue,flow]
//     [-- --driver better-sqlite3]
//
// The folder is `tests` of BullMQ's repository, or one that holds it; without
// one it is fetched for the installed version. The tests are laid out beside a `src` whose files are
// one line each and export the installed package, so that they meet our
// backend. What is about Redis clients is left out.

import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { FILES, REDIS_ONLY } from './bullmq/applicable.mjs';
import { main, Problem } from './lib/fail.mjs';
import { root } from './lib/paths.mjs';
import { report, skip } from './lib/results.mjs';
import { capture, must, passThrough } from './lib/run.mjs';
import { sqliteModules } from './lib/sqlite-modules.mjs';

const REPOSITORY = 'https://github.com/taskforcesh/bullmq.git';
/** The packages that the tests themselves import. */
const TOOLS = {
  async: '3.2.6',
  ioredis: '5.11.1',
  moment: '2.31.0',
  progress: '2.0.3',
  rrule: '2.8.1',
  sinon: '22.1.0',
  vitest: '4.1.12',
};
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    driver: { type: 'string' },
    files: { type: 'string' },
  },
});
const require = createRequire(import.meta.url);
const bullmq = join(dirname(require.resolve('bullmq/package.json')));
const base = join(root, 'build/bullmq');

/** @returns {string | undefined} undefined: the repository is not in reach */
function fetchTests() {
  const { version } = require('bullmq/package.json');
  const folder = join(base, `repository-${version}`);
  const tests = join(folder, 'tests');
  if (existsSync(tests)) return tests;
  const args = ['clone', '--quiet', '--depth=1', `--branch=v${version}`];
  const { status } = capture('git', [...args, REPOSITORY, folder]);
  return status === 0 ? tests : undefined;
}

/** @returns {string} the folder of the tests in the named one */
function testsOf(folder) {
  const inside = join(resolve(folder), 'tests');
  return existsSync(inside) ? inside : resolve(folder);
}

/** @returns {string} a node_modules */
function installTools() {
  const folder = join(base, 'tools');
  mkdirSync(folder, { recursive: true });
  const manifest = JSON.stringify({ private: true, dependencies: TOOLS });
  const file = join(folder, 'package.json');
  const modules = join(folder, 'node_modules');
  const isThere =
    existsSync(join(modules, 'vitest')) &&
    readFileSync(file, 'utf8') === manifest;
  if (!isThere) {
    writeFileSync(file, manifest);
    must('npm', ['install', '--no-audit', '--no-fund', '--no-save'], folder);
    writeFileSync(file, manifest);
  }
  return modules;
}

const FOLDERS = ['classes', 'utils', 'interfaces', 'enums', 'types'];
const SINGLE = [
  'classes/async-fifo-queue',
  'classes/child',
  'classes/redis-connection',
  'classes/redis-queue-backend',
  'classes/sandbox',
  'utils/create-backend',
  'version',
];

/** Lays out the tests, and what they import, in a new folder. */
function layOut(tests, modules, driver) {
  const folder = join(base, `suite-${process.versions.modules}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(tests, join(folder, 'tests'), { recursive: true });
  symlinkSync(modules, join(folder, 'node_modules'));
  // Fixtures require '../../dist/cjs/…'.
  symlinkSync(join(bullmq, 'dist'), join(folder, 'dist'));
  const write = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const reexport = (path, from) =>
    write(
      `src/${path}.ts`,
      `export * from '${join(bullmq, 'dist/esm', from)}';\n`,
    );
  for (const name of FOLDERS) reexport(`${name}/index`, `${name}/index.js`);
  for (const name of SINGLE) reexport(name, `${name}.js`);
  reexport('interfaces/redis-client', 'interfaces/index.js');
  const settings = { entry: join(root, 'lib/adapters/sqlite.js'), driver };
  write('settings.json', JSON.stringify(settings));
  write(
    'vitest.json',
    JSON.stringify({ files: filesOf(tests), redisOnly: REDIS_ONLY }),
  );
  for (const file of ['setup.mjs', 'vitest.config.mjs']) {
    cpSync(join(root, 'scripts/bullmq', file), join(folder, file));
  }
  return folder;
}

function filesOf(tests) {
  const wanted = options.files?.split(',') ?? FILES;
  const found = wanted.filter((name) =>
    existsSync(join(tests, `${name}.test.ts`)),
  );
  if (found.length === 0) throw new Problem(`${tests} has none of the tests`);
  return found;
}

/** A process that has crashed leaves its tests pending. */
const KINDS = { passed: 'passed', failed: 'failed', pending: 'failed' };

function readCounts(file) {
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { name, status, assertionResults } of testResults) {
    const ofFile = { passed: 0, failed: 0, skipped: 0 };
    for (const test of assertionResults) {
      const kind = KINDS[test.status] ?? 'skipped';
      ofFile[kind] += 1;
      if (kind === 'failed') console.log(`  FAIL ${test.fullName}`);
    }
    if (status === 'failed' && ofFile.failed === 0) ofFile.failed = 1;
    for (const kind of Object.keys(counts)) counts[kind] += ofFile[kind];
    const { passed, failed, skipped } = ofFile;
    console.log(
      `  ${basename(name)}: ${passed} passed, ${failed} failed, ${skipped} left out`,
    );
  }
  return counts;
}

await main(async () => {
  const tests = positionals[0] ? testsOf(positionals[0]) : fetchTests();
  if (tests === undefined) {
    skip('bullmq', `${REPOSITORY} is not in reach; name a folder of its tests`);
    return;
  }
  const isBuiltin = createRequire(import.meta.url)('node:module').isBuiltin;
  const driver =
    options.driver ?? (isBuiltin('node:sqlite') ? 'node' : 'better-sqlite3');
  const own = driver === 'node' ? undefined : sqliteModules();
  if (driver !== 'node' && own === undefined) {
    skip('bullmq', 'better-sqlite3 did not build');
    return;
  }
  const folder = layOut(tests, installTools(), driver);
  const results = join(folder, 'results.json');
  const vitest = join(folder, 'node_modules/vitest/vitest.mjs');
  const args = ['run', '--reporter=dot', '--reporter=json'];
  await passThrough(
    process.execPath,
    [vitest, ...args, `--outputFile.json=${results}`],
    {
      cwd: folder,
      env: { ...process.env, ...(own && { NODE_PATH: own }) },
    },
  );
  report(`bullmq (${driver})`, readCounts(results));
});
