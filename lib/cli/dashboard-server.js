'use strict';

const { createDashboard } = require('../exporters/dashboard.js');
const { serve } = require('./local-server.js');

const HOST = '127.0.0.1';

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
  const answer = (req, res) => {
    if (isOwnName(req.headers.host, req.socket.localPort)) dashboard(req, res);
    else res.writeHead(403).end();
  };
  const settings = { port, host: HOST, flag: '--dashboard' };
  const { server, url, close } = await serve(answer, settings);
  // The dashboard does not keep the command running.
  server.unref();
  return {
    url: `${url}/`,
    close() {
      dashboard.close();
      close();
    },
  };
}

module.exports = { serveDashboard };
