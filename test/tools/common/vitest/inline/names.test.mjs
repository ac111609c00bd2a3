import * as all from 'sloppy-workers';
import byDefault, { SloppyWorkerError, WorkerPool } from 'sloppy-workers';
import * as time from 'sloppy-workers/time';
import * as workers from 'sloppy-workers/workers';
import { expect, test } from 'vitest';

test('each name has its value', () => {
  for (const names of [all, workers, time]) {
    expect(Object.values(names)).not.toContain(undefined);
  }
  expect(all.WorkerPool).toBe(WorkerPool);
  expect(byDefault.WorkerPool).toBe(WorkerPool);
  expect(workers.WorkerPool).toBe(WorkerPool);
});

test('a pool runs, and its errors are ours', async () => {
  const pool = WorkerPool.create('inlined');
  expect(await pool.run(({ input }) => input + 1, { input: 1 })).toBe(2);
  await pool.stop();
  const refused = pool.run(() => 1);
  await expect(refused).rejects.toBeInstanceOf(SloppyWorkerError);
});
