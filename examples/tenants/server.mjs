// The server: `GET /report` of the tenant that the header `x-tenant` names.
// The header stands for your authentication: a key that callers may choose
// would give each of them as many turns as it has names.

import { once } from 'node:events';
import { createServer } from 'node:http';
import { WorkerPool } from 'sloppy-workers';
import { report } from './report.mjs';

export const ORDERS = 250_000;
const WORKERS = 2;
const MAX_QUEUED = 1000;
const MAX_QUEUED_PER_KEY = 20;
const FULL = 'SLOPPY_E_WORK_QUEUE_FULL';

/** The answer for a job that did not end well. */
function refusalOf(error, pool) {
  if (error.code !== FULL) return [500];
  // A full queue is nobody's fault; a tenant's own share of it is its own.
  const isOwn = pool.state.queue.queued < MAX_QUEUED;
  return [isOwn ? 429 : 503, { 'retry-after': '1' }];
}

/**
 * @param {boolean} isFair whether tenants take turns
 * @returns {Promise<object>} `url`, `usage` by tenant, and `close()`
 */
export async function startServer(isFair) {
  const pool = WorkerPool.create('reports', {
    workers: WORKERS,
    maxQueued: MAX_QUEUED,
    // A tenant may have all workers while no other wants one, and one job more
    // for each, so that no worker waits for the next.
    maxPerKey: 2 * WORKERS,
    maxQueuedPerKey: MAX_QUEUED_PER_KEY,
  });

  // Waits and lengths of each tenant's jobs, as a bill would need them.
  const usage = new Map();
  const note = (tenant, { queueMs, runMs }) => {
    if (!usage.has(tenant)) usage.set(tenant, []);
    usage.get(tenant).push({ queueMs, runMs });
  };

  const server = createServer(async (request, response) => {
    const tenant = request.headers['x-tenant'];
    if (tenant === undefined) return response.writeHead(401).end();
    // The work of a client that has gone is no use to anybody.
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    try {
      const summary = await pool.run(report, {
        key: isFair ? tenant : undefined,
        input: { tenant, orders: ORDERS },
        signal: gone.signal,
        receipt: (receipt) => note(tenant, receipt),
      });
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(summary));
    } catch (error) {
      response.writeHead(...refusalOf(error, pool)).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${server.address().port}/report`,
    usage,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      // Receipts come before the pool has stopped.
      await pool.stop();
    },
  };
}
