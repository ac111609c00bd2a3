// The main job, on real input: work that does not belong on the main thread,
// done there first and then in a WorkerPool, with the same functions.
//   npm run demo

import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { WorkerPool } from 'sloppy-workers';
import { loadDocuments, loadPostalCodes } from './data.mjs';
import { runInPool, runOnMainThread } from './measure.mjs';
import { compare, heading, say, sayCount } from './report.mjs';
import { indexDocuments, nearestAirports } from './tasks.mjs';
import { mergeIndexes, mergeStates, tellIndex, tellStates } from './totals.mjs';
import { tryBadJobs } from './trouble.mjs';

const workers = availableParallelism();
const pool = WorkerPool.create('demo', {
  workers,
  maxQueued: 64,
  overflow: 'backpressure',
});

async function bothWays({ task, inputs, merge, tell }) {
  const here = await runOnMainThread(task, inputs);
  const there = await runInPool(pool, task, inputs);
  const result = merge(here.results);
  assert.deepStrictEqual(merge(there.results), result);
  assert.deepStrictEqual(there.results, here.results);
  say('The results of both ways are equal.');
  compare(here, there, workers);
  tell(result);
}

say(`Node ${process.version}, ${sayCount(workers, 'worker')}`);

heading('1. A CSV file: the airport nearest to every US postal code');
const postal = await loadPostalCodes();
say(
  `${postal.rows} rows of zipcodes.csv against ${postal.airports} airports, ` +
    `in ${sayCount(postal.inputs.length, 'job')}; each job parses its rows, ` +
    'computes every distance and adds up by state.',
);
await bothWays({
  task: nearestAirports,
  inputs: postal.inputs,
  merge: mergeStates,
  tell: tellStates,
});

heading('2. Documents: render, index and fingerprint what npm installed');
const documents = await loadDocuments();
say(
  `${documents.count} files of node_modules (${documents.megabytes} MB), in ` +
    `${sayCount(documents.inputs.length, 'job')}; Markdown is rendered to ` +
    'HTML, then all words are counted and every text is hashed.',
);
await bothWays({
  task: indexDocuments,
  inputs: documents.inputs,
  merge: mergeIndexes,
  tell: tellIndex,
});

heading('3. Jobs that misbehave, in the same pool');
await tryBadJobs(pool);

await pool.stop();
const { completed, failed, timedOut } = pool.state.queue.stats;
say(`\nJobs: ${completed} completed, ${failed} failed, ${timedOut} timed out.`);
console.log('ok');
