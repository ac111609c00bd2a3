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
    const { cause = error } = error;
    if (/never settle/.test(cause.message)) return ['never'];
    if (/not callable|no export/.test(error.message))
      return ['error', 'no export'];
    return ['error', cause.code ?? cause.name];
  } finally {
    await pool.stop();
  }
}

for (const [i, entry] of entries.entries()) {
  writeSync(1, `${i} begins\n`);
  writeSync(1, `${i} ${JSON.stringify(await outcomeOf(entry))}\n`);
}
