'use strict';

const { createRequire } = require('node:module');
const { fileURLToPath } = require('node:url');

const { createSqliteBackend } = require('../adapters/sqlite.js');
const { CliError, Exit, usageError } = require('./exit.js');
const { findPackage, userRequire } = require('./user-packages.js');

const SCHEME = /^([a-z][a-z0-9+.-]+):\/\//i;

/** The kinds of store that `--connection` names, by its scheme. */
const KINDS = {
  redis: 'redis',
  rediss: 'redis',
  postgres: 'postgres',
  postgresql: 'postgres',
  file: 'file',
};

/**
 * @param {string} connection a URL, or a path
 * @returns {{ kind: 'redis' | 'postgres' | 'file', where: string }}
 * @throws {CliError} the URL's scheme is another one
 */
function readConnection(connection) {
  const scheme = SCHEME.exec(connection)?.[1].toLowerCase();
  if (scheme === undefined) return { kind: 'file', where: connection };
  if (!Object.hasOwn(KINDS, scheme)) {
    throw usageError(
      `--connection cannot be ${scheme}:`,
      'it is redis:, rediss:, postgres:, or the path of a file',
    );
  }
  const kind = KINDS[scheme];
  const where = kind === 'file' ? fileURLToPath(connection) : connection;
  return { kind, where };
}

/** BullMQ's client of Redis is a package of its own, which a file needs not. */
function checkClient(entry) {
  try {
    createRequire(entry).resolve('ioredis');
  } catch {
    findPackage('ioredis');
  }
}

function loadBullmq(kind) {
  const entry = findPackage('bullmq');
  if (kind === 'redis') checkClient(entry);
  const bullmq = userRequire(entry);
  if (kind === 'redis' || bullmq.withBackend !== undefined) return bullmq;
  throw new CliError(
    'SLOPPY_CLI_MODULE',
    'this bullmq has no backends: a file or PostgreSQL needs 6.3.9 or later',
    { exit: Exit.Environment, hint: 'npm install bullmq@6' },
  );
}

// Errors of BullMQ's PostgreSQL backend. A Worker that meets one tries again at
// once, without end, so it must not be started.
const HINTS = {
  SchemaMigrationRequiredError:
    "create BullMQ's tables once: new Queue(name, { connection: { connectionString, migrate: true } }, createPostgresBackend), then waitUntilReady()",
  SchemaVersionMismatchError: 'npm install bullmq@latest',
  UnsupportedPostgresVersionError: 'use a newer PostgreSQL',
};

/** @returns {CliError | undefined} why this database cannot be used, if so */
function schemaError(error) {
  if (!Object.hasOwn(HINTS, error?.name ?? '')) return undefined;
  return new CliError('SLOPPY_CLI_STORE', error.message, {
    exit: Exit.Environment,
    hint: HINTS[error.name],
    cause: error,
  });
}

/**
 * Asks the server once. One that is away now may come: a Worker waits for it.
 *
 * @throws {CliError} the database cannot be used as it is
 */
async function checkSchema(queue) {
  queue.on('error', () => {});
  try {
    await queue.waitUntilReady();
  } catch (error) {
    const refusal = schemaError(error);
    if (refusal !== undefined) throw refusal;
  } finally {
    await queue.close().catch(() => {});
  }
}

/**
 * BullMQ's classes over what `connection` names: the same jobs, options and
 * events on each.
 *
 * @param {string} connection
 * @param {object} [ofRedis] options of the client
 * @returns {{ makeQueue: (name: string, options?: object) => Queue,
 *   makeWorker: (name: string, run: Function, options: object) =>
 *     Promise<Worker> }} `makeWorker` rejects with a CliError if the database has
 *   not what a Worker needs
 * @throws {CliError}
 */
function openBullmq(connection, ofRedis) {
  const { kind, where } = readConnection(connection);
  const bullmq = loadBullmq(kind);
  const { options, backend } = {
    redis: () => ({ options: { url: where, ...ofRedis } }),
    postgres: () => ({
      options: { connectionString: where },
      backend: bullmq.createPostgresBackend,
    }),
    file: () => ({ options: { file: where }, backend: createSqliteBackend }),
  }[kind]();
  // Old versions have another parameter there.
  const last = backend === undefined ? [] : [backend];
  const makeQueue = (name, more) =>
    new bullmq.Queue(name, { ...more, connection: options }, ...last);
  return {
    makeQueue,
    async makeWorker(name, run, more) {
      if (kind === 'postgres') await checkSchema(makeQueue(name));
      const settings = { ...more, connection: options };
      return new bullmq.Worker(name, run, settings, ...last);
    },
  };
}

module.exports = { openBullmq, readConnection, schemaError };
