'use strict';

jest.mock('../../../../lib/base/own-time.js', () =>
  require('../../support/fakeable-time.js'),
);

const { readPoolPolicy } = require('../../../../lib/options/pool-policy.js');
const {
  keepSpares,
  takeSpare,
} = require('../../../../lib/executors/isolate/spares.js');

// An executor that is up at once, and tells whether it was closed.
const make = jest.fn((settings) => ({
  settings,
  closed: false,
  inspector: { stats: async () => [] },
  prestart: () => true,
  adopt(given) {
    this.settings = given;
  },
  tellWorkers() {},
  async close() {
    this.closed = true;
  },
}));
const warmUp = jest.fn(async () => {});

const keep = (options, count) =>
  keepSpares(readPoolPolicy('spare', options), count, make, warmUp);

beforeEach(() => {
  jest.useFakeTimers();
  make.mockClear();
});
afterEach(() => {
  jest.useRealTimers();
});

test('each is given away once, to a pool of the same limits', async () => {
  await keep({ memoryLimitMb: 64 }, 2);
  const made = make.mock.results.map(({ value }) => value);
  expect(takeSpare(readPoolPolicy('other', { memoryLimitMb: 65 }))).toBe(
    undefined,
  );
  const wanted = readPoolPolicy('mine', {
    memoryLimitMb: 64,
    overflow: 'reject',
  });
  const taken = [takeSpare(wanted), takeSpare(wanted)];
  expect(new Set(taken)).toEqual(new Set(made));
  expect(taken[0].settings).toBe(wanted);
  expect(takeSpare(wanted)).toBe(undefined);
  await jest.runAllTimersAsync();
  expect(make).toHaveBeenCalledTimes(4);
  await keep({ memoryLimitMb: 64 }, 0);
  expect(takeSpare(wanted)).toBe(undefined);
  const closed = make.mock.results.map(({ value }) => value.closed);
  expect(closed.filter(Boolean)).toHaveLength(2);
});

test('is up only when those that are starting are, tried out', async () => {
  let free;
  warmUp.mockImplementationOnce(
    () =>
      new Promise((resolve) => {
        free = resolve;
      }),
  );
  const first = keep({ memoryLimitMb: 17 }, 1);
  let up = false;
  const second = keep({ memoryLimitMb: 17 }, 1).then(() => {
    up = true;
  });
  await jest.advanceTimersByTimeAsync(0);
  expect(up).toBe(false);
  free();
  await Promise.all([first, second]);
  expect(make).toHaveBeenCalledTimes(1);
  await keep({ memoryLimitMb: 17 }, 0);
});

test.each([
  [{}, 1],
  [{ isolation: 'context' }, 0],
  [{ isolation: 'isolate' }, 0],
  [{ recycleAfterJobs: 1 }, 0],
  [{ module: __filename }, 0],
])('of %j is tried out %i times', async (options, times) => {
  warmUp.mockClear();
  await keep(options, 1);
  expect(warmUp).toHaveBeenCalledTimes(times);
  await keep(options, 0);
});

test('others take its place when none was taken for a while', async () => {
  await keep({}, 2);
  takeSpare(readPoolPolicy('a', {}));
  await jest.advanceTimersByTimeAsync(4);
  takeSpare(readPoolPolicy('b', {}));
  await jest.advanceTimersByTimeAsync(4);
  expect(make).toHaveBeenCalledTimes(2);
  await jest.advanceTimersByTimeAsync(4);
  expect(make).toHaveBeenCalledTimes(4);
  await keep({}, 0);
});

test('host functions and init are not for spares', async () => {
  await keep({}, 1);
  expect(takeSpare(readPoolPolicy('a', { host: {} }))).toBe(undefined);
  await keep({}, 0);
});

test('a spare that comes too late is ended', async () => {
  const starting = keep({}, 1);
  await keep({}, 0);
  await starting;
  expect(make.mock.results[0].value.closed).toBe(true);
});
