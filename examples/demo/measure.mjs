// The same jobs two ways, with the event loop of the main thread watched.

import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { startProgress } from './report.mjs';

/** @returns what `run` gives, its time, and how late the loop was meanwhile */
async function measured(label, total, run) {
  const progress = startProgress(label, total);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await nextTurn();
  delay.reset();
  const started = performance.now();
  const results = await run(progress.step);
  const ms = performance.now() - started;
  // The last block is only recorded when the loop turns again.
  await nextTurn();
  await nextTurn();
  delay.disable();
  progress.end(ms);
  const [longestMs, medianMs] = [delay.max / 1e6, delay.percentile(50) / 1e6];
  return { results, ms, longestMs, medianMs };
}

/** One job after the other, and between two of them the loop gets its turn. */
export function runOnMainThread(task, inputs) {
  return measured('main thread', inputs.length, async (step) => {
    const results = [];
    for (const input of inputs) {
      results.push(await task({ input }));
      step();
      await nextTurn();
    }
    return results;
  });
}

/** All at once: the pool queues them, and its overflow option slows us. */
export function runInPool(pool, task, inputs, pass) {
  return measured(`worker pool, ${pass} pass`, inputs.length, (step) =>
    Promise.all(
      inputs.map(async (input) => {
        const result = await pool.run(task, { input });
        step();
        return result;
      }),
    ),
  );
}
