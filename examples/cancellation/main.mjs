// Three ways for a caller to lose interest, and what the job sees of it:
//   node examples/cancellation/main.mjs

import { WorkerCancellationController, WorkerPool } from 'sloppy-workers';

// A cancelled job has this long to end by itself before it is terminated.
const pool = WorkerPool.create('searches', { workers: 1, cancelGraceMs: 200 });

// Looks at its signal, reports how far it is, and gives up when told to.
function search({ signal, emit }) {
  let n = 0;
  emit({ started: true });
  while (!signal.cancelled) n = (n + 1) % 1_000_003;
  return n;
}

function stubborn({ emit }) {
  emit({ started: true });
  for (;;);
}

async function tell(title, promise) {
  try {
    await promise;
    throw new Error(`${title}: ended, but nobody can have ended it`);
  } catch (error) {
    if (error.code === undefined) throw error;
    console.log(`${title}: ${error.message}`);
  }
}

// 1. A signal: an AbortSignal works just as well.
const controller = new WorkerCancellationController();
await tell(
  'cancelled by its caller',
  pool.run(search, {
    signal: controller.signal,
    onMessage: ({ started }) => started && controller.cancel('changed my mind'),
  }),
);

// 2. A time limit, counted from the call.
await tell('out of time', pool.run(search, { timeoutMs: 50 }));

// 3. Code that looks at nothing is terminated when its grace is over.
const abort = new AbortController();
await tell(
  'terminated',
  pool.run(stubborn, {
    signal: abort.signal,
    onMessage: () => abort.abort(),
  }),
);

console.log('and the next job:', await pool.run(() => 'runs'));
await pool.stop();
console.log('ok');
