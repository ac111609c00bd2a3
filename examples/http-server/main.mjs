// Two servers, plain http and Fastify, that answer small requests while others
// ask for much computing: once on the main thread and once in a pool.
//   node examples/http-server/main.mjs

import assert from 'node:assert';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fastify } from 'fastify';
import { WorkerPool } from 'sloppy-workers';
import { measure } from './load.mjs';
import { countPrimes } from './primes.mjs';

// A full queue is an answer of its own, 503, and not a slow one.
const pool = WorkerPool.create('primes', { workers: 1, maxQueued: 100 });
const ways = {
  'on the main thread': async (input) => countPrimes({ input }),
  'in a pool': (input) => pool.run(countPrimes, { input, timeoutMs: 20_000 }),
};
const LIMIT = 150_000;

/** Starts listening on a free port and says how to stop. */
async function listenPlain(compute) {
  const server = createServer(async (request, response) => {
    if (request.url !== '/primes') return response.end('pong');
    try {
      response.end(String(await compute(LIMIT)));
    } catch (error) {
      const full = error.code === 'SLOPPY_E_WORK_QUEUE_FULL';
      response.writeHead(full ? 503 : 500).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${server.address().port}`;
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { url, close };
}

async function listenFastify(compute) {
  const app = fastify({ forceCloseConnections: true });
  app.get('/ping', async () => 'pong');
  app.get('/primes', async () => String(await compute(LIMIT)));
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return { url, close: () => app.close() };
}

for (const [name, listen] of [
  ['http', listenPlain],
  ['Fastify', listenFastify],
]) {
  for (const [way, compute] of Object.entries(ways)) {
    const { url, close } = await listen(compute);
    const { answers, pings, p50, p99 } = await measure(url);
    await close();
    console.log(
      `${name}, primes ${way}: ${pings} small requests meanwhile, ` +
        `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
    );
    assert.deepStrictEqual(new Set(answers), new Set(['13848']));
  }
}
await pool.stop();
console.log('ok');
