'use strict';

const { benchmark } = require('../../../lib/adapters/qoper8/benchmark.js');

afterEach(() => jest.restoreAllMocks());

test('a delay that has shrunk below nothing is no negative timer', async () => {
  jest.spyOn(console, 'log').mockImplementation(() => {});
  const ended = new Promise((resolve) => {
    jest.spyOn(process, 'exit').mockImplementation(resolve);
  });
  const { setTimeout } = globalThis;
  const delays = [];
  jest.spyOn(globalThis, 'setTimeout').mockImplementation((fn, delay) => {
    delays.push(delay);
    return setTimeout(fn, delay);
  });
  // Most blocks find the queue empty: the delay goes down each time.
  const { messages } = await benchmark({
    poolSize: 1,
    maxMessages: 40,
    blockLength: 1,
    delay: 2,
  });
  expect(messages).toBe(40);
  expect(delays.length).toBeGreaterThanOrEqual(40);
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(0);
  await ended;
});
