'use strict';

const { jobs } = require('../jobs.js');
const { library } = require('../lib/library.js');
const { quantile } = require('../lib/stats.js');

const WORKERS = 2;
const JOB_US = 1000;
const FLOOD = { full: 10_000, quick: 200 };
const SMALL_TENANTS = 9;
const EVERY_MS = 50;
const SAMPLE = 2_000_000;

function stepsPerUs() {
  jobs.spin(SAMPLE);
  const begin = process.cpuUsage().user;
  jobs.spin(SAMPLE);
  return SAMPLE / (process.cpuUsage().user - begin);
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The wait of the small tenants' jobs, while a large one has thousands. */
async function measure(pool, steps, keyOf, count) {
  let isOver = false;
  const lengths = [];
  const waits = [];
  const submit = (key, into) =>
    pool.run(jobs.spinInput, {
      input: steps,
      key,
      receipt: ({ queueMs, runMs }) => {
        lengths.push(runMs);
        into?.push(queueMs);
      },
    });
  const flood = Promise.all(
    Array.from({ length: count }, () => submit(keyOf('large'))),
  ).then(() => {
    isOver = true;
  });
  const small = async (n) => {
    await sleep((EVERY_MS * n) / SMALL_TENANTS);
    while (!isOver) {
      submit(keyOf(`small ${n}`), waits);
      await sleep(EVERY_MS);
    }
  };
  await Promise.all(Array.from({ length: SMALL_TENANTS }, (_, n) => small(n)));
  await flood;
  await pool.drain();
  // The receipt of a job comes after its promise.
  await sleep(1);
  const length = quantile(lengths, 0.5);
  return {
    p99: quantile(waits, 0.99) / length,
    median: quantile(waits, 0.5) / length,
  };
}

const subjectOf =
  (keyOf) =>
  async ({ quick }) => {
    const pool = library.WorkerPool.create('tenants', {
      workers: WORKERS,
      maxQueued: 2 * FLOOD.full,
      // The large tenant may have both workers while nobody else wants one.
      maxPerKey: WORKERS,
    });
    const steps = Math.round(stepsPerUs() * JOB_US);
    const count = quick ? FLOOD.quick : FLOOD.full;
    await measure(pool, steps, keyOf, 200);
    return {
      round: () => measure(pool, steps, keyOf, count),
      close: () => pool.stop({ drain: false }),
    };
  };

module.exports = {
  title:
    'Nine tenants with a job of 1 ms every 50 ms, beside one with 10 000: wait of their jobs, in lengths of a job',
  maxRounds: 3,
  lines: {
    p99: {
      title: '99th percentile',
      unit: '',
      better: 'lower',
      goals: [{ limit: 3 }],
    },
    median: { title: 'median', unit: '', better: 'lower' },
  },
  subjects: {
    'sloppy-workers': subjectOf((key) => key),
    'sloppy-workers, without keys': subjectOf(() => undefined),
  },
};
