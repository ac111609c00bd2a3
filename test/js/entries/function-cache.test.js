'use strict';
// A function that one isolate after another compiles comes from the code cache
// from the third on: nobody can tell.

const { WorkerPool } = require('../../../lib');

const functions = {
  'its result': ({ input }) => {
    const square = (n) => n * n;
    return [1, 2, 3].map((n) => square(n) + input);
  },
  'its text': function named({ input }) {
    return `${input} ${named}`;
  },
  'what it can see of its context': (context) => Object.keys(context).sort(),
  'an error and its place': ({ input }) => {
    const inner = () => {
      throw new RangeError(`no ${input}`);
    };
    try {
      inner();
    } catch ({ message, stack }) {
      return message + stack;
    }
  },
  'what it imports': async ({ input }) => {
    const { basename } = await import('node:path');
    return basename(`/a/${input}`);
  },
};

describe.each(['isolate', 'context'])('in a fresh %s each', (isolation) => {
  it.each(Object.keys(functions))('%s is always the same', async (name) => {
    const pool = WorkerPool.create('cached', { isolation });
    const results = [];
    for (let n = 0; n < 5; n += 1) {
      results.push(await pool.run(functions[name], { input: 7 }));
    }
    await pool.stop();
    expect(results[0]).toBeDefined();
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(
      1,
    );
  });
});

test('functions of one text in pools of other names have their own', async () => {
  const where = () => new Error('here').stack.match(/sloppy:\w+/)[0];
  const seen = [];
  for (const name of ['one', 'two', 'one', 'two', 'one', 'two']) {
    const pool = WorkerPool.create(name);
    seen.push(await pool.run(where));
    await pool.stop();
  }
  expect(seen).toEqual([
    'sloppy:one',
    'sloppy:two',
    'sloppy:one',
    'sloppy:two',
    'sloppy:one',
    'sloppy:two',
  ]);
});
