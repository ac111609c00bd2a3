'use strict';

const { getEventListeners } = require('node:events');
const fc = require('fast-check');
const {
  CancelledError,
  Time,
  TimerDisposedError,
} = require('../../../lib/time.js');
const { settleMicrotasks } = require('../support/promises.js');

let clock;

async function advance(ms) {
  clock.advanceBy(ms);
  await settleMicrotasks();
}

beforeEach(() => {
  clock = Time.fakeClock({ now: 1_000_000 });
});

const wallMs = () => clock.now().getTime();

describe('Time.every', () => {
  test('gives each run a frozen context', async () => {
    const contexts = [];
    const job = Time.every(10, (context) => contexts.push(context), { clock });
    expect(Object.isFrozen(job)).toBe(true);
    expect(job.running).toBe(true);
    expect(job.stopped).toBe(false);
    expect(job.nextRun).toEqual(new Date(1_000_010));
    await advance(10);
    await advance(13);
    expect(contexts).toHaveLength(2);
    for (const [i, context] of contexts.entries()) {
      expect(Object.isFrozen(context)).toBe(true);
      expect(Object.keys(context).sort()).toEqual([
        'run',
        'scheduledAt',
        'signal',
        'skippedRuns',
        'startedAt',
      ]);
      expect(context.run).toBe(i + 1);
      expect(context.scheduledAt).toEqual(new Date(1_000_010 + i * 10));
      expect(context.skippedRuns).toBe(0);
    }
    expect(contexts[1].startedAt).toEqual(new Date(1_000_023));
    expect(job.nextRun).toEqual(new Date(1_000_030));
    await job.stop();
    expect(job.nextRun).toBeUndefined();
  });

  test('does not run the handler before it returned', async () => {
    const handler = jest.fn();
    const job = Time.every(10, handler, { clock, immediate: true });
    expect(handler).not.toHaveBeenCalled();
    await settleMicrotasks();
    expect(handler).toHaveBeenCalledTimes(1);
    await advance(10);
    expect(handler).toHaveBeenCalledTimes(2);
    await job.stop();
  });

  test('keeps what a run threw and goes on', async () => {
    const errors = [new Error('sync'), new Error('async')];
    let run = 0;
    const job = Time.every(
      10,
      () => {
        run += 1;
        if (run === 1) throw errors[0];
        if (run === 2) return Promise.reject(errors[1]);
        return undefined;
      },
      { clock },
    );
    expect(job.lastError).toBeUndefined();
    await advance(10);
    expect(job.lastError).toBe(errors[0]);
    await advance(10);
    expect(job.lastError).toBe(errors[1]);
    await advance(10);
    expect(run).toBe(3);
    await job.stop();
  });

  test('skips and counts what fell due while a handler ran', async () => {
    let finish;
    const contexts = [];
    const job = Time.every(
      10,
      (context) => {
        contexts.push(context);
        return new Promise((resolve) => {
          finish = resolve;
        });
      },
      { clock },
    );
    await advance(10);
    await advance(25);
    expect(contexts).toHaveLength(1);
    finish();
    await settleMicrotasks();
    expect(job.skippedRuns).toBe(2);
    expect(job.nextRun).toEqual(new Date(1_000_040));
    await advance(5);
    expect(contexts).toHaveLength(2);
    expect(contexts[1].skippedRuns).toBe(2);
    finish();
    await job.stop();
  });

  test('noOverlap: false runs handlers side by side; stop waits for all', async () => {
    const finish = [];
    const job = Time.every(
      10,
      () => new Promise((resolve) => finish.push(resolve)),
      { clock, noOverlap: false },
    );
    await advance(10);
    await advance(10);
    expect(finish).toHaveLength(2);
    let over = false;
    job.stop().then(() => {
      over = true;
    });
    finish[0]();
    await settleMicrotasks();
    expect(over).toBe(false);
    finish[1]();
    await settleMicrotasks();
    expect(over).toBe(true);
  });

  test.each([true, false])(
    'maxRuns ends it (noOverlap: %p)',
    async (noOverlap) => {
      const handler = jest.fn();
      const job = Time.every(10, handler, { clock, maxRuns: 2, noOverlap });
      await advance(10);
      await advance(10);
      await advance(10);
      expect(handler).toHaveBeenCalledTimes(2);
      expect(job.stopped).toBe(true);
      expect(job.running).toBe(false);
      expect(handler.mock.calls[0][0].signal.cancelled).toBe(false);
      await job.stop();
    },
  );

  test('stop cancels the signal, waits for the handler, ignores a second reason', async () => {
    let signal;
    const job = Time.every(
      10,
      (context) => {
        signal = context.signal;
        return Time.delay(60_000, { signal });
      },
      { clock },
    );
    await advance(10);
    const over = job.stop('first');
    expect(job.stop('second')).toBe(over);
    await over;
    expect(signal.reason).toBe('first');
    expect(job.stopped).toBe(true);
    expect(job.lastError).toBeInstanceOf(CancelledError);
    await advance(100);
  });

  test('stop keeps what a listener threw', async () => {
    const job = Time.every(
      10,
      ({ signal }) => {
        signal.addEventListener('abort', () => {
          throw new Error('listener');
        });
      },
      { clock },
    );
    await advance(10);
    await job.stop();
    expect(job.lastError).toBeInstanceOf(AggregateError);
  });

  test('stop before the first run', async () => {
    const handler = jest.fn();
    await Time.every(10, handler, { clock }).stop();
    const job = Time.every(10, handler, { clock, immediate: true });
    await job[Symbol.asyncDispose]();
    await advance(10);
    expect(handler).not.toHaveBeenCalled();
  });

  test('follows a signal', async () => {
    const controller = new AbortController();
    const contexts = [];
    const job = Time.every(10, (context) => contexts.push(context), {
      clock,
      signal: controller.signal,
    });
    await advance(10);
    controller.abort('why');
    await job.stop();
    expect(contexts[0].signal.reason).toBe('why');

    const handler = jest.fn();
    const late = Time.every(10, handler, { clock, signal: controller.signal });
    expect(late.stopped).toBe(true);
    await late.stop();
    await advance(10);
    expect(handler).not.toHaveBeenCalled();
  });

  test('lets go of the signal when it stops', async () => {
    const { signal } = new AbortController();
    const job = Time.every(10, () => {}, { clock, signal });
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await job.stop();
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  test('pause ends the wait, resume starts a new interval', async () => {
    const handler = jest.fn();
    const job = Time.every(10, handler, { clock });
    await advance(5);
    job.pause();
    job.pause();
    expect(job.running).toBe(false);
    expect(job.stopped).toBe(false);
    expect(job.nextRun).toBeUndefined();
    await advance(100);
    expect(handler).not.toHaveBeenCalled();
    job.resume();
    job.resume();
    expect(job.nextRun).toEqual(new Date(wallMs() + 10));
    await advance(9);
    expect(handler).not.toHaveBeenCalled();
    await advance(1);
    expect(handler).toHaveBeenCalledTimes(1);
    expect(job.skippedRuns).toBe(0);
    await job.stop();
    job.resume();
    job.pause();
    expect(job.running).toBe(false);
  });

  test('pause while a handler runs holds back the next run only', async () => {
    let finish;
    const handler = jest.fn(
      () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    );
    const job = Time.every(10, handler, { clock });
    await advance(10);
    job.pause();
    finish();
    await advance(20);
    expect(handler).toHaveBeenCalledTimes(1);
    job.resume();
    await advance(10);
    expect(handler).toHaveBeenCalledTimes(2);
    finish();
    await job.stop();
  });

  test('resume while a handler runs does not start a second one', async () => {
    let finish;
    const handler = jest.fn(
      () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    );
    const job = Time.every(10, handler, { clock });
    await advance(10);
    job.pause();
    job.resume();
    await advance(10);
    expect(handler).toHaveBeenCalledTimes(1);
    finish();
    await job.stop();
  });

  test('stops with its clock', async () => {
    const job = Time.every(10, () => {}, { clock });
    clock.dispose();
    await settleMicrotasks();
    expect(job.stopped).toBe(true);
    expect(job.lastError).toBeInstanceOf(TimerDisposedError);
  });

  test('any mix of pauses and advances never overlaps nor loses a run', async () => {
    const action = fc.oneof(
      fc.constant('pause'),
      fc.constant('resume'),
      fc.integer({ min: 1, max: 35 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 30 }), async (actions) => {
        clock = Time.fakeClock();
        let running = 0;
        let runs = 0;
        const job = Time.every(
          10,
          async ({ run }) => {
            running += 1;
            runs += 1;
            expect(run).toBe(runs);
            expect(running).toBe(1);
            await clock.delay(3);
            running -= 1;
          },
          { clock },
        );
        for (const step of actions) {
          if (typeof step === 'number') await advance(step);
          else job[step]();
        }
        if (!job.running) job.resume();
        const before = runs;
        for (let i = 0; i < 4; i += 1) await advance(5);
        expect(runs).toBeGreaterThan(before);
        const over = job.stop();
        clock.advanceBy(3);
        await over;
        expect(running).toBe(0);
        expect(job.lastError).toBeUndefined();
      }),
      { numRuns: 200 },
    );
  });

  test.each([null, 1, {}])('handler %p is refused', (handler) => {
    expect(() => Time.every(5, handler)).toThrow(
      new TypeError('Time.every requires a handler function.'),
    );
  });

  test('other policies and run limits are refused', () => {
    expect(() => Time.every(5, () => {}, { missedRunPolicy: 'burst' })).toThrow(
      new TypeError('Time.every missedRunPolicy must be "skip".'),
    );
    expect(() => Time.every(5, () => {}, { maxRuns: 0 })).toThrow(
      new TypeError('Time.every maxRuns must be a positive integer.'),
    );
  });
});
