'use strict';

const { once } = require('node:events');
const { createServer } = require('node:http');

const { register } = require('../exporters/prometheus.js');
const { CliError, Exit } = require('./exit.js');

function readMetrics(pool, load) {
  let client;
  try {
    client = load('prom-client');
  } catch {
    return undefined;
  }
  const registry = new client.Registry();
  register(pool, { registry });
  client.collectDefaultMetrics({ register: registry });
  return registry;
}

/**
 * `/healthz` (the process lives), `/readyz` (it takes jobs) and `/metrics`.
 *
 * @param {WorkerPool} pool
 * @param {{ port: number, host: string, isReady(): boolean,
 *   load(name: string): object }} options port 0: any free one
 * @returns {Promise<{ url: string, close(): void }>}
 * @throws {CliError} the port cannot be had
 */
async function serveHealth(pool, { port, host, isReady, load }) {
  const registry = readMetrics(pool, load);
  const answers = {
    '/healthz': async () => [200, 'text/plain', 'ok\n'],
    '/readyz': async () =>
      isReady()
        ? [200, 'text/plain', 'ready\n']
        : [503, 'text/plain', 'not ready\n'],
    '/metrics': async () =>
      registry === undefined
        ? [501, 'text/plain', 'install prom-client beside the tasks\n']
        : [200, registry.contentType, await registry.metrics()],
  };
  const server = createServer(async (req, res) => {
    const answer = answers[new URL(req.url, 'http://worker').pathname];
    try {
      const [status, type, text] = (await answer?.()) ?? [
        404,
        'text/plain',
        '',
      ];
      res.writeHead(status, { 'content-type': type }).end(text);
    } catch {
      res.writeHead(500).end();
    }
  });
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    throw new CliError(
      'SLOPPY_CLI_PORT',
      `cannot listen on ${host}:${port}: ${error.code ?? error.message}`,
      { exit: Exit.Environment, hint: '--health 0 takes any free port' },
    );
  }
  return {
    url: `http://${host}:${server.address().port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

module.exports = { serveHealth };
