'use strict';

const { register } = require('../exporters/prometheus.js');
const { pathOf, serve } = require('./local-server.js');

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
  const answers = new Map([
    ['/healthz', () => [200, 'text/plain', 'ok\n']],
    [
      '/readyz',
      () =>
        isReady()
          ? [200, 'text/plain', 'ready\n']
          : [503, 'text/plain', 'not ready\n'],
    ],
    [
      '/metrics',
      async () =>
        registry === undefined
          ? [501, 'text/plain', 'install prom-client beside the tasks\n']
          : [200, registry.contentType, await registry.metrics()],
    ],
  ]);
  async function answer(req, res) {
    const [status, type, text] = (await answers.get(pathOf(req))?.()) ?? [
      404,
      'text/plain',
      '',
    ];
    res.writeHead(status, { 'content-type': type }).end(text);
  }
  const { url, close } = await serve(answer, { port, host, flag: '--health' });
  return { url, close };
}

module.exports = { serveHealth };
