'use strict';

jest.mock('../../../lib/base/own-time.js', () =>
  require('../support/fakeable-time.js'),
);

const { AsyncLocalStorage } = require('node:async_hooks');
const fc = require('fast-check');
const { Deadline } = require('../../../lib/signals/deadline.js');
const {
  pendingTimers,
  schedule,
} = require('../../../lib/timers/timer-heap.js');
const { InvalidDeadlineError } = require('../../../lib/time.js');

const MAX = 4294967295;
const AFTER_TEXT =
  'Deadline.after requires a finite non-negative millisecond delay no greater than 4294967295.';
const AT_TEXT = 'Deadline.at requires a finite Date or Unix millisecond value.';

beforeEach(() => {
  jest.useFakeTimers({ now: 1_000_000 });
});

afterEach(() => {
  jest.useRealTimers();
});

function thrownBy(fn) {
  try {
    fn();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

describe('Deadline.after', () => {
  test('is frozen and counts down, never below 0', () => {
    const deadline = Deadline.after(10);
    expect(deadline).toBeInstanceOf(Deadline);
    expect(Object.isFrozen(deadline)).toBe(true);
    expect(deadline.kind).toBe('after');
    expect(deadline.expiresAtMonotonicMs).toBe(performance.now() + 10);
    expect(deadline.remainingMs()).toBe(10);
    expect(deadline.expired).toBe(false);
    jest.advanceTimersByTime(10);
    expect(deadline.remainingMs()).toBe(0);
    expect(deadline.expired).toBe(true);
    jest.advanceTimersByTime(10);
    expect(deadline.remainingMs()).toBe(0);
  });

  test('rounds up', () => {
    expect(Deadline.after(0.1).remainingMs()).toBe(1);
    expect(Deadline.after(MAX).remainingMs()).toBe(MAX);
    expect(Deadline.after(0).expired).toBe(true);
    expect(Deadline.after(-0).expired).toBe(true);
  });

  test.each([-1, -0.1, NaN, Infinity, -Infinity, MAX + 0.5, MAX + 1])(
    'refuses %p',
    (ms) => {
      const error = thrownBy(() => Deadline.after(ms));
      expect(error).toBeInstanceOf(InvalidDeadlineError);
      expect(error.message).toBe(AFTER_TEXT);
    },
  );

  test.each(['5', null, undefined, 5n, new Date(), {}, [], true])(
    'refuses %p, which is no number',
    (ms) => {
      expect(thrownBy(() => Deadline.after(ms)).message).toBe(AFTER_TEXT);
    },
  );

  test('does not follow the wall clock', () => {
    const deadline = Deadline.after(10);
    jest.setSystemTime(5_000_000);
    expect(deadline.remainingMs()).toBe(10);
  });
});

describe('Deadline.at', () => {
  test.each([
    [() => new Date(Date.now() + 50), 50],
    [() => Date.now() + 50, 50],
    [() => String(Date.now() + 50), 50],
    [() => Date.now() - 50, 0],
    [() => new Date(0), 0],
    [() => null, 0],
    [() => Date.now() + MAX, MAX],
  ])('case %#', (instant, remainingMs) => {
    const deadline = Deadline.at(instant());
    expect(deadline.kind).toBe('after');
    expect(deadline.remainingMs()).toBe(remainingMs);
    expect(deadline.expired).toBe(remainingMs === 0);
  });

  test('refuses what is too far away with the text of after()', () => {
    const error = thrownBy(() => Deadline.at(Date.now() + MAX + 1));
    expect(error).toBeInstanceOf(InvalidDeadlineError);
    expect(error.message).toBe(AFTER_TEXT);
  });

  test.each([
    new Date(NaN),
    'soon',
    undefined,
    NaN,
    Infinity,
    -Infinity,
    Symbol('s'),
    {},
  ])('refuses %p', (instant) => {
    const error = thrownBy(() => Deadline.at(instant));
    expect(error).toBeInstanceOf(InvalidDeadlineError);
    expect(error.message).toBe(AT_TEXT);
  });
});

test('Deadline.never never expires', () => {
  const deadline = Deadline.never();
  expect(deadline.kind).toBe('never');
  expect(deadline.expiresAtMonotonicMs).toBe(Infinity);
  expect(deadline.remainingMs()).toBe(Infinity);
  expect(deadline.expired).toBe(false);
  expect(Object.isFrozen(deadline)).toBe(true);
});

test('deadlines come from the factories only', () => {
  expect(() => new Deadline()).toThrow(TypeError);
});

describe('timer heap', () => {
  const at = (ms) => performance.now() + ms;

  test('fires in order of expiry, then of scheduling', () => {
    const fired = [];
    schedule(at(20), () => fired.push('20'));
    schedule(at(10), () => fired.push('10a'));
    schedule(at(10), () => fired.push('10b'));
    schedule(at(15), () => fired.push('cancelled')).cancel();
    jest.advanceTimersByTime(9);
    expect(fired).toEqual([]);
    jest.advanceTimersByTime(11);
    expect(fired).toEqual(['10a', '10b', '20']);
    expect(pendingTimers()).toBe(0);
  });

  test('any mix of adds and cancels fires the rest, in order', () => {
    const entry = fc.record({
      ms: fc.integer({ min: 1, max: 50 }),
      keep: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        const fired = [];
        const start = performance.now();
        const handles = entries.map(({ ms }, id) =>
          schedule(start + ms, () => fired.push(id)),
        );
        entries.forEach(({ keep }, id) => {
          if (!keep) handles[id].cancel();
        });
        jest.advanceTimersByTime(50);
        const expected = entries
          .map(({ ms, keep }, id) => ({ ms, keep, id }))
          .filter(({ keep }) => keep)
          .sort((a, b) => a.ms - b.ms || a.id - b.id)
          .map(({ id }) => id);
        expect(fired).toEqual(expected);
        expect(pendingTimers()).toBe(0);
        expect(jest.getTimerCount()).toBe(0);
      }),
    );
  });

  test('one Node timer however many entries, none when empty', () => {
    const handles = Array.from({ length: 1000 }, (_, i) =>
      schedule(at(1000 - i), () => {}),
    );
    expect(jest.getTimerCount()).toBe(1);
    for (const handle of handles) {
      handle.cancel();
      handle.cancel();
    }
    expect(jest.getTimerCount()).toBe(0);
  });

  test('49 days do not fire at once', () => {
    const fire = jest.fn();
    schedule(at(MAX), fire);
    jest.advanceTimersByTime(2 ** 31);
    expect(fire).not.toHaveBeenCalled();
    jest.advanceTimersByTime(MAX - 2 ** 31 - 1);
    expect(fire).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(fire).toHaveBeenCalledTimes(1);
  });

  test('never gives Node a delay it would cut to 1 ms', () => {
    const setTimeout = jest.spyOn(globalThis, 'setTimeout');
    schedule(at(MAX), () => {}).cancel();
    expect(setTimeout.mock.calls[0][1]).toBe(2 ** 31 - 1);
    setTimeout.mockRestore();
  });

  test('a callback that throws does not take the others with it', () => {
    const fire = jest.fn();
    schedule(at(5), () => {
      throw new Error('callback');
    });
    schedule(at(5), fire);
    expect(() => jest.advanceTimersByTime(5)).toThrow('callback');
    jest.advanceTimersByTime(1);
    expect(fire).toHaveBeenCalledTimes(1);
  });

  test('what a callback schedules for now waits for the next turn', () => {
    let rounds = 0;
    const again = () => {
      rounds += 1;
      if (rounds < 3) schedule(at(0), again);
    };
    schedule(at(1), again);
    jest.advanceTimersByTime(1);
    expect(rounds).toBe(1);
    jest.advanceTimersByTime(2);
    expect(rounds).toBe(3);
  });

  test('holds the process only while an entry asks for it', () => {
    const holds = () => {
      const [timer] = setTimeoutSpy.mock.results.slice(-1);
      return timer.value.hasRef();
    };
    const setTimeoutSpy = jest.spyOn(globalThis, 'setTimeout');
    const background = schedule(at(10), () => {}, { ref: false });
    expect(holds()).toBe(false);
    const job = schedule(at(20), () => {});
    expect(holds()).toBe(true);
    job.cancel();
    expect(holds()).toBe(false);
    background.ref();
    background.ref();
    expect(holds()).toBe(true);
    background.unref();
    expect(holds()).toBe(false);
    background.cancel();
    background.ref();
    background.unref();
    const next = schedule(at(10), () => {});
    expect(holds()).toBe(true);
    next.cancel();
    setTimeoutSpy.mockRestore();
  });

  test('an early Node timer is armed again', () => {
    const fire = jest.fn();
    const setTimeout = jest.spyOn(globalThis, 'setTimeout');
    schedule(at(10), fire);
    const [onTimer] = setTimeout.mock.calls[0];
    setTimeout.mockRestore();
    jest.clearAllTimers();
    onTimer();
    expect(fire).not.toHaveBeenCalled();
    jest.advanceTimersByTime(10);
    expect(fire).toHaveBeenCalledTimes(1);
  });
});

test("the timer does not carry one caller's async context to another", async () => {
  jest.useRealTimers();
  const storage = new AsyncLocalStorage();
  const seen = await storage.run('first', () => {
    schedule(performance.now() + 1, () => {});
    return new Promise((resolve) => {
      schedule(performance.now() + 2, () => resolve(storage.getStore()));
    });
  });
  expect(seen).toBeUndefined();
});
