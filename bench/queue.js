/**
 * The cost of one job on a queue that holds 10, 1 000, 100 000 or 200 000 of
 * them: submit all, run all one at a time, await all.
 *
 *     npm install --prefix bench && node bench/queue.js
 *
 * Prints one JSON line for each queue and depth: the median of the rounds, in
 * nanoseconds per job. WorkQueue copies each payload; its peers do not. "promises
 * only" is what the jobs' promises cost without a queue: an array of them,
 * settled in order.
 */

const { fork } = require('node:child_process');

const { WorkQueue } = require('../lib/pool/work-queue.js');

const DEPTHS = [10, 1_000, 100_000, 200_000];
const JOBS_PER_DEPTH = 1_000_000;
const MIN_ROUNDS = 7;

const payloadOf = (n) => ({ id: n, name: 'resize', width: 640 });
const work = ({ width }) => width;

function promisesOnly() {
  const jobs = [];
  const settleAll = async () => {
    for (const { payload, resolve } of jobs) resolve(await work(payload));
  };
  return (payload) => {
    if (jobs.length === 0) queueMicrotask(settleAll);
    return new Promise((resolve) => jobs.push({ payload, resolve }));
  };
}

/** Each makes an empty queue and returns its `submit(payload)`. */
const SUBJECTS = {
  'sloppy-workers': async () => {
    const queue = WorkQueue.create('bench', { maxQueued: Math.max(...DEPTHS) });
    queue.process((job) => work(job.data));
    return (payload) => queue.enqueue(payload);
  },
  fastq: async () => {
    const fastq = require('fastq');
    const queue = fastq.promise(async (payload) => work(payload), 1);
    return (payload) => queue.push(payload);
  },
  'p-queue': async () => {
    const { default: PQueue } = await import('p-queue');
    const queue = new PQueue({ concurrency: 1 });
    return (payload) => queue.add(() => work(payload));
  },
  'promises only': async () => promisesOnly(),
};

async function measureRound(submit, depth) {
  const results = new Array(depth);
  const begin = process.hrtime.bigint();
  for (let n = 0; n < depth; n += 1) results[n] = submit(payloadOf(n));
  await Promise.all(results);
  return Number(process.hrtime.bigint() - begin) / depth;
}

async function measure(name, depth) {
  const rounds = Math.max(MIN_ROUNDS, JOBS_PER_DEPTH / depth);
  const samples = [];
  for (let round = 0; round < rounds; round += 1) {
    samples.push(await measureRound(await SUBJECTS[name](), depth));
  }
  samples.sort((a, b) => a - b);
  return {
    queue: name,
    depth,
    nsPerJob: Math.round(samples[samples.length >> 1]),
    rounds: samples.length,
    node: process.version,
  };
}

/** A process for each figure: no queue inherits another's heap or feedback. */
function measureApart(name, depth) {
  return new Promise((resolve, reject) => {
    const child = fork(__filename, [name, String(depth)]);
    child.once('message', resolve);
    child.once('exit', () => reject(new Error(`${name} sent no figure`)));
  });
}

async function main([name, depth]) {
  if (name !== undefined) {
    process.send(await measure(name, Number(depth)));
    process.disconnect();
    return;
  }
  for (const depth of DEPTHS) {
    for (const subject of Object.keys(SUBJECTS)) {
      console.log(JSON.stringify(await measureApart(subject, depth)));
    }
  }
}

main(process.argv.slice(2));
