'use strict';
// An addon that runs the event loop where it is called, as `deasync` does, may
// be called by what a delivery calls: by who listens to the ends of jobs. What
// the loop delivers then comes while rows of the first batch are waiting.

const { subscribe, unsubscribe } = require('node:diagnostics_channel');

let mockDeliver;

jest.mock('../../../../lib/addon/load.js', () => {
  const actual = jest.requireActual('../../../../lib/addon/load.js');
  const loadNative = () => {
    const native = actual.loadNative();
    return Object.create(native, {
      listen: {
        value: (deliver, ...more) => {
          mockDeliver = deliver;
          native.listen(deliver, ...more);
        },
      },
    });
  };
  return { ...actual, loadNative };
});

const { WorkerPool } = require('../../../../lib/pool/worker-pool.js');

const SETTLED = 'sloppy-workers:job:settled';
const JOBS = 300;

/** Calls it for each job that has ended, while others are being delivered. */
async function whileDelivering(act, body) {
  subscribe(SETTLED, act);
  try {
    return await body();
  } finally {
    unsubscribe(SETTLED, act);
  }
}

/** Lets answers gather: more than one delivery takes. */
function sleep() {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
}

test('jobs that end meanwhile, and those that were there, all get theirs', async () => {
  const pool = WorkerPool.create('nested', { workers: 1, maxQueued: 1000 });
  await pool.run(() => 0);
  const inputs = Array.from({ length: JOBS }, (_, n) =>
    n % 2 === 0 ? n : { n, text: `text ${n}` },
  );
  let depth = 0;
  let deepest = 0;
  const nested = () => {
    if (depth > 2) return;
    depth += 1;
    deepest = Math.max(deepest, depth);
    mockDeliver();
    depth -= 1;
  };
  const results = await whileDelivering(nested, () => {
    const promises = inputs.map((input) =>
      pool.run((job) => job.input, { input }),
    );
    sleep();
    return Promise.all(promises);
  });
  expect(results).toEqual(inputs);
  expect(deepest).toBe(3);
  await pool.stop();
});

test('jobs that fail, while others succeed', async () => {
  const pool = WorkerPool.create('nested', { workers: 1, maxQueued: 1000 });
  await pool.run(() => 0);
  let depth = 0;
  const nested = () => {
    if (depth > 0) return;
    depth += 1;
    mockDeliver();
    depth -= 1;
  };
  const outcomes = await whileDelivering(nested, () => {
    const promises = Array.from({ length: JOBS }, (_, n) =>
      pool.run(
        (job) => {
          if (job.input % 3 === 0) throw new RangeError(`job ${job.input}`);
          return job.input;
        },
        { input: n },
      ),
    );
    sleep();
    return Promise.allSettled(promises);
  });
  outcomes.forEach((outcome, n) => {
    if (n % 3 === 0) expect(outcome.reason.cause.message).toBe(`job ${n}`);
    else expect(outcome.value).toBe(n);
  });
  await pool.stop();
});
