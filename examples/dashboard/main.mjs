// An HTTP server with a live page of its pool at /workers. Run by itself it
// asks its own server for work, looks at the page once, and ends:
//   node examples/dashboard/main.mjs
// Leave it running and open the address in a browser:
//   node examples/dashboard/main.mjs --stay

import assert from 'node:assert';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { WorkerPool } from 'sloppy-workers';
import { createDashboard } from 'sloppy-workers/dashboard';

const stay = process.argv.includes('--stay');
const pool = WorkerPool.create('primes', { workers: 2, metrics: true });
// Behind the same login as the rest of your site, or on a port of its own.
const dashboard = createDashboard({
  pools: [pool],
  path: '/workers',
  interval: 200,
});

function countPrimes({ input }) {
  let count = 0;
  for (let n = 2; n < input; n += 1) {
    let d = 2;
    while (d * d <= n && n % d !== 0) d += 1;
    if (d * d > n) count += 1;
  }
  return count;
}

const server = createServer(async (request, response) => {
  if (dashboard(request, response)) return;
  const limit = Number(new URL(request.url, 'http://x').searchParams.get('n'));
  try {
    const input = Math.min(limit, 200_000);
    response.end(String(await pool.run(countPrimes, { input })));
  } catch (error) {
    response.writeHead(503).end(error.code);
  }
});
server.listen(stay ? 8080 : 0, '127.0.0.1');
await once(server, 'listening');
const origin = `http://127.0.0.1:${server.address().port}`;
console.log(`open ${origin}/workers`);

async function askForWork() {
  const limits = Array.from({ length: 20 }, (_, i) => 10_000 + i * 2_000);
  const answers = await Promise.all(
    limits.map(async (n) => (await fetch(`${origin}/?n=${n}`)).text()),
  );
  assert.strictEqual(answers[0], '1229');
}

if (stay) {
  setInterval(() => askForWork(), 300);
} else {
  const page = await fetch(`${origin}/workers`);
  assert.match(await page.text(), /<title>sloppy-workers<\/title>/);
  await askForWork();
  const { counters, histograms } = pool.metrics();
  console.log(
    `${counters.completed} jobs, p50 ${histograms.totalMs.p50.toFixed(1)} ms, ` +
      `p99 ${histograms.totalMs.p99.toFixed(1)} ms`,
  );
  assert.strictEqual(counters.completed, 20);
  dashboard.close();
  server.closeAllConnections();
  server.close();
  await pool.stop();
  console.log('ok');
}
