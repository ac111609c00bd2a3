'use strict';

const {
  WorkerCancellationController,
  WorkerCancellationSignal,
} = require('../../../lib/signals/cancellation.js');

test('starts live, with a frozen controller and a sealed signal', () => {
  const controller = new WorkerCancellationController();
  const { signal } = controller;
  expect(signal).toBeInstanceOf(WorkerCancellationSignal);
  expect(Object.keys(controller)).toEqual(['signal']);
  expect(Object.isFrozen(controller)).toBe(true);
  expect(Object.isSealed(signal)).toBe(true);
  expect(signal.cancelled).toBe(false);
  expect(signal.aborted).toBe(false);
  expect(signal.reason).toBeUndefined();
  expect(() => signal.throwIfCancelled()).not.toThrow();
});

test('the first reason is final', () => {
  const controller = new WorkerCancellationController();
  expect(controller.cancel('first')).toBe(true);
  expect(controller.cancel('second')).toBe(false);
  expect(controller.signal.reason).toBe('first');
  expect(controller.signal.cancelled).toBe(true);
  expect(controller.signal.aborted).toBe(true);
});

test.each([
  [[], 'cancelled'],
  [[undefined], 'cancelled'],
  [[null], null],
  [[0], 0],
])('cancel(...%p) gives the reason %p', (args, reason) => {
  const controller = new WorkerCancellationController();
  controller.cancel(...args);
  expect(controller.signal.reason).toBe(reason);
});

test('user code cannot take a cancellation back or fake one', () => {
  const { signal } = new WorkerCancellationController();
  for (const field of ['cancelled', 'aborted', 'reason']) {
    expect(() => {
      signal[field] = true;
    }).toThrow(TypeError);
  }
  expect(signal.cancelled).toBe(false);
});

test('throwIfCancelled names the code and never the reason', () => {
  for (const reason of ['s3cret', 'deadline']) {
    const controller = new WorkerCancellationController();
    controller.cancel(reason);
    let thrown;
    try {
      controller.signal.throwIfCancelled();
    } catch (error) {
      thrown = error;
    }
    expect(thrown.message).toBe(
      'SLOPPY_E_WORK_JOB_CANCELLED: worker operation was cancelled',
    );
    expect(thrown.stack).not.toContain('s3cret');
    expect('cause' in thrown).toBe(false);
  }
});

describe('listeners', () => {
  let controller;
  let calls;
  const listen = (name) => (reason) => calls.push([name, reason]);

  beforeEach(() => {
    controller = new WorkerCancellationController();
    calls = [];
  });

  test('run synchronously, in order, once, with the reason', () => {
    controller.signal.addEventListener('abort', listen('a'));
    controller.signal.addEventListener('abort', listen('b'));
    controller.cancel('why');
    expect(calls).toEqual([
      ['a', 'why'],
      ['b', 'why'],
    ]);
    controller.cancel('again');
    expect(calls).toHaveLength(2);
  });

  test('see the terminal state', () => {
    let seen;
    controller.signal.addEventListener('abort', () => {
      seen = [controller.signal.cancelled, controller.signal.reason];
    });
    controller.cancel('why');
    expect(seen).toEqual([true, 'why']);
  });

  test('added twice run once', () => {
    const listener = listen('a');
    controller.signal.addEventListener('abort', listener);
    controller.signal.addEventListener('abort', listener, { once: false });
    controller.cancel();
    expect(calls).toHaveLength(1);
  });

  test('removed do not run, not even when removed by an earlier one', () => {
    const removedBefore = listen('before');
    const removedDuring = listen('during');
    controller.signal.addEventListener('abort', removedBefore);
    controller.signal.addEventListener('abort', () =>
      controller.signal.removeEventListener('abort', removedDuring),
    );
    controller.signal.addEventListener('abort', removedDuring);
    controller.signal.removeEventListener('abort', removedBefore);
    controller.cancel();
    expect(calls).toEqual([]);
  });

  test('added after or during the cancellation do not run', () => {
    controller.signal.addEventListener('abort', () =>
      controller.signal.addEventListener('abort', listen('during')),
    );
    controller.cancel();
    controller.signal.addEventListener('abort', listen('after'));
    controller.cancel();
    expect(calls).toEqual([]);
  });

  test('of other types and other kinds are ignored', () => {
    controller.signal.addEventListener('cancel', listen('type'));
    controller.signal.addEventListener('abort', { handleEvent: listen('obj') });
    controller.signal.addEventListener('abort', null);
    const kept = listen('kept');
    controller.signal.addEventListener('abort', kept);
    controller.signal.removeEventListener('other', kept);
    controller.cancel();
    expect(calls).toEqual([['kept', 'cancelled']]);
  });

  test('that throw neither stop the others nor reach cancel()', () => {
    controller.signal.addEventListener('abort', () => {
      throw new Error('listener');
    });
    controller.signal.addEventListener('abort', listen('next'));
    expect(controller.cancel()).toBe(true);
    expect(calls).toHaveLength(1);
  });

  test('may cancel again, to no effect', () => {
    let again;
    controller.signal.addEventListener('abort', () => {
      again = controller.cancel('inner');
    });
    controller.cancel('outer');
    expect(again).toBe(false);
    expect(controller.signal.reason).toBe('outer');
  });
});
