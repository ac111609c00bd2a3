'use strict';

jest.mock('../../../lib/base/own-time.js', () =>
  require('../support/fakeable-time.js'),
);

const fc = require('fast-check');

const { pendingTimers } = require('../../../lib/timers/timer-heap.js');
const { startLimit, stopLimit } = require('../../../lib/timers/timer-lists.js');

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  expect(pendingTimers()).toBe(0);
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});

function limitAt(expiresAt, ms, fire, subject) {
  const limit = { expiresAt, limits: null, expired: () => fire(subject) };
  startLimit(ms, limit);
  return limit;
}

const after = (ms, fire, subject) =>
  limitAt(performance.now() + ms, ms, fire, subject);

test('limits of one duration cost one entry in the heap', () => {
  const fired = [];
  const limits = Array.from({ length: 100 }, (_, i) =>
    after(10, (n) => fired.push(n), i),
  );
  expect(pendingTimers()).toBe(1);
  for (const i of [0, 50, 99, 50]) stopLimit(limits[i]);
  jest.advanceTimersByTime(9);
  expect(fired).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(fired).toHaveLength(97);
  expect(fired).toEqual([...fired].sort((a, b) => a - b));
});

test('any mix of adds, cancels and time fires the rest, each in its time', () => {
  const step = fc.record({
    wait: fc.integer({ min: 0, max: 5 }),
    ms: fc.integer({ min: 1, max: 100 }),
    cancel: fc.option(fc.nat(40), { nil: -1 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const limits = [];
      const due = new Map();
      const fired = new Set();
      for (const { wait, ms, cancel } of steps) {
        jest.advanceTimersByTime(wait);
        const id = limits.length;
        const at = performance.now() + ms;
        const fire = () => {
          expect(performance.now()).toBe(at);
          expect(fired.has(id)).toBe(false);
          fired.add(id);
        };
        limits.push(limitAt(at, ms, fire));
        due.set(id, at);
        if (cancel < 0 || cancel >= limits.length) continue;
        stopLimit(limits[cancel]);
        if (!fired.has(cancel)) due.delete(cancel);
      }
      jest.advanceTimersByTime(100);
      expect([...fired].sort()).toEqual([...due.keys()].sort());
      expect(pendingTimers()).toBe(0);
      expect(jest.getTimerCount()).toBe(0);
    }),
  );
});

test('one that comes late keeps the order of the list', () => {
  const fired = [];
  const fire = (name) => fired.push(name);
  const now = performance.now();
  limitAt(now + 10.5, 10, fire, 'outer');
  limitAt(now + 10.2, 10, fire, 'inner');
  limitAt(now + 10.4, 10, fire, 'second');
  jest.advanceTimersByTime(11);
  expect(fired).toEqual(['inner', 'second', 'outer']);
});

test('what a limit adds or cancels while it fires', () => {
  const fired = [];
  const others = [];
  const fire = (name) => {
    fired.push(name);
    stopLimit(others[0]);
    if (fired.length < 3) after(5, fire, 'again');
  };
  after(5, fire, 'first');
  others.push(after(5, fire, 'cancelled'));
  jest.advanceTimersByTime(5);
  expect(fired).toEqual(['first']);
  jest.advanceTimersByTime(10);
  expect(fired).toEqual(['first', 'again', 'again']);
});

test('one that throws does not take the others with it', () => {
  const fire = jest.fn();
  after(5, () => {
    throw new Error('limit');
  });
  after(5, fire);
  expect(() => jest.advanceTimersByTime(5)).toThrow('limit');
  jest.advanceTimersByTime(1);
  expect(fire).toHaveBeenCalledTimes(1);
});
