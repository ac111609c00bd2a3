'use strict';

const { getEventListeners } = require('node:events');
const { pendingTimers } = require('../../../lib/timers/timer-heap.js');

const {
  CancelledError,
  Deadline,
  InvalidDeadlineError,
  Time,
  TimeoutError,
} = require('../../../lib/time.js');
const { rejection, thrownBy } = require('../support/promises.js');
const { runNode } = require('../support/run-node.js');

afterEach(() => {
  jest.useRealTimers();
  expect(pendingTimers()).toBe(0);
});

test('the ES module re-exports the same values', () => {
  const script = `
    import { createRequire } from 'node:module';
    import * as esm from './lib/time.mjs';
    const cjs = createRequire(import.meta.url)('./lib/time.js');
    const same = Object.keys(cjs).every((key) => esm[key] === cjs[key]);
    console.log(same, Object.keys(esm).length === Object.keys(cjs).length);`;
  expect(runNode(['--input-type=module', '--eval', script])).toBe(
    'true true\n',
  );
});

describe('Time.delay', () => {
  test('resolves when the time has come, on the monotonic clock', async () => {
    const start = performance.now();
    expect(await Time.delay(5)).toBeUndefined();
    expect(performance.now() - start).toBeGreaterThanOrEqual(5);
    await Time.delay(0);
  });

  test.each([-1, NaN, Infinity, 2 ** 32, '5', '5s', null, undefined])(
    'throws synchronously for %p',
    (ms) => {
      const error = thrownBy(() => Time.delay(ms));
      expect(error).toBeInstanceOf(InvalidDeadlineError);
      expect(error.message).toBe(
        'Time.delay requires a finite non-negative millisecond delay no greater than 4294967295.',
      );
    },
  );

  test('throws synchronously for a deadline with a clock', () => {
    const clock = Time.fakeClock();
    expect(
      thrownBy(() => Time.delay(1, { clock, deadline: Deadline.never() })),
    ).toBeInstanceOf(InvalidDeadlineError);
  });

  test.each([[[]], [{ signal: {} }], [{ clock: {} }], [{ clock: null }]])(
    'throws a TypeError for %p',
    (options) => {
      expect(() => Time.delay(1, options)).toThrow(TypeError);
    },
  );

  test('rejects for a cancelled signal, before an expired deadline', async () => {
    const error = await rejection(
      Time.delay(5, {
        signal: AbortSignal.abort('why'),
        deadline: Deadline.at(0),
      }),
    );
    expect(error).toBeInstanceOf(CancelledError);
    expect(error.reason).toBe('why');
  });

  test('rejects for an expired deadline', async () => {
    const error = await rejection(
      Time.delay(0, { deadline: Deadline.after(0) }),
    );
    expect(error).toBeInstanceOf(TimeoutError);
  });

  test('a deadline that comes first rejects, a later one does not', async () => {
    jest.useFakeTimers();
    // The time of Deadline.after() is real and would go on meanwhile.
    const within = (ms) => ({ remainingMs: () => ms });
    const short = rejection(Time.delay(10, { deadline: within(5) }));
    const enough = Time.delay(5, { deadline: within(10) });
    jest.advanceTimersByTime(5);
    expect(await short).toBeInstanceOf(TimeoutError);
    await enough;
  });

  test('a cancellation ends the wait and removes timer and listener', async () => {
    const controller = new AbortController();
    const waiting = rejection(
      Time.delay(60_000, { signal: controller.signal }),
    );
    controller.abort('why');
    const error = await waiting;
    expect(error).toBeInstanceOf(CancelledError);
    expect(error.reason).toBe('why');
    expect(pendingTimers()).toBe(0);
  });

  test('a signal is let go of when the time has come', async () => {
    const { signal } = new AbortController();
    await Time.delay(1, { signal });
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  test('uses an injected clock, and does not trust it with the signal', async () => {
    const clock = Time.fakeClock();
    const done = Time.delay(10, { clock });
    clock.advanceBy(10);
    await done;

    const asked = jest.fn(async () => {});
    const { signal } = new AbortController();
    await Time.delay(9.5, { clock: { delay: asked }, signal });
    await Time.delay(5, { clock: { delay: asked } });
    expect(asked.mock.calls).toEqual([
      [10, { signal }],
      [5, {}],
    ]);

    const deaf = { delay: () => new Promise(() => {}) };
    const controller = new AbortController();
    const waiting = rejection(
      Time.delay(10, { clock: deaf, signal: controller.signal }),
    );
    controller.abort();
    expect(await waiting).toBeInstanceOf(CancelledError);
  });

  test('holds the process, and lets it end after', () => {
    const script = `
      const {
  Time,
} = require('./lib/time.js');
      Time.delay(20).then(() => console.log('delayed'));
      Time.delay(3600000, { signal: AbortSignal.abort() }).catch(() => {});`;
    expect(runNode(['--eval', script])).toBe('delayed\n');
  });
});

test('Time.yield gives timers and immediates their turn', async () => {
  const order = [];
  setImmediate(() => order.push('immediate'));
  queueMicrotask(() => order.push('microtask'));
  await Time.yield();
  order.push('yielded');
  expect(order).toEqual(['microtask', 'immediate', 'yielded']);
});
