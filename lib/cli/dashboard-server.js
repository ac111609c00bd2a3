'use strict';

const { once } = require('node:events');
const { createServer } = require('node:http');

const { createDashboard } = require('../exporters/dashboard.js');
const { CliError, Exit } = require('./exit.js');

const HOST = '127.0.0.1';
// Bounded, because a flood must not take the run's file descriptors.
const MAX_CONNECTIONS = 256;

/**
 * Whether a request names this machine: another name means that a foreign page
 * sent it (DNS rebinding).
 */
function isOwnName(host, port) {
  const [, name, own = '80'] = /^([^:]*)(?::(\d+))?$/.exec(host ?? '') ?? [];
  const isLocal = name === HOST || /^localhost\.?$/i.test(name);
  return isLocal && Number(own) === port;
}

/**
 * Serves the live page of a pool to this machine.
 *
 * @param {WorkerPool} pool
 * @param {{ port: number, title: string }} options port 0: any free one
 * @returns {Promise<{ url: string, close(): void }>}
 * @throws {CliError} the port cannot be had
 */
async function serveDashboard(pool, { port, title }) {
  const dashboard = createDashboard({ pools: pool, title });
  const server = createServer((req, res) => {
    if (isOwnName(req.headers.host, req.socket.localPort)) dashboard(req, res);
    else res.writeHead(403).end();
  });
  try {
    server.listen(port, HOST);
    await once(server, 'listening');
  } catch (error) {
    throw new CliError(
      'SLOPPY_CLI_PORT',
      `cannot listen on ${HOST}:${port}: ${error.code ?? error.message}`,
      { exit: Exit.Environment, hint: '--dashboard 0 takes any free port' },
    );
  }
  const own = server.address().port;
  server.maxConnections = MAX_CONNECTIONS;
  // A connection that cannot be taken must not end the run.
  server.on('error', () => {});
  // The dashboard does not keep the command running.
  server.unref();
  return {
    url: `http://${HOST}:${own}/`,
    close() {
      dashboard.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

module.exports = { serveDashboard };
