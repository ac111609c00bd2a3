// A caller that awaits the end of a pool gets it, whatever the workers still
// answer in the meantime: an idle worker holds no process, one that ends does.
// Else this process would end with exit code 13.
import { fileURLToPath } from 'node:url';

import { WorkerPool } from '../../lib/adapters/message-pool.mjs';

const worker = fileURLToPath(
  new URL('../js/adapters/fixtures/square-worker.cjs', import.meta.url),
);

for (const runtime of ['isolate', 'thread']) {
  for (let round = 0; round < 20; round++) {
    const pool = new WorkerPool(1, worker, {}, { runtime });
    await pool.submit(2);
    if (round % 2 === 0) pool.submit(round);
    await pool.terminate();
  }
}
console.log('pass');
