// The main job, on real input: work that does not belong on the main thread,
// done there first and then in a WorkerPool, with the same functions.
//   npm run demo

import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { WorkerPool } from 'sloppy-workers';
import { loadDocuments, loadPostalCodes } from './data.mjs';
import { runInPool, runOnMainThread } from './measure.mjs';
import { compare, conclude, heading, say, sayCount } from './report.mjs';
import { archiveFiles, indexDocuments, nearestAirports } from './tasks.mjs';
import {
  mergeArchives,
  mergeIndexes,
  mergeStates,
  tellArchive,
  tellIndex,
  tellStates,
} from './totals.mjs';
import { tryBadJobs } from './trouble.mjs';

const workers = availableParallelism();
const pool = WorkerPool.create('demo', {
  workers,
  maxQueued: 64,
  overflow: 'backpressure',
});

async function bothWays({ task, inputs, merge, tell }) {
  const here = await runOnMainThread(task, inputs);
  // The workers have not seen this code: each compiles it and what it imports.
  const first = await runInPool(pool, task, inputs, 'first');
  const second = await runInPool(pool, task, inputs, 'second');
  const result = merge(here.results);
  assert.deepStrictEqual(merge(first.results), result);
  assert.deepStrictEqual(first.results, here.results);
  assert.deepStrictEqual(second.results, here.results);
  say('The results of both ways are equal.');
  compare(here, first, second);
  tell(result);
  conclude(here, first, second, workers);
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

heading('3. An archive: hash and compress the same files, by node: modules');
const files = documents.inputs.map(({ documents: list }) => ({ files: list }));
say('SHA-256 and gzip of each file, with node:crypto and node:zlib.');
await bothWays({
  task: archiveFiles,
  inputs: files,
  merge: mergeArchives,
  tell: tellArchive,
});

heading('4. Jobs that misbehave, in the same pool');
await tryBadJobs(pool);

await pool.stop();
const { completed, failed, timedOut } = pool.state.queue.stats;
say(`\nJobs: ${completed} completed, ${failed} failed, ${timedOut} timed out.`);
console.log('ok');
