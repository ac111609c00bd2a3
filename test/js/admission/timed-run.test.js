'use strict';
// The time of a run, which counts anew from each start, beside the limits that
// count from the call.

jest.mock('../../../lib/base/own-time.js', () =>
  require('../support/fakeable-time.js'),
);

const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { DETAIL_TEXTS } = require('../../../lib/protocol/details.js');
const { Detail } = require('../../../lib/protocol/wire.gen.js');
const { JobState } = require('../../../lib/admission/job-state.js');
const { pendingTimers } = require('../../../lib/timers/timer-heap.js');
const { readOperation } = require('../../../lib/admission/read-operation.js');

const RUN_TIMED_OUT = DETAIL_TEXTS[Detail.RunTimedOut];

function watched(options) {
  const told = [];
  const admission = {
    runExpired: () => told.push('run'),
    expired: () => told.push('call'),
  };
  const operation = readOperation(options);
  operation.watch({ state: JobState.Admitted, holdsProcess: true }, admission);
  return { operation, told };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  expect(pendingTimers()).toBe(0);
  jest.useRealTimers();
});

test('no time passes before the run begins', () => {
  const { operation, told } = watched({ runTimeoutMs: 10 });
  jest.advanceTimersByTime(50);
  expect(told).toEqual([]);
  expect(operation.isExpired()).toBe(false);
  operation.beginRun();
  jest.advanceTimersByTime(9);
  expect(told).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(told).toEqual(['run']);
});

test('each run counts anew', () => {
  const { operation, told } = watched({ runTimeoutMs: 10 });
  operation.beginRun();
  jest.advanceTimersByTime(6);
  operation.beginRun();
  jest.advanceTimersByTime(9);
  expect(told).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(told).toEqual(['run']);
});

test('a run that began earlier has less time', () => {
  const early = watched({ runTimeoutMs: 10 });
  const late = watched({ runTimeoutMs: 10 });
  late.operation.beginRun();
  early.operation.beginRun(7);
  jest.advanceTimersByTime(2);
  expect(early.told).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(early.told).toEqual(['run']);
  expect(late.told).toEqual([]);
  jest.advanceTimersByTime(7);
  expect(late.told).toEqual(['run']);
});

test('a run that ended is not late, and its job may begin another', () => {
  const { operation, told } = watched({ runTimeoutMs: 10 });
  operation.beginRun();
  jest.advanceTimersByTime(5);
  operation.endRun();
  jest.advanceTimersByTime(50);
  expect(told).toEqual([]);
  expect(operation.isExpired()).toBe(false);
  expect(operation.refusal()).toBeUndefined();
});

test('one that took too long is the reason from then on', () => {
  const { operation, told } = watched({ runTimeoutMs: 10, timeoutMs: 1000 });
  operation.beginRun();
  operation.endRun(true);
  jest.advanceTimersByTime(50);
  expect(told).toEqual([]);
  expect(operation.isExpired()).toBe(true);
  const error = operation.refusal();
  expect(error.code).toBe(Code.JobTimeout);
  expect(error.message).toContain(RUN_TIMED_OUT);
  operation.unwatch();
});

test('a job without time to run is refused, by its own reason', () => {
  const operation = readOperation({ runTimeoutMs: 0, timeoutMs: 1000 });
  expect(operation.isExpired()).toBe(true);
  expect(operation.refusalWhenNew().message).toContain(RUN_TIMED_OUT);
  const signal = AbortSignal.abort();
  expect(readOperation({ runTimeoutMs: 0, signal }).refusalWhenNew().code).toBe(
    Code.JobCancelled,
  );
  expect(
    readOperation({ runTimeoutMs: 5, timeoutMs: 1000 }).refusalWhenNew(),
  ).toBeUndefined();
});

test('the call may be over first, which is another reason', () => {
  const { operation, told } = watched({ runTimeoutMs: 10, timeoutMs: 4 });
  operation.beginRun();
  jest.advanceTimersByTime(4);
  expect(told).toEqual(['call']);
  expect(operation.timeoutError().message).not.toContain(RUN_TIMED_OUT);
  operation.unwatch();
});

test('the deadline of the run is the earlier of both', () => {
  const { operation } = watched({ runTimeoutMs: 10, timeoutMs: 14 });
  operation.beginRun();
  expect(operation.runDeadline.remainingMs()).toBe(10);
  jest.advanceTimersByTime(6);
  operation.beginRun();
  expect(operation.runDeadline).toBe(operation.deadline);
  expect(operation.runDeadline.remainingMs()).toBe(8);
  operation.unwatch();
  const { operation: plain } = watched({ runTimeoutMs: 10 });
  plain.beginRun(3);
  expect(plain.runDeadline.remainingMs()).toBe(7);
  plain.unwatch();
});

test('it is looked at again when it was put off', () => {
  const { operation, told } = watched({ runTimeoutMs: 10 });
  operation.beginRun();
  jest.advanceTimersByTime(10);
  operation.postponeRun(4);
  jest.advanceTimersByTime(3);
  expect(told).toEqual(['run']);
  jest.advanceTimersByTime(1);
  expect(told).toEqual(['run', 'run']);
  operation.postponeRun();
  jest.advanceTimersByTime(999);
  expect(told.length).toBe(2);
  jest.advanceTimersByTime(1);
  expect(told.length).toBe(3);
});

test('nothing comes after it is watched no more', () => {
  const { operation, told } = watched({ runTimeoutMs: 10, timeoutMs: 20 });
  operation.beginRun();
  operation.unwatch();
  operation.unwatch();
  jest.advanceTimersByTime(100);
  expect(told).toEqual([]);
});

test('the time of options holds, else that of the pool', () => {
  expect(readOperation(undefined, 30).runMs).toBe(30);
  expect(readOperation(null, 30).runMs).toBe(30);
  expect(readOperation({}, 30).runMs).toBe(30);
  expect(readOperation({ runTimeoutMs: 5 }, 30).runMs).toBe(5);
  expect(readOperation({ timeoutMs: 5 }, 30).runMs).toBe(30);
  expect(readOperation({ timeoutMs: 5 }).runMs).toBe(Infinity);
});
