'use strict';
// The command line's servers: `--health` and `--dashboard`.

const { once } = require('node:events');
const { createServer } = require('node:http');

const { CliError, Exit } = require('./exit.js');

// Bounded, because a flood must not take the process's file descriptors.
const MAX_CONNECTIONS = 256;
// A client that takes longer for its request gives its connection up.
const REQUEST_MS = 10_000;

/** A mistake in an answer must not end the process with its jobs. */
const guarded = (handler) => async (req, res) => {
  try {
    await handler(req, res);
  } catch {
    if (res.headersSent) res.destroy();
    else res.writeHead(500).end();
  }
};

/** @returns {string} without the query; a request may name the whole address */
const pathOf = ({ url }) =>
  url.replace(/^https?:\/\/[^/?]*/i, '').split('?', 1)[0];

/**
 * @param {(req: object, res: object) => unknown} handler
 * @param {{ port: number, host: string, flag: string }} options port 0: any
 *   free one; `flag` is the option that named the port
 * @returns {Promise<{ server: object, url: string, close(): void }>}
 * @throws {CliError} the port cannot be had
 */
async function serve(handler, { port, host, flag }) {
  const server = createServer(
    {
      headersTimeout: REQUEST_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: REQUEST_MS / 2,
    },
    guarded(handler),
  );
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    throw new CliError(
      'SLOPPY_CLI_PORT',
      `cannot listen on ${host}:${port}: ${error.code ?? error.message}`,
      { exit: Exit.Environment, hint: `${flag} 0 takes any free port` },
    );
  }
  server.maxConnections = MAX_CONNECTIONS;
  // A connection that cannot be taken must not end the process.
  server.on('error', () => {});
  const named = host.includes(':') ? `[${host}]` : host;
  return {
    server,
    url: `http://${named}:${server.address().port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

module.exports = { pathOf, serve };
