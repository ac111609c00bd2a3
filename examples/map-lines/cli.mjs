// Lines of a file, parsed on all cores, in order:  npm install sloppy-workers
//   node cli.mjs access.log > access.ndjson
// The same without a program, with checkpoints and dead letters:
//   npx sloppy-workers map ./tasks.mjs#parseLine access.log --format lines

import { open } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { pipeline } from 'node:stream/promises';
import { WorkerPool } from 'sloppy-workers';

/** Many lines at once, because a single one is sooner parsed than sent. */
async function* readBatches(file, size = 1000) {
  let batch = [];
  for await (const line of (await open(file)).readLines()) {
    batch.push(line);
    if (batch.length === size) {
      yield batch;
      batch = [];
    }
  }
  yield batch;
}

const pool = WorkerPool.create('lines', {
  module: new URL('./tasks.mjs', import.meta.url),
  workers: availableParallelism(),
});
try {
  // A slow reader of stdout slows down the reading of the file.
  const texts = pool.map(readBatches(process.argv[2]), 'parseLines');
  await pipeline(texts, process.stdout);
} catch (error) {
  // A reader such as `head` has what it wants.
  if (error.code !== 'EPIPE') {
    console.error(error.message);
    process.exitCode = 1;
  }
} finally {
  await pool.stop();
}
