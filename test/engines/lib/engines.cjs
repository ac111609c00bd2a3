'use strict';
// The engines with one shape: what makes a Queue and a Worker of each.

const bullmq = require('bullmq');

const durable = require('../../../lib/adapters/durable.js');

const ofServer = (port, more) => ({ host: '127.0.0.1', port, ...more });

function ofRedis(where) {
  const connection = { ...ofServer(where), maxRetriesPerRequest: null };
  return {
    Queue: (name, options) =>
      new bullmq.Queue(name, { connection, ...options }),
    Worker: (name, run, options) =>
      new bullmq.Worker(name, run, { connection, ...options }),
  };
}

const ENGINES = {
  redis: ofRedis,
  valkey: ofRedis,
  postgres: (where) => {
    const { createPostgresBackend } = bullmq;
    const connection = {
      connectionString: `postgres://postgres@127.0.0.1:${where}/postgres`,
      migrate: true,
    };
    return {
      Queue: (name, options) =>
        new bullmq.Queue(
          name,
          { connection, ...options },
          createPostgresBackend,
        ),
      Worker: (name, run, options) =>
        new bullmq.Worker(
          name,
          run,
          { connection, ...options },
          createPostgresBackend,
        ),
    };
  },
  durable: (where) => {
    const connection = { file: where };
    return {
      Queue: (name, options) =>
        new durable.Queue(name, { connection, ...options }),
      Worker: (name, run, options) =>
        new durable.Worker(name, run, { connection, ...options }),
    };
  },
};

/** @param {string} name @param {number | string} where a port, or a file */
const engine = (name, where) => ENGINES[name](where);

module.exports = { engine };
