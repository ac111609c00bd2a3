// Laid beside BullMQ's tests: the classes get our backend, and the connection
// that the tests hand over is a client that does nothing. Each test file has a
// file of queues of its own, which stays open.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setDefaultBackendFactory } from './src/utils/create-backend';
import { setConnectionFactory } from './tests/utils/connection-factory';

const require = createRequire(import.meta.url);
const { entry, driver } = JSON.parse(
  readFileSync(new URL('./settings.json', import.meta.url), 'utf8'),
);
const { createSqliteBackend } = require(entry);
const folder = mkdtempSync(join(tmpdir(), 'bullmq-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const connection = {
  file: join(folder, 'jobs.db'),
  driver,
  synchronous: 'normal',
};

const client = {
  isCluster: false,
  status: 'ready',
  options: {},
  connect: async () => undefined,
  disconnect: () => undefined,
  quit: async () => 'OK',
  duplicate: () => client,
  on: () => client,
  once: () => client,
  off: () => client,
  removeListener: () => client,
  emit: () => false,
};
setConnectionFactory(() => client);
// The suite's own word for a store that is not Redis.
process.env.BULLMQ_TEST_BACKEND = 'postgres';

const factory = (name, opts, kind) =>
  createSqliteBackend(name, { ...opts, connection }, kind);
factory('keeps-the-file-open', {});
setDefaultBackendFactory(factory);
