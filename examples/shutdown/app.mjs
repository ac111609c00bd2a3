// Finishes what was admitted, refuses what comes later, then cleans up.

import { Sloppy, WorkerPool } from 'sloppy-workers';

const app = Sloppy.create({ signals: ['SIGTERM', 'SIGINT'] });
const jobs = [];

// Shutdown goes backwards through what was registered. So this comes last.
app.onShutdown(
  async () => {
    const ends = await Promise.allSettled(jobs);
    const done = ends.filter(({ status }) => status === 'fulfilled').length;
    console.log(`finished ${done} of ${jobs.length} jobs`);
    await pool
      .run(() => 'too late')
      .catch(({ code }) => console.log(`a late one: ${code}`));
    console.log('closed the database');
  },
  { name: 'database' },
);
const pool = app.use(WorkerPool.create('jobs', { workers: 2 }));
app.onShutdown(() => console.log('no new requests from here on'), {
  name: 'server',
});

const sumOfRests = ({ input }) => {
  let sum = 0;
  for (let i = 0; i < 1e6; i += 1) sum += i % input;
  return sum;
};
for (let n = 1; n <= 10; n += 1) jobs.push(pool.run(sumOfRests, { input: n }));
console.log('working');
