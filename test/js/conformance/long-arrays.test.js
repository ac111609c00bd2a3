'use strict';
// Arrays of little but length: holes count, because they arrive as null.

const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { createPool, rejection, stopAll } = require('./support.js');

afterEach(stopAll);

const arrays = {
  'nothing but holes': () => new Array(4e9),
  'a last element': () => {
    const list = [];
    list[1e9] = 1;
    return list;
  },
  'inside of others': () => ({ list: [[new Array(4e9)]] }),
  'many of them': () => new Array(30).fill(new Array(20_000)),
};

test.each(Object.keys(arrays))('%s', async (name) => {
  const limits = { maxPayloadBytes: 500_000, maxResultBytes: 500_000 };
  const pool = createPool(limits);
  const input = arrays[name]();
  const refused = await rejection(pool.run(() => 1, { input }));
  expect(refused.code).toBe(Code.ResourceLimit);
  expect(refused.message).toContain('maxPayloadBytes');

  const make = new Function(`return (${arrays[name]})();`);
  const result = await rejection(pool.run(make));
  expect(result.code).toBe(Code.ResourceLimit);
  expect(result.message).toContain('maxResultBytes');

  const emit = new Function('{ emit }', `emit((${arrays[name]})());`);
  const onMessage = () => {
    throw new Error('emitted');
  };
  const emitted = await rejection(pool.run(emit, { onMessage }));
  expect(emitted.code).toBe(Code.JobFailed);
  expect(await pool.run(({ input }) => input, { input: new Array(2) })).toEqual(
    [null, null],
  );
});
