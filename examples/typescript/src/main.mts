import { SloppyWorkerError, WorkerPool } from 'sloppy-workers';
import type { Reading } from './tasks.mjs';

// The module's type gives `tasks` its functions, inputs and results.
const pool = WorkerPool.create<typeof import('./tasks.mjs')>('readings', {
  module: new URL('./tasks.mjs', import.meta.url),
});

const reading: Reading = { sensor: 'roof', values: [2, 4, 4, 4, 5, 5, 7, 9] };
const { sensor, mean, deviation } = await pool.tasks.summarize(reading);
console.log(`${sensor}: ${mean} ± ${deviation}`);

// An inline function is typed by its parameter and its result.
const length: number = await pool.run(
  ({ input }: { input: string }) => input.length,
  { input: 'types' },
);
console.log(length);

try {
  await pool.run(() => {
    throw new RangeError('too hot');
  });
} catch (error) {
  if (!(error instanceof SloppyWorkerError)) throw error;
  if (error.code === 'SLOPPY_E_WORK_JOB_FAILED') console.log(error.cause);
}
await pool.stop();
