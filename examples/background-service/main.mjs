// A service that runs beside everything else and gives its computing to a pool:
//   node examples/background-service/main.mjs

import assert from 'node:assert';
import { once } from 'node:events';
import { BackgroundService, Sloppy, Time, WorkerPool } from 'sloppy-workers';

const app = Sloppy.create();
const pool = app.use(WorkerPool.create('statistics'));
const latencies = [];
const reports = [];
const enough = new AbortController();

function summary({ input }) {
  const sorted = input.toSorted
    ? input.toSorted((a, b) => a - b)
    : [...input].sort((a, b) => a - b);
  const at = (share) => sorted[Math.floor(share * (sorted.length - 1))];
  return { count: sorted.length, median: at(0.5), p99: at(0.99) };
}

// Registered with the app: it is started here and stopped with it. Its signal
// is cancelled at shutdown, which also ends the wait.
const service = app.use(
  BackgroundService.create('reporter', async ({ signal }) => {
    while (!signal.cancelled) {
      reports.push(await pool.run(summary, { input: latencies.splice(0) }));
      if (reports.length === 3) enough.abort();
      await Time.delay(20, { signal });
    }
  }),
);

for (let i = 0; i < 1000; i += 1) latencies.push(i % 100);
await once(enough.signal, 'abort');

const { steps } = await app.shutdown();
console.log(reports[0]);
for (const { kind, name, outcome } of steps) {
  console.log(`stopped the ${kind} ${name}: ${outcome}`);
}
assert.deepStrictEqual(reports[0], { count: 1000, median: 49, p99: 98 });
assert.strictEqual(service.state, 'stopped');
assert.ok(steps.every(({ outcome }) => outcome === 'done'));
console.log('ok');
