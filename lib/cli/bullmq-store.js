'use strict';

const { createRequire } = require('node:module');
const { fileURLToPath } = require('node:url');

const { createSqliteBackend } = require('../adapters/sqlite.js');
const { CliError, Exit, usageError } = require('./exit.js');
const { findPackage, userRequire } = require('./user-packages.js');

const SCHEME = /^([a-z][a-z0-9+.-]+):\/\//i;

/** What `--connection` names, by its scheme. */
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

/**
 * BullMQ's classes over what `connection` names: the same jobs, options and
 * events on each.
 *
 * @param {string} connection
 * @param {object} [ofRedis] options of the client
 * @returns {{ makeQueue: (name: string, options?: object) => Queue,
 *   makeWorker: (name: string, run: Function, options: object) => Worker }}
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
  return {
    makeQueue: (name, more) =>
      new bullmq.Queue(name, { ...more, connection: options }, ...last),
    makeWorker: (name, run, more) =>
      new bullmq.Worker(name, run, { ...more, connection: options }, ...last),
  };
}

module.exports = { openBullmq, readConnection };
