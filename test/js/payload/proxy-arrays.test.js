'use strict';
// A proxy of an array is one for Array.isArray(), and says any length: the other
// end makes room for so many, in C++ too.

const { WorkerPool } = require('../../../lib/index.js');

const LENGTHS = {
  negative: -5,
  fraction: 1.5,
  NaN: Number.NaN,
  infinite: Infinity,
  'more than arrays have': 2 ** 32,
  text: '1',
};
const answer = ({ input }) => 6 * input;
const lying = (length) =>
  new Proxy([1, 2], {
    get: (target, key) =>
      key === 'length' ? length : Reflect.get(target, key),
  });
const codeOf = (promise) => promise.catch(({ code }) => code);

describe.each(['isolate', 'thread', 'process'])('in %s', (runtime) => {
  let pool;

  beforeAll(() => {
    const host = { take: () => 1 };
    pool = WorkerPool.create('proxies', { runtime, workers: 1, host });
  });
  afterAll(() => pool.stop());

  test.each(Object.keys(LENGTHS))('%s', async (name) => {
    // The text of a number, because NaN does not travel.
    const returns = new Function(
      `return (${lying})(${JSON.stringify(LENGTHS[name])} ?? ${LENGTHS[name]})`,
    );
    expect(await codeOf(pool.run(returns))).toBe(
      'SLOPPY_E_WORKER_MESSAGE_SERIALIZATION_FAILED',
    );
    const input = lying(LENGTHS[name]);
    expect(await codeOf(pool.run(answer, { input }))).toBe(
      'SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD',
    );
    expect(await pool.run(answer, { input: 7 })).toBe(42);
  });

  test('an honest one is its elements', async () => {
    expect(await pool.run(() => new Proxy([1, [2]], {}))).toEqual([1, [2]]);
  });
});
