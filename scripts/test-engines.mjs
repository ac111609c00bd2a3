// The engines with real servers: npm run test:engines [-- name part]...
//
// Starts a redis-server and a PostgreSQL on loopback, in temporary folders, and
// runs test/engines one file after another. What is missing is told as SKIPPED.
// --long makes more kills and more random calls.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { parseArgs } from 'node:util';
import {
  startPostgres,
  startRedis,
  startValkey,
} from '../test/engines/lib/servers.mjs';
import { root } from './lib/paths.mjs';
import { report, skip } from './lib/results.mjs';
import { capture } from './lib/run.mjs';
import { modulesIfNeeded, SQLITE_PACKAGE } from './lib/sqlite-modules.mjs';

const { values, positionals: wanted } = parseArgs({
  options: { long: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const FILE_LIMIT_MS = values.long ? 1_800_000 : 150_000;
const LONG_KILLS = '200';
const LONG_SEEDS = '200';
const folder = join(root, 'test/engines');

/** pg-boss and graphile-worker need 22.18; the matrix has fetched others. */
function newerNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) return process.execPath;
  return ['24', '26']
    .map((name) => join(root, '.nodes', name, 'bin/node'))
    .find((path) => existsSync(path));
}

const [redis, valkey, postgres] = await Promise.all([
  startRedis(),
  startValkey(),
  startPostgres(),
]);
const sqlite = modulesIfNeeded();
const node = newerNode();
if (!redis) skip('engines: Redis', 'redis-server is missing');
if (!valkey) skip('engines: Valkey', 'valkey-server is missing');
if (!postgres) skip('engines: PostgreSQL', 'initdb or postgres is missing');
if (sqlite === undefined)
  skip('engines: SQLite', `${SQLITE_PACKAGE} did not build`);
Object.assign(process.env, {
  ...(redis && { ENGINES_REDIS: String(redis.port) }),
  ...(valkey && { ENGINES_VALKEY: String(valkey.port) }),
  ...(postgres && { ENGINES_POSTGRES: String(postgres.port) }),
  ...(sqlite !== undefined && { ENGINES_SQLITE: '1' }),
  ...(sqlite && { NODE_PATH: sqlite }),
  ...(node && { ENGINES_NODE: node }),
  ...(values.long && { ENGINES_KILLS: LONG_KILLS, ENGINES_SEEDS: LONG_SEEDS }),
});

const files = readdirSync(folder)
  .filter((name) => name.endsWith('.test.mjs'))
  .filter(
    (name) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
  )
  .map((name) => join(folder, name));
const counts = { passed: 0, failed: 0, skipped: 0 };
try {
  const tests = run({ files, concurrency: 1, timeout: FILE_LIMIT_MS });
  for await (const { type, data } of tests) {
    const isTest = data.details?.type !== 'suite' && !files.includes(data.name);
    if (type === 'test:pass' && isTest) {
      const isSkipped = data.skip !== undefined;
      counts[isSkipped ? 'skipped' : 'passed'] += 1;
      const ms = Math.round(data.details.duration_ms);
      const mark = isSkipped ? `SKIPPED (${data.skip})` : 'pass';
      console.log(
        `  ${'  '.repeat(data.nesting)}${mark} ${data.name} ${ms} ms`,
      );
    } else if (type === 'test:fail') {
      counts.failed += 1;
      const { error } = data.details;
      console.log(
        `  FAIL ${data.name}\n${error?.cause?.stack ?? error?.stack}`,
      );
    } else if (type === 'test:diagnostic' && data.nesting > 0) {
      console.log(`      ${data.message}`);
    } else if (type === 'test:stdout' || type === 'test:stderr') {
      process.stdout.write(data.message);
    }
  }
  if (sqlite && wanted.length === 0) {
    // Jest skips them where it finds no SQLite, as on this Node without this.
    const jest = join(root, 'node_modules/jest/bin/jest.js');
    const suites = ['test/js/engines/sqlite', 'test/js/cli/worker'];
    const args = [jest, ...suites, '--forceExit'];
    const { status, output } = capture(process.execPath, args, { cwd: root });
    counts[status === 0 ? 'passed' : 'failed'] += 1;
    console.log(
      `  ${status === 0 ? 'pass' : 'FAIL'} Jest with ${SQLITE_PACKAGE}`,
    );
    if (status !== 0) console.log(output);
  }
} finally {
  await Promise.all([redis?.stop(), valkey?.stop(), postgres?.stop()]);
}
report('engines', counts);
// A connection of a test that failed must not keep this from its end.
process.exit(process.exitCode);
