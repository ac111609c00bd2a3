'use strict';

const { getEventListeners } = require('node:events');
const { pendingTimers } = require('../../../lib/timers/timer-heap.js');

const {
  CancelledError,
  Deadline,
  InvalidDeadlineError,
  Time,
  TimeoutError,
  TimerDisposedError,
} = require('../../../lib/time.js');
const { rejection } = require('../support/promises.js');
const { runNode } = require('../support/run-node.js');

afterEach(() => {
  jest.useRealTimers();
  expect(pendingTimers()).toBe(0);
});

describe('Time.timeout', () => {
  const never = new Promise(() => {});

  test('settles like the work', async () => {
    const error = new Error('work');
    expect(await Time.timeout(1, { afterMs: 1000 })).toBe(1);
    expect(await Time.timeout(async () => 2, { afterMs: 1000 })).toBe(2);
    expect(
      await rejection(Time.timeout(Promise.reject(error), { afterMs: 1000 })),
    ).toBe(error);
    const throwing = () => {
      throw error;
    };
    expect(await rejection(Time.timeout(throwing, { afterMs: 1000 }))).toBe(
      error,
    );
  });

  test('rejects with a TimeoutError that the function sees too', async () => {
    let signal;
    const error = await rejection(
      Time.timeout(
        (given) => {
          signal = given;
          return never;
        },
        { afterMs: 1 },
      ),
    );
    expect(error).toBeInstanceOf(TimeoutError);
    expect(signal.reason).toBe(error);
  });

  test('the signal of work that ended in time stays live', async () => {
    let signal;
    const controller = new AbortController();
    await Time.timeout(
      (given) => {
        signal = given;
      },
      { afterMs: 1000, signal: controller.signal },
    );
    controller.abort();
    expect(signal.cancelled).toBe(false);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  test('time that runs out just after the work changes nothing', async () => {
    const clock = Time.fakeClock();
    let finish;
    let signal;
    const work = Time.timeout(
      (given) => {
        signal = given;
        return new Promise((resolve) => {
          finish = resolve;
        });
      },
      { afterMs: 10, clock },
    );
    finish('done');
    await null;
    clock.advanceBy(10);
    expect(await work).toBe('done');
    await Time.yield();
    expect(signal.cancelled).toBe(false);
  });

  test.each([
    ['afterMs: 0', { afterMs: 0 }],
    ['expired deadline', { deadline: Deadline.at(0) }],
    ['the earlier', { afterMs: 1000, deadline: Deadline.at(0) }],
  ])('%s rejects without calling the function', async (_, options) => {
    const fn = jest.fn();
    expect(await rejection(Time.timeout(fn, options))).toBeInstanceOf(
      TimeoutError,
    );
    expect(fn).not.toHaveBeenCalled();
  });

  test('a cancelled signal rejects without calling the function', async () => {
    const fn = jest.fn();
    const error = await rejection(
      Time.timeout(fn, { afterMs: 10, signal: AbortSignal.abort('why') }),
    );
    expect(error).toBeInstanceOf(CancelledError);
    expect(error.reason).toBe('why');
    expect(fn).not.toHaveBeenCalled();
  });

  test('a cancellation rejects and reaches the function', async () => {
    const controller = new AbortController();
    let signal;
    const waiting = rejection(
      Time.timeout(
        (given) => {
          signal = given;
          return never;
        },
        { afterMs: 1000, signal: controller.signal },
      ),
    );
    controller.abort('why');
    const error = await waiting;
    expect(error).toBeInstanceOf(CancelledError);
    expect(signal.reason).toBe(error);
  });

  test('drops late results, also of promises it never waited for', () => {
    // An unhandled rejection is fatal in a process of its own.
    const script = `
      const {
  Time,
} = require('./lib/time.js');
      const late = () => new Promise((_, reject) => {
        setTimeout(() => reject(new Error('late')), 20);
      });
      const ignore = () => {};
      Time.timeout(late(), { afterMs: 1 }).catch(ignore);
      Time.timeout(late, { afterMs: 1 }).catch(ignore);
      Time.timeout(late(), { afterMs: 0 }).catch(ignore);
      const signal = AbortSignal.abort();
      Time.timeout(late(), { afterMs: 9, signal }).catch(ignore);
      setTimeout(() => console.log('alive'), 40);`;
    expect(runNode(['--eval', script])).toBe('alive\n');
  });

  test.each([
    undefined,
    {},
    { afterMs: Infinity },
    { deadline: Deadline.never() },
    { afterMs: -1 },
    { afterMs: '5' },
    { afterMs: NaN },
    { deadline: {} },
    { afterMs: 5, deadline: Deadline.never(), clock: Time.systemClock() },
  ])('throws InvalidDeadlineError for case %#', (options) => {
    expect(() => Time.timeout(never, options)).toThrow(InvalidDeadlineError);
  });

  test('one of the two may be infinite', async () => {
    expect(
      await Time.timeout(1, {
        afterMs: Infinity,
        deadline: Deadline.after(60_000),
      }),
    ).toBe(1);
    expect(
      await Time.timeout(1, { afterMs: 60_000, deadline: Deadline.never() }),
    ).toBe(1);
  });

  test('measures on an injected clock, and reports its end', async () => {
    const clock = Time.fakeClock();
    const timed = rejection(Time.timeout(never, { afterMs: 10, clock }));
    clock.advanceBy(10);
    expect(await timed).toBeInstanceOf(TimeoutError);
    const disposed = rejection(Time.timeout(never, { afterMs: 10, clock }));
    clock.dispose();
    expect(await disposed).toBeInstanceOf(TimerDisposedError);
  });
});
