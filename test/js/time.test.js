'use strict';

const { execFileSync } = require('node:child_process');
const { getEventListeners } = require('node:events');
const path = require('node:path');
const fc = require('fast-check');
const { pendingTimers } = require('../../lib/internal/timer-heap.js');
const time = require('../../lib/time.js');
const { WorkerCancellationController } = require('../../lib/cancellation.js');

const {
  CancellationController,
  CancelledError,
  Deadline,
  InvalidDeadlineError,
  Time,
  TimeoutError,
  TimerDisposedError,
} = time;

/** Lets pending promise callbacks run; no time passes. */
async function settleMicrotasks() {
  for (let i = 0; i < 20; i += 1) await null;
}

function runNode(args) {
  return execFileSync(process.execPath, args, {
    cwd: path.join(__dirname, '../..'),
    encoding: 'utf8',
    stdio: 'pipe',
  });
}

async function rejection(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('did not reject');
}

function thrownBy(fn) {
  try {
    fn();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

afterEach(() => {
  jest.useRealTimers();
  expect(pendingTimers()).toBe(0);
});

test('exports exactly the time module', () => {
  expect(Object.keys(time).sort()).toEqual([
    'CancellationController',
    'CancelledError',
    'Deadline',
    'InvalidDeadlineError',
    'Time',
    'TimeoutError',
    'TimerDisposedError',
  ]);
  expect(Object.isFrozen(Time)).toBe(true);
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

describe.each([
  ['TimeoutError', TimeoutError],
  ['CancelledError', CancelledError],
  ['InvalidDeadlineError', InvalidDeadlineError],
  ['TimerDisposedError', TimerDisposedError],
])('%s', (name, ErrorClass) => {
  test('has its own name, a text and an optional reason', () => {
    const error = new ErrorClass();
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe(name);
    expect(error.message).not.toBe('');
    expect(error.reason).toBeUndefined();
    expect(new ErrorClass('text', { reason: 'why' }).reason).toBe('why');
    expect(new ErrorClass('text', { reason: 'why' }).message).toBe('text');
    expect(new ErrorClass('text', null).reason).toBeUndefined();
  });

  test('is told apart from its siblings and known across copies', () => {
    const others = [
      TimeoutError,
      CancelledError,
      InvalidDeadlineError,
      TimerDisposedError,
    ].filter((other) => other !== ErrorClass);
    for (const Other of others) {
      expect(new ErrorClass() instanceof Other).toBe(false);
    }
    jest.isolateModules(() => {
      const copy = require('../../lib/time.js');
      expect(new copy[name]()).toBeInstanceOf(ErrorClass);
    });
  });

  test('keeps its reason out of a log', () => {
    const error = new ErrorClass('text', { reason: 's3cret' });
    expect(Object.keys(error)).toEqual([]);
    expect(error.stack).not.toContain('s3cret');
  });
});

describe('CancellationController', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  test('cancels once, with the first reason', () => {
    const controller = new CancellationController();
    const { signal } = controller;
    expect(signal.aborted).toBe(false);
    expect(signal.cancelled).toBe(false);
    expect(() => signal.throwIfCancelled()).not.toThrow();
    expect(controller.cancel()).toBe(true);
    expect(controller.cancel('again')).toBe(false);
    expect(signal.aborted).toBe(true);
    expect(signal.cancelled).toBe(true);
    expect(signal.reason).toBe('cancelled');
  });

  test('throwIfCancelled wraps the reason, or throws it if it is one', () => {
    const controller = new CancellationController();
    controller.cancel('why');
    const error = thrownBy(() => controller.signal.throwIfCancelled());
    expect(error).toBeInstanceOf(CancelledError);
    expect(error.reason).toBe('why');

    const own = new CancelledError('mine');
    const second = new CancellationController();
    second.cancel(own);
    expect(thrownBy(() => second.signal.throwIfCancelled())).toBe(own);
  });

  test('runs all listeners, then throws what they threw', () => {
    const controller = new CancellationController();
    const errors = [new Error('a'), new Error('b')];
    const last = jest.fn();
    for (const error of errors) {
      controller.signal.addEventListener('abort', () => {
        throw error;
      });
    }
    controller.signal.addEventListener('abort', last);
    const thrown = thrownBy(() => controller.cancel('why'));
    expect(thrown).toBeInstanceOf(AggregateError);
    expect(thrown.errors).toEqual(errors);
    expect(last).toHaveBeenCalledTimes(1);
    expect(controller.signal.aborted).toBe(true);
    expect(controller.cancel()).toBe(false);
  });

  test('removed listeners do not run', () => {
    const controller = new CancellationController();
    const listener = jest.fn();
    controller.signal.addEventListener('abort', listener);
    controller.signal.removeEventListener('abort', listener);
    controller.cancel();
    expect(listener).not.toHaveBeenCalled();
  });

  test('dispose is idempotent and ends cancel()', () => {
    const controller = new CancellationController({ timeoutMs: 5 });
    controller.dispose();
    controller.dispose();
    expect(() => controller.cancel()).toThrow(TimerDisposedError);
    jest.advanceTimersByTime(10);
    expect(controller.signal.aborted).toBe(false);
    controller[Symbol.dispose]();
  });

  test('dispose after cancel keeps the state', () => {
    const controller = new CancellationController();
    controller.cancel('why');
    controller.dispose();
    expect(controller.signal.reason).toBe('why');
    expect(() => controller.cancel()).toThrow(TimerDisposedError);
  });

  test.each([
    ['signal', (signal) => ({ signal })],
    ['an array in signal', (signal) => ({ signal: [signal] })],
    ['signals', (signal) => ({ signals: [signal] })],
  ])('follows %s, with the reason', (_, options) => {
    const source = new AbortController();
    const controller = new CancellationController(options(source.signal));
    source.abort('why');
    expect(controller.signal.reason).toBe('why');
  });

  test('follows whichever source is first and lets go of the others', () => {
    const [a, b] = [new AbortController(), new AbortController()];
    const { signal } = CancellationController.linked(a.signal, b.signal);
    expect(getEventListeners(a.signal, 'abort')).toHaveLength(1);
    b.abort('b');
    a.abort('a');
    expect(signal.reason).toBe('b');
    expect(getEventListeners(a.signal, 'abort')).toHaveLength(0);
  });

  test('dispose lets go of the sources', () => {
    const source = new AbortController();
    const worker = new WorkerCancellationController();
    const controller = CancellationController.linked(
      source.signal,
      worker.signal,
    );
    controller.dispose();
    expect(getEventListeners(source.signal, 'abort')).toHaveLength(0);
    source.abort();
    worker.cancel();
    expect(controller.signal.aborted).toBe(false);
  });

  test('a source cancelled before cancels at once; the first one counts', () => {
    const { signal } = CancellationController.linked(
      AbortSignal.abort('a'),
      AbortSignal.abort('b'),
    );
    expect(signal.reason).toBe('a');
  });

  test('a linked controller whose listener throws reports to its source', () => {
    const source = new CancellationController();
    const linked = CancellationController.linked(source.signal);
    linked.signal.addEventListener('abort', () => {
      throw new Error('listener');
    });
    expect(() => source.cancel()).toThrow(AggregateError);
    expect(linked.signal.aborted).toBe(true);
  });

  test('times out with a TimeoutError', () => {
    const { signal } = CancellationController.timeout(5);
    jest.advanceTimersByTime(4);
    expect(signal.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    expect(signal.reason).toBeInstanceOf(TimeoutError);
  });

  test('the earlier of timeoutMs and deadline counts', () => {
    fc.assert(
      fc.property(fc.nat(50), fc.nat(50), (timeoutMs, deadlineMs) => {
        const { signal } = new CancellationController({
          timeoutMs,
          deadline: Deadline.after(deadlineMs),
        });
        const earlier = Math.min(timeoutMs, deadlineMs);
        if (earlier > 0) {
          jest.advanceTimersByTime(earlier - 1);
          expect(signal.aborted).toBe(false);
          jest.advanceTimersByTime(1);
        }
        expect(signal.reason).toBeInstanceOf(TimeoutError);
      }),
    );
  });

  test('an expired deadline cancels at construction', () => {
    for (const options of [{ deadline: Deadline.at(0) }, { timeoutMs: 0 }]) {
      const { signal } = new CancellationController(options);
      expect(signal.reason).toBeInstanceOf(TimeoutError);
    }
    const { signal } = new CancellationController({
      signal: AbortSignal.abort('first'),
      timeoutMs: 0,
    });
    expect(signal.reason).toBe('first');
  });

  test('timeout() links, and disposes with the source', () => {
    const source = new AbortController();
    const { signal } = CancellationController.timeout(50, {
      signal: source.signal,
    });
    source.abort('why');
    expect(signal.reason).toBe('why');
    expect(pendingTimers()).toBe(0);
  });

  test('its timer holds the process only while somebody listens', () => {
    const spy = jest.spyOn(globalThis, 'setTimeout');
    const controller = CancellationController.timeout(50);
    const timer = spy.mock.results[0].value;
    spy.mockRestore();
    const listeners = [() => {}, () => {}];
    expect(timer.hasRef()).toBe(false);
    for (const listener of listeners) {
      controller.signal.addEventListener('abort', listener);
    }
    expect(timer.hasRef()).toBe(true);
    controller.signal.removeEventListener('abort', listeners[0]);
    expect(timer.hasRef()).toBe(true);
    controller.signal.removeEventListener('abort', listeners[1]);
    expect(timer.hasRef()).toBe(false);
    controller.dispose();
  });

  test.each([
    [{ signal: null }, TypeError],
    [{ signal: {} }, TypeError],
    [{ signals: ['x'] }, TypeError],
    [[], TypeError],
    [{ timeoutMs: -1 }, InvalidDeadlineError],
    [{ timeoutMs: '5' }, InvalidDeadlineError],
    [{ deadline: {} }, InvalidDeadlineError],
    [{ deadline: -1 }, InvalidDeadlineError],
    [{ deadline: { remainingMs: () => NaN } }, InvalidDeadlineError],
  ])('refuses %p', (options, ErrorClass) => {
    expect(() => new CancellationController(options)).toThrow(ErrorClass);
  });

  test('timeout() needs a number', () => {
    expect(() => CancellationController.timeout()).toThrow(
      InvalidDeadlineError,
    );
  });
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
    const short = rejection(Time.delay(10, { deadline: Deadline.after(5) }));
    const enough = Time.delay(5, { deadline: Deadline.after(10) });
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
      const { Time } = require('./lib/time.js');
      Time.delay(20).then(() => console.log('delayed'));
      Time.delay(3600000, { signal: AbortSignal.abort() }).catch(() => {});`;
    expect(runNode(['--eval', script])).toBe('delayed\n');
  });
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
    // In a process of its own: there an unhandled rejection is fatal.
    const script = `
      const { Time } = require('./lib/time.js');
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
      await Time.timeout(1, { afterMs: Infinity, deadline: Deadline.after(9) }),
    ).toBe(1);
    expect(
      await Time.timeout(1, { afterMs: 9, deadline: Deadline.never() }),
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

describe('clocks', () => {
  test('the system clock', async () => {
    const clock = Time.systemClock();
    expect(clock).toBe(Time.systemClock());
    expect(Object.isFrozen(clock)).toBe(true);
    expect(clock.kind).toBe('system');
    const before = Date.now();
    expect(clock.now().getTime()).toBeGreaterThanOrEqual(before);
    const start = clock.monotonicNowMs();
    await clock.delay(2);
    expect(clock.monotonicNowMs() - start).toBeGreaterThanOrEqual(2);
    expect(
      await rejection(clock.delay(5, { signal: AbortSignal.abort() })),
    ).toBeInstanceOf(CancelledError);
    expect(() => clock.delay(-1)).toThrow(InvalidDeadlineError);
  });

  test('the fake clock starts where it is told and moves when told', () => {
    const clock = Time.fakeClock({ now: new Date(5000) });
    expect(clock.kind).toBe('fake');
    expect(clock.now()).toEqual(new Date(5000));
    expect(clock.monotonicNowMs()).toBe(0);
    clock.advanceBy(250);
    expect(clock.now()).toEqual(new Date(5250));
    expect(clock.monotonicNowMs()).toBe(250);
    expect(Time.fakeClock({ now: 7 }).now().getTime()).toBe(7);
    expect(Time.fakeClock().now().getTime()).toBe(0);
  });

  test('set() forward is an advance, backward moves the wall clock only', async () => {
    const clock = Time.fakeClock({ now: 1000 });
    const delay = clock.delay(50);
    clock.set(500);
    expect(clock.now().getTime()).toBe(500);
    expect(clock.monotonicNowMs()).toBe(0);
    clock.set(new Date(550));
    await delay;
    expect(clock.monotonicNowMs()).toBe(50);
  });

  test('delays fire by due time, then start, each at its own time', async () => {
    const clock = Time.fakeClock();
    const fired = [];
    const start = (id, ms) => clock.delay(ms).then(() => fired.push(id));
    start('20', 20);
    start('10a', 10);
    start('10b', 9.5);
    start('30', 30);
    clock.advanceBy(25);
    await settleMicrotasks();
    expect(fired).toEqual(['10a', '10b', '20']);
    clock.advanceBy(5);
    await settleMicrotasks();
    expect(fired).toHaveLength(4);
  });

  test('a delay of 0 needs no advance', async () => {
    await Time.fakeClock().delay(0);
  });

  test('a cancelled delay rejects and never fires', async () => {
    const clock = Time.fakeClock();
    const controller = new AbortController();
    const waiting = rejection(clock.delay(5, { signal: controller.signal }));
    controller.abort('why');
    expect((await waiting).reason).toBe('why');
    clock.advanceBy(5);
  });

  test('dispose rejects what is pending and what comes later', async () => {
    const clock = Time.fakeClock();
    const pending = rejection(clock.delay(5));
    clock.dispose();
    clock[Symbol.dispose]();
    expect(await pending).toBeInstanceOf(TimerDisposedError);
    expect(await rejection(clock.delay(5))).toBeInstanceOf(TimerDisposedError);
    expect(() => clock.advanceBy(1)).toThrow(TimerDisposedError);
    expect(() => clock.set(1)).toThrow(TimerDisposedError);
  });

  test.each([-1, NaN, Infinity, '5', undefined])(
    'advanceBy(%p) is refused',
    (ms) => {
      expect(() => Time.fakeClock().advanceBy(ms)).toThrow(
        InvalidDeadlineError,
      );
    },
  );

  test('using', () => {
    const clock = Time.fakeClock();
    clock[Symbol.dispose]();
    expect(() => clock.advanceBy(1)).toThrow(TimerDisposedError);
  });

  test('instants must be valid', () => {
    expect(() => Time.fakeClock({ now: 'soon' })).toThrow(InvalidDeadlineError);
    expect(() => Time.fakeClock().set(NaN)).toThrow(InvalidDeadlineError);
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
