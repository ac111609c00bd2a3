// Uploads hashed beside Fastify:  npm install fastify@5 sloppy-workers
//   PORT=3000 node server.mjs
//   curl --data-binary @photo.jpg -H 'content-type: image/jpeg' localhost:3000/sha256

import { availableParallelism } from 'node:os';
import { fastify } from 'fastify';
import { WorkerPool } from 'sloppy-workers';

const { PORT = 3000, QUEUED = 32 } = process.env;
const BUSY = ['SLOPPY_E_WORK_QUEUE_FULL', 'SLOPPY_E_WORK_JOB_TIMEOUT'];

const app = fastify({ bodyLimit: 50_000_000 });
// One for the process, because all pools share its cores.
const pool = WorkerPool.create('uploads', {
  module: new URL('./tasks.mjs', import.meta.url),
  workers: availableParallelism(),
  maxQueued: Number(QUEUED),
});
app.addHook('onClose', () => pool.stop()); // After the last answer.
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_, body) => body);

app.post('/sha256', async ({ body }, reply) => {
  const client = new AbortController();
  reply.raw.once('close', () => client.abort());
  const bytes = body ?? Buffer.alloc(0);
  const sha256 = await pool.tasks.sha256(bytes, {
    transfer: [bytes.buffer],
    signal: client.signal,
    timeoutMs: 10_000,
  });
  return { sha256 };
});
app.setErrorHandler((error, _request, reply) => {
  if (!BUSY.includes(error.code)) throw error;
  return reply.code(503).header('retry-after', 1).send({ error: error.code });
});

console.log(await app.listen({ port: Number(PORT) }));
process.once('SIGTERM', () => app.close());
