'use strict';
// Random sequences of run, cancel, expire, fail, resize and stop: the figures
// always add up (section 11), and every promise settles exactly once.

const fc = require('fast-check');
const { WorkerPool } = require('../../../lib/index.js');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');

const MAX_QUEUED = 3;

const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constant({ kind: 'run' }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'fail' }) },
    { weight: 2, arbitrary: fc.constant({ kind: 'endless' }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'expire' }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'expired' }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'refused' }) },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('cancel'), at: fc.nat(20) }),
    },
    { weight: 2, arbitrary: fc.constant({ kind: 'turn' }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('resize'),
        workers: fc.integer({ min: 1, max: 3 }),
      }),
    },
  ),
  { minLength: 1, maxLength: 25 },
);

const endings = fc.constantFrom(
  { drain: true, timeoutMs: 30 },
  { drain: false, timeoutMs: 30 },
  { drain: false, timeoutMs: 0 },
);

const jobs = {
  run: ({ input }) => input,
  fail: () => {
    throw new Error('x');
  },
  endless: () => {
    for (;;);
  },
  expire: () => {
    for (;;);
  },
  expired: () => 1,
  refused: () => 1,
};

/** Runs the steps, and checks the figures after each of them. */
class Run {
  constructor(overflow) {
    this.overflow = overflow;
    this.pool = WorkerPool.create('properties', {
      maxQueued: MAX_QUEUED,
      overflow,
    });
    this.controllers = [];
    this.settlements = [];
    this.codes = [];
  }

  submit(kind) {
    const controller = new AbortController();
    const options = { signal: controller.signal, input: kind };
    if (kind === 'expire') options.timeoutMs = 2;
    if (kind === 'expired') options.timeoutMs = 0;
    if (kind === 'refused') options.input = Symbol('s');
    const at = this.settlements.push(0) - 1;
    const count = (code) => {
      this.settlements[at] += 1;
      this.codes[at] = code;
    };
    this.controllers.push(controller);
    this.pool.run(jobs[kind], options).then(
      () => count('resolved'),
      (error) => count(error.code),
    );
  }

  async step({ kind, at, workers }) {
    if (kind === 'cancel') this.controllers[at]?.abort();
    else if (kind === 'resize') this.pool.resize(workers);
    else if (kind === 'turn') await new Promise((done) => setImmediate(done));
    else this.submit(kind);
    this.check();
  }

  check() {
    const { queue } = this.pool.state;
    const { stats, active, concurrency } = queue;
    const over =
      stats.completed + stats.failed + stats.cancelled + stats.timedOut;
    const inFlight = stats.enqueued - over;
    expect(active).toBeLessThanOrEqual(concurrency);
    expect(stats.retryExhausted).toBe(0);
    // A job that has its answer keeps its place until the worker is free, and
    // a waiter that gives up is counted without having been admitted.
    expect(queue.queued + active).toBeGreaterThanOrEqual(
      this.overflow === 'reject' ? inFlight : 0,
    );
    for (const times of this.settlements) expect(times).toBeLessThan(2);
  }

  async end(options) {
    const last = this.pool.stop(options);
    this.check();
    await Promise.all([last, this.pool.stop(options), this.pool.drain()]);
    await new Promise((done) => setImmediate(done));
    const { queue } = this.pool.state;
    const { stats } = queue;
    expect(queue).toMatchObject({ active: 0, queued: 0, stopped: true });
    expect(this.settlements.every((times) => times === 1)).toBe(true);
    const sum =
      stats.completed + stats.failed + stats.cancelled + stats.timedOut;
    if (this.overflow === 'reject') expect(stats.enqueued).toBe(sum);
    else expect(stats.enqueued).toBeLessThanOrEqual(sum);
    const told = (code) => this.codes.filter((each) => each === code).length;
    expect(stats.completed).toBe(told('resolved'));
    expect(stats.failed).toBe(told(Code.JobFailed));
    // Expired before admission, hence in no counter: those submitted so, and
    // on a slow machine one whose two milliseconds were over by then.
    const expired = told(Code.JobTimeout) - stats.timedOut;
    expect(expired).toBeGreaterThanOrEqual(this.expiredBefore);
    expect(told(Code.UnsupportedPayload)).toBe(
      this.codes.length -
        sum -
        told(Code.QueueFull) -
        told(Code.QueueStopped) -
        expired,
    );
  }
}

test.each(['reject', 'backpressure'])(
  'overflow %s',
  async (overflow) => {
    await fc.assert(
      fc.asyncProperty(steps, endings, async (list, ending) => {
        const run = new Run(overflow);
        run.expiredBefore = list.filter(
          ({ kind }) => kind === 'expired',
        ).length;
        for (const step of list) await run.step(step);
        await run.end(ending);
      }),
      { numRuns: 40 },
    );
  },
  // Some hundred endless loops are ended, on machines that may be busy.
  240_000,
);
