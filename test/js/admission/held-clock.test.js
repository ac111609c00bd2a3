'use strict';
// Limits while a debugger has held a worker: their clock is behind that of
// deadlines, which callers and jobs read.

jest.mock('../../../lib/base/own-time.js', () =>
  require('../support/fakeable-time.js'),
);

const { Deadline } = require('../../../lib/signals/deadline.js');
const { holdLimitsFor } = require('../../../lib/base/limits-clock.js');
const { JobState } = require('../../../lib/admission/job-state.js');
const { readOperation } = require('../../../lib/admission/read-operation.js');

let held = 0;

beforeEach(() => {
  jest.useFakeTimers();
  held = 100;
  holdLimitsFor({ heldMs: () => held, isHeld: () => false });
});

afterEach(() => jest.useRealTimers());

function expectEndAfter(operation, ms) {
  jest.advanceTimersByTime(ms - 1);
  expect(operation.isExpired()).toBe(false);
  jest.advanceTimersByTime(1);
  expect(operation.isExpired()).toBe(true);
}

test('timeoutMs counts from the call, and is put off by what is held since', () => {
  const operation = readOperation({ timeoutMs: 10 });
  held += 5;
  expect(operation.deadline.remainingMs()).toBe(15);
  expectEndAfter(operation, 15);
});

test('a Deadline ends when it says', () => {
  expectEndAfter(readOperation({ deadline: Deadline.after(10) }), 10);
  expectEndAfter(
    readOperation({ deadline: Deadline.after(10), timeoutMs: 20 }),
    10,
  );
  expectEndAfter(
    readOperation({ deadline: Deadline.after(20), timeoutMs: 10 }),
    10,
  );
});

test('and the earlier of it and timeoutMs is the deadline of the job', () => {
  const later = Deadline.after(20);
  const own = readOperation({ deadline: later, timeoutMs: 10 }).deadline;
  expect(own).not.toBe(later);
  expect(own.remainingMs()).toBe(10);
  const earlier = Deadline.after(10);
  const operation = readOperation({ deadline: earlier, timeoutMs: 20 });
  expect(operation.deadline).toBe(earlier);
  const same = Deadline.after(20);
  expect(readOperation({ deadline: same, timeoutMs: 20 }).deadline).toBe(same);
});

test('a foreign deadline ends when it said, or with timeoutMs', () => {
  const deadline = { remainingMs: () => 10 };
  expectEndAfter(readOperation({ deadline }), 10);
  const both = readOperation({ deadline, timeoutMs: 4 });
  expect(both.deadline.remainingMs()).toBe(4);
  expectEndAfter(both, 4);
  expectEndAfter(readOperation({ deadline, timeoutMs: 20 }), 10);
});

test('one that is over for long has no time left, beside timeoutMs as well', () => {
  const deadline = { remainingMs: () => -5 };
  const operation = readOperation({ deadline, timeoutMs: 20 });
  expect(operation.deadline.remainingMs()).toBe(0);
  expect(operation.deadline.expired).toBe(true);
  expect(operation.isExpired()).toBe(true);
});

test('the deadline of a run is that of its limit', () => {
  const operation = readOperation({ runTimeoutMs: 10 });
  operation.watch({ state: JobState.Admitted, holdsProcess: true }, {});
  operation.beginRun();
  expect(operation.runDeadline.remainingMs()).toBe(10);
  operation.unwatch();
});

test('a limit that was put off is looked at a second later', () => {
  const told = [];
  const operation = readOperation({ timeoutMs: 10 });
  const admission = { expired: () => told.push(performance.now()) };
  operation.watch({ state: JobState.Admitted, holdsProcess: true }, admission);
  const began = performance.now();
  jest.advanceTimersByTime(10);
  operation.postpone();
  jest.advanceTimersByTime(2000);
  expect(told).toEqual([began + 10, began + 1010]);
  operation.unwatch();
});
