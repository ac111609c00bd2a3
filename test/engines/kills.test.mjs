// kill -9 of worker processes: nothing is lost, and no more runs twice than
// was in flight.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  childrenOf,
  engine,
  folder,
  killed,
  pause,
  places,
  queueName,
  readLedger,
  startWorker,
  until,
} from './lib/harness.mjs';

const KILLS = Number(process.env.ENGINES_KILLS ?? 8);
const JOBS = KILLS * 10;
const CONCURRENCY = 2;
const PROCESSES = 2;

for (const [name, where] of places()) {
  test(`${name}: ${KILLS} kills`, async (t) => {
    const queue = engine(name, where).Queue(queueName('kills'));
    queue.on('error', () => {});
    const ledger = join(folder, `${queue.name}.ledger`);
    await queue.addBulk(
      Array.from({ length: JOBS }, (_, value) => ({
        name: 'job',
        data: { kind: 'spin', ms: 40, value },
      })),
    );
    const options = { engine: name, where, name: queue.name, ledger };
    const start = () =>
      startWorker({ ...options, concurrency: CONCURRENCY, lockDuration: 1000 });
    const workers = Array.from({ length: PROCESSES }, start);
    const orphans = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const at = kill % PROCESSES;
      const victim = workers[at];
      // A worker has no first job when none is left.
      await Promise.race([victim.up.catch(() => {}), pause(5000)]);
      await pause(50 + Math.random() * 100);
      const children = childrenOf(victim.pid);
      await killed(victim);
      orphans.push(...children);
      workers[at] = start();
    }
    const done = async () => (await queue.getJobCounts('completed')).completed;
    await until(async () => (await done()) >= JOBS, `${JOBS} jobs of ${name}`);
    for (const worker of workers) await killed(worker);
    const lines = readLedger(ledger);
    const starts = lines.filter((line) => line.startsWith('s'));
    const ends = lines.filter((line) => line.startsWith('e'));
    const counts = await queue.getJobCounts('completed', 'failed', 'active');
    assert.deepEqual(counts, { active: 0, completed: JOBS, failed: 0 });
    const lost = JOBS - new Set(ends).size;
    assert.equal(lost, 0, 'every job has had its effect');
    assert.ok(
      starts.length <= JOBS + KILLS * CONCURRENCY,
      `${starts.length - JOBS} of ${JOBS} began again after ${KILLS} kills`,
    );
    assert.deepEqual(orphans, [], 'a worker has no processes to leave behind');
    t.diagnostic(
      `${lost} of ${JOBS} lost in ${KILLS} kills, began again ` +
        `${starts.length - JOBS}, effects twice ${ends.length - JOBS}`,
    );
    await queue.obliterate({ force: true });
    await queue.close();
  });
}
