// Uploads hashed beside Next.js:
//   npm install && npx next build && npx next start
//   curl --data-binary @photo.jpg localhost:3000/api/sha256

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { WorkerPool } from 'sloppy-workers';

const BUSY = ['SLOPPY_E_WORK_QUEUE_FULL', 'SLOPPY_E_WORK_JOB_TIMEOUT'];

// One for the process: routes are bundles of their own, and `next dev` loads
// this file anew with each change. It ends with the process, which Next ends.
globalThis.uploadPool ??= WorkerPool.create('uploads', {
  // A path, because Next takes `new URL` for a picture or the like.
  module: join(process.cwd(), 'lib/tasks.mjs'),
  workers: availableParallelism(),
  maxQueued: Number(process.env.QUEUED ?? 32),
});

export async function POST(request) {
  const bytes = await request.arrayBuffer();
  try {
    const sha256 = await globalThis.uploadPool.tasks.sha256(bytes, {
      transfer: [bytes],
      signal: request.signal,
      timeoutMs: 10_000,
    });
    return Response.json({ sha256 });
  } catch (error) {
    if (request.signal.aborted) return new Response(null, { status: 499 });
    if (!BUSY.includes(error.code)) throw error;
    const headers = { 'Retry-After': '1' };
    return Response.json({ error: error.code }, { status: 503, headers });
  }
}
