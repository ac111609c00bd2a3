'use strict';

const { AsyncLocalStorage } = require('node:async_hooks');
const { getEventListeners } = require('node:events');
const fc = require('fast-check');
const { pendingTimers } = require('../../../lib/timers/timer-heap.js');
const time = require('../../../lib/time.js');
const {
  WorkerCancellationController,
} = require('../../../lib/signals/cancellation.js');

const {
  CancellationController,
  CancelledError,
  Deadline,
  InvalidDeadlineError,
  Time,
  TimeoutError,
  TimerDisposedError,
} = time;
const { thrownBy } = require('../support/promises.js');

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
      const copy = require('../../../lib/time.js');
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

  test('a listener to a linked controller that throws is a warning', () => {
    const source = new CancellationController();
    const linked = CancellationController.linked(source.signal);
    linked.signal.addEventListener('abort', () => {
      throw new Error('listener');
    });
    const warned = jest.spyOn(process, 'emitWarning').mockReturnValue();
    expect(source.cancel()).toBe(true);
    expect(linked.signal.aborted).toBe(true);
    expect(warned.mock.calls[0][1].code).toBe('SLOPPY_W_LISTENER_THREW');
    warned.mockRestore();
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
          // The time of Deadline.after() is real and would go on meanwhile.
          deadline: { remainingMs: () => deadlineMs },
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
    for (const options of [
      { deadline: Deadline.at(0) },
      { deadline: { remainingMs: () => -5 } },
      { deadline: 0 },
      { timeoutMs: 0 },
    ]) {
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
      expect(timer.hasRef()).toBe(true);
    }
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
    [{ deadline: { remainingMs: () => -Infinity } }, InvalidDeadlineError],
    [{ deadline: { remainingMs: () => '5' } }, InvalidDeadlineError],
    [{ deadline: 'soon' }, InvalidDeadlineError],
  ])('refuses %p', (options, ErrorClass) => {
    expect(() => new CancellationController(options)).toThrow(ErrorClass);
  });

  test('listeners find the async context of the controller', () => {
    const storage = new AsyncLocalStorage();
    storage.run('other', () => CancellationController.timeout(100));
    const { signal } = storage.run('own', () =>
      CancellationController.timeout(100),
    );
    const seen = [];
    signal.addEventListener('abort', () => seen.push(storage.getStore()));
    storage.run("the timer's", () => jest.advanceTimersByTime(100));
    expect(seen).toEqual(['own']);
  });

  test('a source whose reason cannot be read still cancels', () => {
    const source = {
      aborted: true,
      get reason() {
        throw new Error('hostile');
      },
    };
    const { signal } = CancellationController.linked(source);
    expect(signal.aborted).toBe(true);
    expect(signal.reason).toBeUndefined();
  });

  test('timeout() needs a number', () => {
    expect(() => CancellationController.timeout()).toThrow(
      InvalidDeadlineError,
    );
  });
});
