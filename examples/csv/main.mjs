// A CSV file on all cores, read no faster than it is worked on:
//   node examples/csv/main.mjs [file.csv]

import assert from 'node:assert';
import { createReadStream } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { WorkerPool } from 'sloppy-workers';

// Without an argument: 42 049 postal codes of the USA.
const sample = new URL(
  '../data/zipcodes.csv',
  import.meta.resolve('vega-datasets'),
);
const file = process.argv[2] ?? fileURLToPath(sample);
const isSample = process.argv[2] === undefined;

/** Cuts a stream into pieces that end with a line; the first is the header. */
async function* linesInPieces(stream) {
  let header;
  let rest = '';
  for await (const chunk of stream) {
    const text = rest + chunk;
    const end = text.lastIndexOf('\n') + 1;
    rest = text.slice(end);
    const start = header === undefined ? text.indexOf('\n') + 1 : 0;
    header ??= text.slice(0, start);
    if (end > start) yield header + text.slice(start, end);
  }
  if (rest !== '') yield (header ?? '') + rest;
}

const pool = WorkerPool.create('csv', {
  workers: availableParallelism(),
  module: new URL('./count.mjs', import.meta.url),
});
const stream = createReadStream(file, {
  encoding: 'utf8',
  highWaterMark: 1 << 18,
});

// `map` keeps the order, and asks for the next piece when a worker is free.
const totals = new Map();
let rows = 0;
for await (const part of pool.map(linesInPieces(stream), 'countBy', {
  concurrency: availableParallelism() + 1,
})) {
  rows += part.rows;
  for (const [key, count] of part.counts) {
    totals.set(key, (totals.get(key) ?? 0) + count);
  }
}
await pool.stop();

const top = [...totals].sort(([, a], [, b]) => b - a).slice(0, 5);
console.log(
  `${rows} rows, ${totals.size} different values; the most frequent:`,
);
for (const [key, count] of top) console.log(`  ${key}: ${count}`);
if (isSample) {
  assert.strictEqual(rows, 42_049);
  assert.deepStrictEqual(top[0], ['TX', 2670]);
}
console.log('ok');
