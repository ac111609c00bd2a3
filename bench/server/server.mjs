// A Fastify server with a page that takes CPU time and a route that takes none,
// as a process of its own: `node server.mjs <kind>`. Tells its port, and on
// request its memory, to the process that has started it.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

import Fastify from 'fastify';

const require = createRequire(import.meta.url);
const RENDERER = fileURLToPath(new URL('./render.mjs', import.meta.url));
const WORKERS = 2;
// Pages that may wait: some tenths of a second.
const MAX_QUEUED = 32;
const ROWS = Number(process.env.ROWS ?? 1500);

const renderers = {
  'sloppy-workers'() {
    const { library } = require('../lib/library.js');
    const pool = library.WorkerPool.create('pages', {
      workers: WORKERS,
      minWorkers: WORKERS,
      maxQueued: MAX_QUEUED,
      module: RENDERER,
    });
    return (count) => pool.invoke('render', count);
  },

  piscina() {
    const { Piscina } = require('piscina');
    const pool = new Piscina({
      filename: RENDERER,
      minThreads: WORKERS,
      maxThreads: WORKERS,
      maxQueue: MAX_QUEUED,
    });
    return (count) => pool.run(count);
  },

  async 'main thread'() {
    const { render } = await import(RENDERER);
    return async (count) => render(count);
  },
};

const REFUSED = /full|queue|limit/i;

const render = await renderers[process.argv[2]]();
const server = Fastify();
server.get('/ping', async () => ({ ok: true }));
server.get('/page', async (_, reply) => {
  try {
    return reply.type('text/html').send(await render(ROWS));
  } catch (error) {
    if (!REFUSED.test(`${error.code} ${error.message}`)) throw error;
    return reply.code(503).send({ refused: true });
  }
});
await server.listen({ port: 0, host: '127.0.0.1' });

// Proportional set size.
function memoryKb() {
  const text = readFileSync('/proc/self/smaps_rollup', 'utf8');
  return Number(/^Pss:\s+(\d+)/m.exec(text)[1]);
}

process.on('message', () => process.send({ kb: memoryKb() }));
process.once('disconnect', () => process.exit());
process.send({ port: server.server.address().port });
