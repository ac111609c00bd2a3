// usage: node in-isolates.mjs <entry file> …   What workers make of each graph:
// a line each, with its number first.
import { writeSync } from 'node:fs';

import { WorkerPool } from '../../lib/index.mjs';

const entries = process.argv.slice(2);

async function outcomeOf(entry) {
  const pool = WorkerPool.create('graphs', { module: entry, workers: 1 });
  try {
    return ['value', await pool.invoke('f')];
  } catch (error) {
    if (/not callable|no export/.test(error.message))
      return ['error', 'no export'];
    const cause = 'cause' in error ? error.cause : error;
    if (/never settle/.test(cause?.message)) return ['never'];
    if (cause === null || typeof cause !== 'object')
      return ['error', String(cause)];
    return ['error', cause.code ?? cause.name];
  } finally {
    await pool.stop();
  }
}

for (const [i, entry] of entries.entries()) {
  writeSync(1, `${i} begins\n`);
  writeSync(1, `${i} ${JSON.stringify(await outcomeOf(entry))}\n`);
}
