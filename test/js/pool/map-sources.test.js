'use strict';
// Sources of map, at each end of it.

const { createPool, rejection, stopAll } = require('../conformance/support.js');

afterEach(stopAll);

async function collect(values) {
  const all = [];
  for await (const value of values) all.push(value);
  return all;
}
const give = ({ input }) => input;
const fails = () => Promise.reject(new RangeError('later'));

/** A source that counts how often it was closed, and read. */
function counting(symbol, next, close = () => ({})) {
  const source = {
    closes: 0,
    reads: 0,
    [symbol]: () => ({
      next() {
        source.reads += 1;
        return next(source.reads);
      },
      return() {
        source.closes += 1;
        return close();
      },
    }),
  };
  return source;
}
const { iterator, asyncIterator } = Symbol;
const endless = (value) => ({ done: false, value });

test('a source that rejects is not closed, one whose value does is', async () => {
  const ownEnd = counting(asyncIterator, fails);
  const value = counting(iterator, () => endless(fails()));
  for (const source of [ownEnd, value]) {
    const error = await rejection(collect(createPool().map(source, give)));
    expect(error.message).toBe('later');
  }
  expect([ownEnd.closes, value.closes]).toEqual([0, 1]);
});

test('one that ends is not closed', async () => {
  const ends = (read) => (read > 2 ? { done: true } : endless(read));
  for (const symbol of [iterator, asyncIterator]) {
    const source = counting(symbol, ends);
    expect(await collect(createPool().map(source, give))).toEqual([1, 2]);
    expect([source.closes, source.reads]).toEqual([0, 3]);
  }
});

test('one that is left is closed, once', async () => {
  for (const symbol of [iterator, asyncIterator]) {
    const source = counting(symbol, endless);
    const results = createPool().map(source, give);
    expect(await results.next()).toEqual({ done: false, value: 1 });
    await results.return();
    await results.return();
    expect(source.closes).toBe(1);
  }
});

test('an error of closing is told, unless there is one already', async () => {
  const closing = () => {
    throw new Error('closing');
  };
  const left = counting(iterator, endless, closing);
  const results = createPool().map(left, give);
  await results.next();
  expect((await rejection(results.return())).message).toBe('closing');
  const failing = counting(iterator, endless, closing);
  const failed = createPool().map(failing, () => {
    throw new Error('job');
  });
  const error = await rejection(collect(failed));
  expect(error.code).toBe('SLOPPY_E_WORK_JOB_FAILED');
  expect(failing.closes).toBe(1);
});

test('one that reads for ever does not hold up the end', async () => {
  const waits = (read) => (read > 1 ? new Promise(() => {}) : endless(read));
  const source = counting(asyncIterator, waits, () => new Promise(() => {}));
  const results = createPool().map(source, give, { concurrency: 2 });
  expect((await results.next()).value).toBe(1);
  await results.return();
  expect(source.closes).toBe(1);
});
