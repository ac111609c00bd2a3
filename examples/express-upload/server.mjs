// Uploads hashed beside Express:  npm install express@5 sloppy-workers
//   PORT=3000 node server.mjs
//   curl --data-binary @photo.jpg -H 'content-type: image/jpeg' localhost:3000/sha256

import { availableParallelism } from 'node:os';
import express from 'express';
import { WorkerPool } from 'sloppy-workers';

const { PORT = 3000, QUEUED = 32 } = process.env;
const BUSY = ['SLOPPY_E_WORK_QUEUE_FULL', 'SLOPPY_E_WORK_JOB_TIMEOUT'];

// One for the process, because all pools share its cores.
const pool = WorkerPool.create('uploads', {
  module: new URL('./tasks.mjs', import.meta.url),
  workers: availableParallelism(),
  maxQueued: Number(QUEUED),
});
const app = express();
app.use(express.raw({ type: () => true, limit: '50mb' }));

app.post('/sha256', async ({ body = Buffer.alloc(0) }, response) => {
  const client = new AbortController();
  response.once('close', () => client.abort());
  const sha256 = await pool.tasks.sha256(body, {
    transfer: [body.buffer],
    signal: client.signal,
    timeoutMs: 10_000,
  });
  response.json({ sha256 });
});
app.use((error, _request, response, next) => {
  if (response.closed) return; // Nobody waits for an answer.
  if (!BUSY.includes(error.code)) return next(error);
  response.set('Retry-After', '1').status(503).json({ error: error.code });
});

const server = app.listen(Number(PORT), () => {
  console.log(`http://localhost:${server.address().port}`);
});
process.once('SIGTERM', () => server.close(() => pool.stop()));
