'use strict';

jest.mock('../../../lib/base/own-time.js', () =>
  require('../support/fakeable-time.js'),
);

const fc = require('fast-check');

const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { pendingTimers } = require('../../../lib/timers/timer-heap.js');
const {
  WorkerCancellationController,
} = require('../../../lib/signals/cancellation.js');
const { WorkQueue } = require('../../../lib/pool/work-queue.js');
const { QueueModel } = require('../../contract/queue-model.js');

const NAME_OF = Object.fromEntries(
  Object.entries(Code).map(([name, code]) => [code, name]),
);
const SIGNALS = 3;
const NO_SIGNAL = -1;

const turn = () => new Promise((resolve) => process.nextTick(resolve));

/** Half of the controllers are of the platform. */
function makeControllers() {
  return Array.from({ length: SIGNALS }, (_, index) => {
    if (index % 2 === 0) return new WorkerCancellationController();
    const controller = new AbortController();
    return {
      signal: controller.signal,
      cancel: (reason) => controller.abort(reason),
    };
  });
}

const commands = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        type: fc.constant('enqueue'),
        signal: fc.integer({ min: NO_SIGNAL, max: SIGNALS - 1 }),
        timeoutMs: fc.option(fc.integer({ min: 0, max: 12 }), {
          nil: undefined,
        }),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        type: fc.constant('finish'),
        index: fc.nat(20),
        succeeds: fc.boolean(),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constant('cancel'),
        signal: fc.nat(SIGNALS - 1),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        type: fc.constant('tick'),
        ms: fc.integer({ min: 1, max: 6 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constant('stop'),
        drain: fc.boolean(),
        isLast: fc.boolean(),
      }),
    },
  ),
  { maxLength: 60 },
);

const policies = fc.record({
  concurrency: fc.integer({ min: 1, max: 3 }),
  maxQueued: fc.integer({ min: 1, max: 3 }),
  overflow: fc.constantFrom('reject', 'backpressure'),
  maxBackpressureWaiters: fc.integer({ min: 1, max: 3 }),
});

/** Drives a real queue; keeps what its handlers and promises did. */
class Subject {
  controllers = makeControllers();
  runs = [];
  live = 0;
  mostLive = 0;
  settled = new Map();
  stops = [];
  stopsResolved = 0;

  constructor(options) {
    this.queue = WorkQueue.create('subject', options).process(
      ({ data }, { signal }) => {
        this.#enter(signal);
        return new Promise((resolve, reject) => {
          this.runs.push({ data, signal, resolve, reject });
        });
      },
    );
  }

  /** A handler is live until it settles or is told to give up. */
  #enter(signal) {
    this.live += 1;
    this.mostLive = Math.max(this.mostLive, this.live);
    signal.addEventListener('abort', () => {
      this.live -= 1;
    });
  }

  enqueue(id, { signal, timeoutMs }) {
    const options = { timeoutMs };
    if (signal !== NO_SIGNAL) options.signal = this.controllers[signal].signal;
    const settle = (outcome) => {
      const outcomes = this.settled.get(id) ?? [];
      this.settled.set(id, [...outcomes, outcome]);
    };
    this.queue.enqueue(id, options).then(
      () => settle('Completed'),
      (error) => settle(NAME_OF[error.code] ?? error),
    );
  }

  finish(run, succeeds) {
    if (!run.signal.cancelled && !run.isOver) this.live -= 1;
    run.isOver = true;
    if (succeeds) run.resolve();
    else run.reject(new Error('as told'));
  }

  stop(drain) {
    this.stops.push(
      this.queue.stop({ drain }).then(() => {
        this.stopsResolved += 1;
      }),
    );
  }

  /** Finishes whatever runs until nothing is left. */
  async windUp() {
    this.stop(true);
    let next = 0;
    while (this.queue.state.active > 0) {
      if (next < this.runs.length) {
        this.finish(this.runs[next], true);
        next += 1;
      }
      await turn();
      jest.advanceTimersByTime(1);
    }
    await Promise.all(this.stops);
    await turn();
  }
}

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
});
afterEach(() => jest.useRealTimers());

test('a queue does what the model of its rules does', async () => {
  await fc.assert(
    fc.asyncProperty(policies, commands, async (policy, history) => {
      const model = new QueueModel(policy);
      const subject = new Subject(policy);
      const jobs = new Map();

      for (const command of history) {
        switch (command.type) {
          case 'enqueue': {
            const job = {
              id: jobs.size,
              signal: command.signal,
              expiresAt: model.now + (command.timeoutMs ?? Infinity),
            };
            jobs.set(job.id, job);
            model.enqueue(job);
            subject.enqueue(job.id, command);
            break;
          }
          case 'finish': {
            const run = subject.runs[command.index];
            if (run === undefined) continue;
            if (!run.isOver) model.finish(jobs.get(run.data), command.succeeds);
            subject.finish(run, command.succeeds);
            break;
          }
          case 'cancel':
            model.cancel(command.signal);
            subject.controllers[command.signal].cancel();
            break;
          case 'tick':
            model.tick(command.ms);
            jest.advanceTimersByTime(command.ms);
            break;
          case 'stop':
            if (!command.isLast) continue;
            model.stop(command.drain);
            subject.stop(command.drain);
            break;
          default:
            throw new Error(command.type);
        }
        await turn();
        const { active, queued, stopped, stats } = subject.queue.state;
        expect({
          active,
          queued,
          stopped,
          stats,
          started: subject.runs.map(({ data }) => data),
          settled: [...subject.settled].sort(([a], [b]) => a - b),
        }).toEqual({
          active: model.running.length,
          queued: model.queued.length,
          stopped: model.stopped,
          stats: model.stats,
          started: model.started,
          settled: [...model.settled]
            .sort(([a], [b]) => a - b)
            .map(([id, outcome]) => [id, [outcome]]),
        });
      }

      await subject.windUp();
      expect(subject.settled.size).toBe(jobs.size);
      expect(subject.stopsResolved).toBe(subject.stops.length);
      expect(pendingTimers()).toBe(0);
    }),
    { numRuns: 300 },
  );
});

test('with retries the invariants hold and every promise settles once', async () => {
  const retries = fc.record({
    maxAttempts: fc.integer({ min: 1, max: 3 }),
    delays: fc.array(fc.constantFrom(0, 1, 4, Number.NaN), { minLength: 1 }),
  });
  await fc.assert(
    fc.asyncProperty(
      policies,
      retries,
      commands,
      async (policy, { maxAttempts, delays }, history) => {
        let asked = 0;
        const backoffMs = () => delays[asked++ % delays.length];
        const subject = new Subject({
          ...policy,
          retry: { maxAttempts, backoffMs },
        });
        const { queue } = subject;
        let submitted = 0;
        let diedWaiting = 0;

        const check = () => {
          const { active, queued, stats } = queue.state;
          expect(active).toBeLessThanOrEqual(policy.concurrency);
          expect(queued).toBeLessThanOrEqual(policy.maxQueued);
          expect(subject.mostLive).toBeLessThanOrEqual(policy.concurrency);
          expect(stats.retryExhausted).toBeLessThanOrEqual(stats.failed);
          const ended =
            stats.completed + stats.failed + stats.cancelled + stats.timedOut;
          // Only waiters may end without having been enqueued, and stay ended.
          const extra = ended + active + queued - stats.enqueued;
          expect(extra).toBeGreaterThanOrEqual(diedWaiting);
          if (policy.overflow === 'reject') expect(extra).toBe(0);
          diedWaiting = extra;
        };

        for (const command of history) {
          if (command.type === 'enqueue') {
            subject.enqueue(submitted, command);
            submitted += 1;
          } else if (command.type === 'finish') {
            const run = subject.runs[command.index];
            if (run !== undefined) subject.finish(run, command.succeeds);
          } else if (command.type === 'cancel') {
            subject.controllers[command.signal].cancel();
          } else if (command.type === 'tick') {
            jest.advanceTimersByTime(command.ms);
          } else if (command.isLast) {
            subject.stop(command.drain);
          }
          await turn();
          check();
        }

        await subject.windUp();
        check();
        const { stats } = queue.state;
        const outcomes = [...subject.settled.values()];
        const count = (...names) =>
          outcomes.filter(([outcome]) => names.includes(outcome)).length;
        expect(outcomes).toHaveLength(submitted);
        expect(outcomes.every(({ length }) => length === 1)).toBe(true);
        expect(stats.completed).toBe(count('Completed'));
        expect(stats.failed).toBe(count('JobFailed', 'RetryExhausted'));
        expect(stats.retryExhausted).toBe(count('RetryExhausted'));
        expect(pendingTimers()).toBe(0);
      },
    ),
    { numRuns: 300 },
  );
});
