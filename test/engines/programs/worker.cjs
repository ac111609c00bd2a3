'use strict';
// A worker process: node worker.cjs '<json>'. It says `up` to its parent when
// it begins its first job, and ends at SIGTERM. Begins and ends of jobs are
// lines of a ledger, which survives kill -9.

const fs = require('node:fs');
const path = require('node:path');

const { processor } = require('../../../lib/adapters/bullmq.js');
const { engine } = require('../lib/engines.cjs');

const options = JSON.parse(process.argv[2]);
const { ledger, name, graceMs = 1000 } = options;
const note = (line) => ledger && fs.appendFileSync(ledger, `${line}\n`);

const run = processor(path.join(__dirname, 'job.cjs'), {
  workers: options.concurrency,
  runtime: options.runtime,
});
let isUp = false;

async function noted(job, token, signal) {
  if (!isUp) process.send?.('up');
  isUp = true;
  note(`s ${job.id}`);
  const result = await run(job, token, signal);
  note(`e ${job.id}`);
  return result;
}

const { Worker } = engine(options.engine, options.where);
const worker = run.attach(
  Worker(name, noted, {
    concurrency: options.concurrency,
    lockDuration: options.lockDuration,
    stalledInterval: options.stalledInterval ?? 500,
    maxStalledCount: options.maxStalledCount ?? 50,
    runRetryDelay: 200,
    drainDelay: 1,
  }),
);
worker.on('error', () => {});
worker.on('ready', () => process.send?.('ready'));
process.once('SIGTERM', async () => {
  await run.stop({ timeoutMs: graceMs });
  process.disconnect?.();
});
