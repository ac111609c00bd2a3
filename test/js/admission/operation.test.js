'use strict';

jest.mock('../../../lib/base/own-time.js', () =>
  require('../support/fakeable-time.js'),
);

const { getEventListeners } = require('node:events');
const vm = require('node:vm');
const fc = require('fast-check');
const {
  WorkerCancellationController,
} = require('../../../lib/signals/cancellation.js');
const { Deadline } = require('../../../lib/signals/deadline.js');
const { SharedStack } = require('../../../lib/errors/shared-stack.js');
const { JobState } = require('../../../lib/admission/job-state.js');
const { onSignalCancel } = require('../../../lib/signals/any-signal.js');
const { NO_OPERATION } = require('../../../lib/admission/operation.js');
const { readOperation } = require('../../../lib/admission/read-operation.js');
const { CancellationController } = require('../../../lib/time.js');

const CANCELLED = 'SLOPPY_E_WORK_JOB_CANCELLED: worker operation was cancelled';
const TIMED_OUT = 'SLOPPY_E_WORK_JOB_TIMEOUT: worker operation timed out';

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

describe('the bag', () => {
  test.each([undefined, null, {}, Object.create(null), { input: 1 }])(
    '%p asks for nothing',
    (options) => {
      expect(readOperation(options)).toBe(NO_OPERATION);
    },
  );

  test('nothing means no refusal and no subscription', () => {
    expect(Object.isFrozen(NO_OPERATION)).toBe(true);
    expect(NO_OPERATION.refusal()).toBeUndefined();
    expect(NO_OPERATION.expiresAt).toBe(Infinity);
  });

  class Bag {}
  test.each([1, 'x', true, [], () => {}, new Bag(), new Map()])(
    '%p is not plain',
    (options) => {
      expect(() => readOperation(options)).toThrow(
        new TypeError('worker operation options must be a plain object.'),
      );
    },
  );

  test('of another realm is plain', () => {
    const foreign = vm.runInNewContext('({ timeoutMs: 5 })');
    expect(readOperation(foreign).deadline.remainingMs()).toBe(5);
    const odd = vm.runInNewContext('new (class Bag {})()');
    expect(() => readOperation(odd)).toThrow(TypeError);
  });

  test('is read once per key and not kept', () => {
    const reads = [];
    const bag = {};
    for (const key of ['signal', 'timeoutMs', 'deadline']) {
      Object.defineProperty(bag, key, {
        get() {
          reads.push(key);
          return undefined;
        },
      });
    }
    readOperation(bag);
    expect(reads.sort()).toEqual(['deadline', 'signal', 'timeoutMs']);
  });
});

describe('signal', () => {
  test.each([null, 1, 'x', {}, { cancelled: 1 }, { aborted: 'no' }, () => {}])(
    '%p is refused',
    (signal) => {
      expect(() => readOperation({ signal })).toThrow(
        new TypeError(
          'worker signal must be a Sloppy cancellation signal or AbortSignal-like object.',
        ),
      );
    },
  );

  const kinds = {
    WorkerCancellationSignal: () => {
      const controller = new WorkerCancellationController();
      return [controller.signal, (reason) => controller.cancel(reason)];
    },
    'sloppy/time signal': () => {
      const controller = new CancellationController();
      return [controller.signal, (reason) => controller.cancel(reason)];
    },
    AbortSignal: () => {
      const controller = new AbortController();
      return [controller.signal, (reason) => controller.abort(reason)];
    },
    'AbortSignal of another realm': () => {
      const context = vm.createContext({ AbortController });
      const controller = vm.runInContext('new AbortController()', context);
      return [controller.signal, (reason) => controller.abort(reason)];
    },
    'duck type': () => {
      const signal = {
        cancelled: false,
        listeners: new Set(),
        addEventListener: (_, fn) => signal.listeners.add(fn),
        removeEventListener: (_, fn) => signal.listeners.delete(fn),
      };
      const cancel = (reason) => {
        signal.cancelled = true;
        signal.reason = reason;
        for (const fn of [...signal.listeners]) fn();
      };
      return [signal, cancel];
    },
  };

  describe.each(Object.entries(kinds))('%s', (_, make) => {
    test('reports once, to every subscriber that stayed', () => {
      const [signal, cancel] = make();
      const operation = readOperation({ signal });
      expect(operation.refusal()).toBeUndefined();
      const calls = [];
      const leave = onSignalCancel(signal, () => calls.push('left'));
      onSignalCancel(signal, () => calls.push('stayed'));
      leave();
      leave();
      cancel('why');
      expect(calls).toEqual(['stayed']);
      expect(operation.isCancelled()).toBe(true);
      expect(operation.refusal().message).toBe(CANCELLED);
    });

    test('watched, it reports its job until it is watched no more', () => {
      const [signal, cancel] = make();
      const watching = readOperation({ signal });
      const gone = readOperation({ signal });
      const admission = { cancelled: jest.fn() };
      const job = { state: JobState.New };
      watching.watch(job, admission);
      gone.watch({ state: JobState.New }, admission);
      gone.unwatch();
      gone.unwatch();
      cancel('why');
      expect(admission.cancelled.mock.calls).toEqual([
        [job, expect.any(SharedStack)],
      ]);
    });

    test('a job that is over when it is watched is watched no more', () => {
      const [signal, cancel] = make();
      const admission = { cancelled: jest.fn() };
      const operation = readOperation({ signal, timeoutMs: 1000 });
      operation.watch({ state: JobState.Released }, admission);
      cancel('why');
      expect(admission.cancelled).not.toHaveBeenCalled();
    });

    test('reports at once when it is cancelled already', () => {
      const [signal, cancel] = make();
      cancel('why');
      const fn = jest.fn();
      onSignalCancel(signal, fn);
      expect(fn).toHaveBeenCalledTimes(1);
    });

    test('subscribes the same function independently', () => {
      const [signal, cancel] = make();
      const fn = jest.fn();
      const leave = onSignalCancel(signal, fn);
      onSignalCancel(signal, fn);
      leave();
      cancel();
      expect(fn).toHaveBeenCalledTimes(1);
    });
  });

  test('an AbortSignal carries one listener for all, none when all left', () => {
    const { signal } = new AbortController();
    const leave = Array.from({ length: 100 }, () =>
      onSignalCancel(signal, () => {}),
    );
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    for (const unsubscribe of leave) unsubscribe();
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  test('a subscriber that throws does not stop the others', () => {
    const controller = new CancellationController();
    const { signal } = controller;
    const fn = jest.fn();
    onSignalCancel(signal, () => {
      throw new Error('subscriber');
    });
    onSignalCancel(signal, fn);
    expect(() => controller.cancel()).toThrow(AggregateError);
    expect(fn).toHaveBeenCalledTimes(1);
  });

  test('without addEventListener is read and never reports', () => {
    const signal = { aborted: false };
    const operation = readOperation({ signal });
    const fn = jest.fn();
    onSignalCancel(signal, fn);
    signal.aborted = true;
    expect(operation.isCancelled()).toBe(true);
    expect(fn).not.toHaveBeenCalled();
  });

  test.each([
    ['deadline', TIMED_OUT],
    ['timeout', TIMED_OUT],
    [{ name: 'TimeoutError' }, TIMED_OUT],
    ['Deadline', CANCELLED],
    ['deadline ', CANCELLED],
    [undefined, CANCELLED],
    [null, CANCELLED],
    [{ name: 'AbortError' }, CANCELLED],
  ])('reason %p', (reason, message) => {
    const error = readOperation({
      signal: { cancelled: true, reason },
    }).refusal();
    expect(error.message).toBe(message);
    expect('cause' in error).toBe(false);
  });

  test('a reason whose name cannot be read decides nothing', () => {
    const reason = {
      get name() {
        throw new Error('hostile');
      },
    };
    const error = readOperation({
      signal: { cancelled: true, reason },
    }).refusal();
    expect(error.message).toBe(CANCELLED);
  });

  test('AbortSignal.timeout and CancellationController.timeout time out', async () => {
    jest.useRealTimers();
    const { signal } = CancellationController.timeout(1);
    const abortSignal = AbortSignal.timeout(1);
    await new Promise((resolve) => {
      onSignalCancel(abortSignal, resolve);
    });
    await new Promise((resolve) => {
      onSignalCancel(signal, resolve);
    });
    for (const each of [signal, abortSignal]) {
      expect(readOperation({ signal: each }).refusal().message).toBe(TIMED_OUT);
    }
  });

  test('a signal whose reason cannot be read is cancelled', () => {
    const signal = {
      cancelled: true,
      get reason() {
        throw new Error('hostile');
      },
    };
    expect(readOperation({ signal }).refusal().message).toBe(CANCELLED);
  });
});

describe('timeoutMs', () => {
  test.each([null, '5', -1, NaN, Infinity, 5n, {}])(
    '%p is refused',
    (timeoutMs) => {
      expect(() => readOperation({ timeoutMs })).toThrow(
        new TypeError('worker timeoutMs must be finite and non-negative.'),
      );
    },
  );

  test('0 has expired', () => {
    const operation = readOperation({ timeoutMs: 0 });
    expect(operation.refusal().message).toBe(TIMED_OUT);
    expect(operation.deadline.expired).toBe(true);
  });

  test('is rounded up and counts from the call', () => {
    const operation = readOperation({ timeoutMs: 1.2 });
    expect(operation.deadline.remainingMs()).toBe(2);
    jest.advanceTimersByTime(1);
    expect(operation.isExpired()).toBe(false);
    jest.advanceTimersByTime(1);
    expect(operation.isExpired()).toBe(true);
    expect(operation.deadline.remainingMs()).toBe(0);
  });
});

describe('deadline', () => {
  test('undefined and null are none', () => {
    expect(readOperation({ deadline: undefined })).toBe(NO_OPERATION);
    expect(readOperation({ deadline: null })).toBe(NO_OPERATION);
  });

  test('an object with remainingMs() is used as it is', () => {
    const deadline = { remainingMs: () => 7 };
    const operation = readOperation({ deadline });
    expect(operation.deadline).toBe(deadline);
    jest.advanceTimersByTime(7);
    expect(operation.isExpired()).toBe(true);
  });

  test('a Deadline shares its instant', () => {
    const deadline = Deadline.after(10);
    expect(readOperation({ deadline }).expiresAt).toBe(
      deadline.expiresAtMonotonicMs,
    );
    expect(readOperation({ deadline: Deadline.never() }).expiresAt).toBe(
      Infinity,
    );
  });

  test('one that never comes is told from none, and from one that does', () => {
    const isEndless = (options) => readOperation(options).isEndless;
    expect(isEndless({ deadline: Deadline.never() })).toBe(true);
    expect(isEndless({ deadline: { remainingMs: () => Infinity } })).toBe(true);
    expect(isEndless({ deadline: Deadline.after(10) })).toBe(false);
    expect(isEndless({ timeoutMs: 10 })).toBe(false);
    expect(isEndless({ signal: new AbortController().signal })).toBe(false);
  });

  test('a number is milliseconds from now', () => {
    expect(readOperation({ deadline: 5 }).deadline.remainingMs()).toBe(5);
  });

  test.each([-1, NaN, Infinity, 0x100000000])('%p is no delay', (deadline) => {
    expect(() => readOperation({ deadline })).toThrow(
      expect.objectContaining({ name: 'InvalidDeadlineError' }),
    );
  });

  test.each(['5', true, {}, { remainingMs: 5 }, new Date(), []])(
    '%p has no remainingMs()',
    (deadline) => {
      expect(() => readOperation({ deadline })).toThrow(
        new TypeError('worker deadline must expose remainingMs().'),
      );
    },
  );

  test.each([NaN, -Infinity, '5', undefined, null, 5n])(
    'remainingMs() answering %p is refused',
    (answer) => {
      expect(() =>
        readOperation({ deadline: { remainingMs: () => answer } }),
      ).toThrow(
        new TypeError(
          'worker deadline remainingMs() must be finite or Infinity.',
        ),
      );
    },
  );

  test('negative counts as 0', () => {
    const operation = readOperation({ deadline: { remainingMs: () => -5 } });
    expect(operation.refusal().message).toBe(TIMED_OUT);
  });

  test('together with timeoutMs the earlier wins, in a frozen deadline', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.nat(1000), (deadlineMs, timeoutMs) => {
        const { deadline, expiresAt } = readOperation({
          deadline: { remainingMs: () => deadlineMs },
          timeoutMs,
        });
        const earlier = Math.min(deadlineMs, timeoutMs);
        expect(Object.isFrozen(deadline)).toBe(true);
        expect(deadline.remainingMs()).toBe(earlier);
        expect(deadline.expired).toBe(earlier === 0);
        expect(expiresAt - performance.now()).toBe(earlier);
      }),
    );
  });
});

test('a cancelled signal comes before an expired deadline', () => {
  const controller = new WorkerCancellationController();
  controller.cancel();
  const operation = readOperation({ signal: controller.signal, timeoutMs: 0 });
  expect(operation.refusal().message).toBe(CANCELLED);
});

test('the earlier of two deadlines cannot be changed by who sees it', () => {
  const foreign = { remainingMs: () => 50 };
  const { deadline } = readOperation({ deadline: foreign, timeoutMs: 20 });
  expect(Object.isFrozen(deadline)).toBe(true);
  expect(deadline.expired).toBe(false);
});
