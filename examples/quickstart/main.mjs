// The shortest useful program: node examples/quickstart/main.mjs

import { WorkerPool } from 'sloppy-workers';

const pool = WorkerPool.create('primes', { workers: 2, memoryLimitMb: 64 });

function countPrimes({ input }) {
  let count = 0;
  for (let n = input.from; n < input.to; n += 1) {
    let d = 2;
    while (d * d <= n && n % d !== 0) d += 1;
    if (n > 1 && d * d > n) count += 1;
  }
  return count;
}

const counts = await Promise.all(
  [0, 1, 2, 3].map((i) =>
    pool.run(countPrimes, {
      input: { from: i * 50_000, to: (i + 1) * 50_000 },
      timeoutMs: 60_000,
    }),
  ),
);
console.log('primes in each 50 000 numbers:', counts);

// An endless loop costs its own job, not the thread it runs on.
try {
  await pool.run(
    () => {
      for (;;);
    },
    { timeoutMs: 100 },
  );
} catch (error) {
  console.log(error.message);
}

await pool.stop();
console.log('ok');
