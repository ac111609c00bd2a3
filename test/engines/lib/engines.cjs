'use strict';
// The engines with one shape: what makes a Queue and a Worker of each.

const bullmq = require('bullmq');

const { createSqliteBackend } = require('../../../lib/adapters/sqlite.js');

const ofServer = (port, more) => ({ host: '127.0.0.1', port, ...more });

/** BullMQ's classes, on a backend, with its connection. */
function on(connection, backend) {
  const last = backend === undefined ? [] : [backend];
  return {
    Queue: (name, options) =>
      new bullmq.Queue(name, { connection, ...options }, ...last),
    Worker: (name, run, options) =>
      new bullmq.Worker(name, run, { connection, ...options }, ...last),
    QueueEvents: (name, options) =>
      new bullmq.QueueEvents(name, { connection, ...options }, ...last),
    FlowProducer: (options) =>
      new bullmq.FlowProducer({ connection, ...options }, ...last),
  };
}

const ofRedis = (where) =>
  on({ ...ofServer(where), maxRetriesPerRequest: null });

const ENGINES = {
  redis: ofRedis,
  valkey: ofRedis,
  postgres: (where) =>
    on(
      {
        connectionString: `postgres://postgres@127.0.0.1:${where}/postgres`,
        migrate: true,
      },
      bullmq.createPostgresBackend,
    ),
  sqlite: (where) => on({ file: where }, createSqliteBackend),
};

/** @param {string} name @param {number | string} where a port, or a file */
const engine = (name, where) => ENGINES[name](where);

module.exports = { engine };
