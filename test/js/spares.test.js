'use strict';

const {
  readPoolPolicy,
  executorSettings,
} = require('../../lib/internal/pool-policy.js');
const { keepSpares, takeSpare } = require('../../lib/internal/spares.js');

const settingsOf = (name, options) =>
  executorSettings(readPoolPolicy(name, options));

// An executor that is up at once, and tells whether it was closed.
const make = jest.fn((settings) => ({
  settings,
  closed: false,
  inspector: { stats: async () => [] },
  prestart: () => true,
  adopt(given) {
    this.settings = given;
  },
  async close() {
    this.closed = true;
  },
}));

const keep = (options, count) =>
  keepSpares(settingsOf('spare', options), count, make);

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
  expect(takeSpare(settingsOf('other', { memoryLimitMb: 65 }))).toBe(undefined);
  const wanted = settingsOf('mine', { memoryLimitMb: 64, overflow: 'reject' });
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

test('host functions and init are not for spares', async () => {
  await keep({}, 1);
  expect(takeSpare(settingsOf('a', { host: {} }))).toBe(undefined);
  await keep({}, 0);
});

test('a spare that comes too late is ended', async () => {
  const starting = keep({}, 1);
  await keep({}, 0);
  await starting;
  expect(make.mock.results[0].value.closed).toBe(true);
});
