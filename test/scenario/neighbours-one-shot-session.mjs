// expect: exit 0
// Sessions without a pool, and with a transient one, need no clean-up.

import {
  TransientWorkerPool,
  WorkerSession,
} from '../../lib/adapters/pools.mjs';

const workerURL = new URL(
  '../js/adapters/fixtures/numbered-worker.mjs',
  import.meta.url,
);
for (const workerPool of [undefined, new TransientWorkerPool()]) {
  const session = await WorkerSession.create({ workerURL, workerPool });
  const worker = session.getWorker();
  const answer = new Promise((resolve) => worker.once('message', resolve));
  worker.postMessage({ id: session.getNextRequestId() });
  await answer;
  session[Symbol.dispose]();
}
console.log('pass');
