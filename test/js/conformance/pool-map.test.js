'use strict';
// pool.map: order, backpressure, and the end of its source.

const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { createGate, createPool, moduleFile, rejection, stopAll } =
  require('./support.js');

afterEach(stopAll);

const MODULE = 'export const double = (n) => n * 2;';

async function collect(iterable) {
  const values = [];
  for await (const value of iterable) values.push(value);
  return values;
}

test('keeps the order of its source', async () => {
  const pool = createPool({ workers: 2 });
  const source = Array.from({ length: 30 }, (_, i) => i);
  const fn = async ({ input }) => {
    if (input % 3 === 0) await new Promise((done) => setTimeout(done, 1));
    return input * 2;
  };
  expect(await collect(pool.map(source, fn))).toEqual(source.map((n) => n * 2));
});

test('takes async sources and names of exports', async () => {
  async function* source() {
    yield 1;
    yield 2;
  }
  expect(
    await collect(
      createPool({ module: moduleFile(MODULE) }).map(source(), 'double'),
    ),
  ).toEqual([2, 4]);
  expect(
    await collect(
      createPool({ module: moduleFile(MODULE) }).map(new Set([5]), 'double'),
    ),
  ).toEqual([10]);
});

test('reads no further ahead than its concurrency', async () => {
  const pool = createPool({ workers: 1 });
  let taken = 0;
  let mostAhead = 0;
  let consumed = 0;
  function* source() {
    for (let i = 0; i < 50; i += 1) {
      taken += 1;
      mostAhead = Math.max(mostAhead, taken - consumed);
      yield i;
    }
  }
  const run = pool.map(source(), ({ input }) => input, { concurrency: 3 });
  for await (const value of run) {
    expect(value).toBe(consumed);
    consumed += 1;
  }
  expect(consumed).toBe(50);
  expect(mostAhead).toBeGreaterThan(1);
  expect(mostAhead).toBeLessThanOrEqual(4);
});

test('closes its source on an error and stops what is under way', async () => {
  const pool = createPool({ workers: 1 });
  let closed = false;
  function* source() {
    try {
      for (let i = 0; ; i += 1) yield i;
    } finally {
      closed = true;
    }
  }
  const fn = ({ input }) => {
    if (input === 2) throw new RangeError('two');
    return input;
  };
  const seen = [];
  const consume = async () => {
    for await (const value of pool.map(source(), fn)) seen.push(value);
  };
  expect((await rejection(consume())).code).toBe(Code.JobFailed);
  expect(seen).toEqual([0, 1]);
  expect(closed).toBe(true);
  await pool.drain();
  expect(pool.state.queue).toMatchObject({ active: 0, queued: 0 });
});

test('closes its source when the loop is left', async () => {
  const pool = createPool();
  let closed = false;
  async function* source() {
    try {
      for (let i = 0; ; i += 1) yield i;
    } finally {
      closed = true;
    }
  }
  for await (const value of pool.map(source(), ({ input }) => input)) {
    if (value === 3) break;
  }
  expect(closed).toBe(true);
});

test('follows a signal', async () => {
  const pool = createPool();
  const controller = new AbortController();
  const endless = () => {
    for (;;);
  };
  const results = collect(
    pool.map([1, 2], endless, { signal: controller.signal }),
  );
  const rejected = rejection(results);
  await new Promise((done) => setImmediate(done));
  controller.abort();
  expect((await rejected).code).toBe(Code.JobCancelled);
});

test('a source that throws', async () => {
  function* source() {
    yield 1;
    throw new RangeError('source');
  }
  const error = await rejection(
    collect(createPool().map(source(), ({ input }) => input)),
  );
  expect(error.message).toBe('source');
});

test('bad arguments', async () => {
  const pool = createPool();
  expect(() => pool.map([1], 5)).toThrow(TypeError);
  for (const iterable of [5, null, undefined, {}]) {
    const error = await rejection(collect(pool.map(iterable, () => 1)));
    expect(error).toBeInstanceOf(TypeError);
  }
  const error = await rejection(
    collect(pool.map([1], () => 1, { concurrency: 0 })),
  );
  expect(error).toBeInstanceOf(TypeError);
});

test('an empty source', async () => {
  expect(await collect(createPool().map([], () => 1))).toEqual([]);
});

const give = ({ input }) => input;

/** Yields 1 and then nothing for ever; `closed` tells of its end. */
function slowSource() {
  const source = { closed: false };
  source[Symbol.asyncIterator] = () => {
    let isFirst = true;
    return {
      next() {
        if (!isFirst) return new Promise(() => {});
        isFirst = false;
        return Promise.resolve({ done: false, value: 1 });
      },
      return() {
        source.closed = true;
        return new Promise(() => {});
      },
    };
  };
  return source;
}

test('a slow source holds up neither results nor the end', async () => {
  const source = slowSource();
  const results = createPool().map(source, give, { concurrency: 4 });
  expect(await results.next()).toEqual({ done: false, value: 1 });
  await results.return();
  expect(source.closed).toBe(true);
});

test('nor failures', async () => {
  const source = slowSource();
  const failing = () => {
    throw new RangeError('one');
  };
  const results = createPool().map(source, failing, { concurrency: 4 });
  expect((await rejection(results.next())).code).toBe(Code.JobFailed);
  expect(source.closed).toBe(true);
});

test('nor cancellation', async () => {
  const source = slowSource();
  const controller = new AbortController();
  const { signal } = controller;
  const results = createPool().map(source, give, { concurrency: 4, signal });
  await results.next();
  const failing = rejection(results.next());
  controller.abort();
  expect((await failing).code).toBe(Code.JobCancelled);
  expect(source.closed).toBe(true);
});

test('a source may depend on the results', async () => {
  const found = [1];
  async function* source() {
    for (let i = 0; i < 5; i += 1) {
      while (found.length <= i) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      yield found[i];
    }
  }
  const pool = createPool({ workers: 2 });
  for await (const value of pool.map(source(), ({ input }) => input * 2)) {
    found.push(value);
  }
  expect(found).toEqual([1, 2, 4, 8, 16, 32]);
});

test('reads no more once a job has failed', async () => {
  const gate = createGate();
  const fn = async ({ input, host }) => {
    if (input === 2) throw new RangeError('two');
    if (input === 1) await host.wait();
    return input;
  };
  const pool = createPool({
    workers: 2,
    maxQueued: 1000,
    host: { wait: gate.wait },
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  let read = 0;
  async function* source() {
    for (;;) {
      read += 1;
      // The third is asked for before the second has failed.
      while (read === 3 && pool.state.queue.stats.failed === 0) await turn();
      if (read === 3) await turn();
      yield read;
    }
  }
  const results = pool.map(source(), fn, { concurrency: 1000 });
  const first = results.next();
  while (pool.state.queue.stats.failed === 0) await turn();
  for (let n = 0; n < 10; n += 1) await turn();
  gate.open();
  expect(await first).toEqual({ done: false, value: 1 });
  expect((await rejection(results.next())).code).toBe(Code.JobFailed);
  expect(read).toBe(3);
});

test('a source that throws is not closed, and its results come', async () => {
  let closed = false;
  let count = 0;
  const source = {
    [Symbol.iterator]: () => ({
      next() {
        count += 1;
        if (count === 3) throw new RangeError('source');
        return { done: false, value: count };
      },
      return() {
        closed = true;
        return {};
      },
    }),
  };
  const results = createPool().map(source, give);
  const seen = [];
  const consume = async () => {
    for await (const value of results) seen.push(value);
  };
  expect((await rejection(consume())).message).toBe('source');
  expect(seen).toEqual([1, 2]);
  expect(closed).toBe(false);
});

test('promises in an iterable are waited for', async () => {
  const source = [Promise.resolve(1), 2, Promise.resolve(3)];
  expect(await collect(createPool().map(source, give))).toEqual([1, 2, 3]);
  const error = await rejection(
    collect(createPool().map([Promise.reject(new RangeError('p'))], give)),
  );
  expect(error.message).toBe('p');
});

test.each([
  ['no result object', { [Symbol.iterator]: () => ({ next: () => 5 }) }],
  ['no next', { [Symbol.iterator]: () => ({}) }],
])('a broken iterator: %s', async (_what, source) => {
  const error = await rejection(collect(createPool().map(source, give)));
  expect(error).toBeInstanceOf(TypeError);
});

test.each([
  [{ signal: null }],
  [{ signal: {} }],
  [{ timeoutMs: 'x' }],
  [{ deadline: {} }],
  ['options'],
])('bad options %j: the source is not opened', async (options) => {
  const open = jest.fn(() => [][Symbol.iterator]());
  const source = { [Symbol.iterator]: open };
  const error = await rejection(
    collect(createPool().map(source, give, options)),
  );
  expect(error).toBeInstanceOf(TypeError);
  expect(error.message).toMatch(/^worker /);
  expect(open).not.toHaveBeenCalled();
});

test('null is no options, and cancelled is not begun', async () => {
  expect(await collect(createPool().map([1], give, null))).toEqual([1]);
  const open = jest.fn(() => [][Symbol.iterator]());
  const source = { [Symbol.iterator]: open };
  const signal = AbortSignal.abort();
  const error = await rejection(
    collect(createPool().map(source, give, { signal })),
  );
  expect(error.code).toBe(Code.JobCancelled);
  expect(open).not.toHaveBeenCalled();
});

describe('a source that does not close', () => {
  const unclosed = new Error('the source did not close');
  const closings = [
    ['rejects', () => Promise.reject(unclosed)],
    [
      'throws',
      () => {
        throw unclosed;
      },
    ],
  ];

  /** Values from 0 on, for ever. */
  function sourceOf(kind, close) {
    let last = 0;
    const step = () => ({ value: last++, done: false });
    return {
      [Symbol[kind]]: () => ({
        next: kind === 'iterator' ? step : async () => step(),
        return: close,
      }),
    };
  }

  describe.each(['asyncIterator', 'iterator'])('%s', (kind) => {
    test.each(closings)(
      'it %s: the error of the job is told',
      async (_w, c) => {
        const close = jest.fn(c);
        const fails = ({ input }) => {
          if (input === 2) throw new RangeError('the job');
          return input;
        };
        const error = await rejection(
          collect(createPool().map(sourceOf(kind, close), fails)),
        );
        expect(error.code).toBe(Code.JobFailed);
        expect(error.cause.message).toBe('the job');
        expect(close).toHaveBeenCalledTimes(1);
      },
    );

    test.each(closings)(
      'it %s: the error of the loop is told',
      async (_w, c) => {
        const loop = async () => {
          for await (const _ of createPool().map(sourceOf(kind, c), give)) {
            throw new Error('the loop');
          }
        };
        expect((await rejection(loop())).message).toBe('the loop');
      },
    );

    test.each(closings)('it %s, and the loop is left', async (_w, c) => {
      const leave = async () => {
        for await (const _ of createPool().map(sourceOf(kind, c), give)) break;
      };
      expect(await rejection(leave())).toBe(unclosed);
    });

    test.each(closings)('it %s, and the signal has ended it', async (_w, c) => {
      const signal = AbortSignal.timeout(20);
      const error = await rejection(
        collect(createPool().map(sourceOf(kind, c), give, { signal })),
      );
      expect(error.code).toBe(Code.JobTimeout);
    });
  });
});
