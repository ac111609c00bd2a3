'use strict';
// The outcome of a streamed input, and of a stream of results, in every end
// that a job can have.

const { createReadStream, readdirSync } = require('node:fs');
const { Readable } = require('node:stream');

const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { runNode } = require('../support/run-node.js');
const {
  createPool,
  occupy,
  outcomes,
  rejection,
  runtime,
  stopAll,
} = require('./support.js');

afterEach(stopAll);

const turn = () => new Promise((resolve) => setImmediate(resolve));
const readAll = async ({ input }) => {
  let count = 0;
  for await (const _value of input) count += 1;
  return count;
};

// Each with what tells that nobody holds it.
const KINDS = {
  'a web stream': () => {
    const stream = new ReadableStream({ pull: (c) => c.enqueue(1) });
    return { input: stream, isFree: () => !stream.locked };
  },
  'a stream of Node': () => {
    const stream = Readable.from([1, 2, 3]);
    return { input: stream, isFree: () => stream.destroyed };
  },
  'an async iterable': () => {
    let held = 0;
    const input = {
      [Symbol.asyncIterator]() {
        held += 1;
        return {
          next: async () => ({ done: false, value: 1 }),
          async return() {
            held -= 1;
            return { done: true };
          },
        };
      },
    };
    return { input, isFree: () => held === 0 };
  },
  'an async generator': () => {
    let held = 0;
    async function* values() {
      held += 1;
      try {
        for (;;) yield 1;
      } finally {
        held -= 1;
      }
    }
    return { input: values(), isFree: () => held === 0 };
  },
};

const ENDS = {
  'is refused, because the queue is full': async (input) => {
    const pool = createPool({ workers: 1, maxQueued: 1 });
    const { started } = occupy(pool);
    await started;
    const queued = pool.run(() => 1);
    queued.catch(() => {});
    return outcomes([pool.run(readAll, { input })]);
  },
  'is refused, because the pool has stopped': async (input) => {
    const pool = createPool();
    await pool.stop();
    return outcomes([pool.run(readAll, { input })]);
  },
  'is refused, because it is cancelled': (input) =>
    outcomes([
      createPool().run(readAll, { input, signal: AbortSignal.abort() }),
    ]),
  'is refused for an option': (input) =>
    outcomes([createPool().run(readAll, { input, priority: 99 })]),
  'is cancelled in the queue': async (input) => {
    const pool = createPool({ workers: 1 });
    await occupy(pool).started;
    const controller = new AbortController();
    const job = pool.run(readAll, { input, signal: controller.signal });
    controller.abort();
    return outcomes([job]);
  },
  'is late in the queue': async (input) => {
    const pool = createPool({ workers: 1 });
    await occupy(pool).started;
    return outcomes([pool.run(readAll, { input, timeoutMs: 1 })]);
  },
  'is stopped in the queue': async (input) => {
    const pool = createPool({ workers: 1 });
    await occupy(pool).started;
    const job = outcomes([pool.run(readAll, { input })]);
    await pool.stop({ drain: false, timeoutMs: 0 });
    return job;
  },
  'is sent away while it waits for a place': async (input) => {
    const pool = createPool({
      workers: 1,
      maxQueued: 1,
      overflow: 'backpressure',
    });
    await occupy(pool).started;
    pool.run(() => 1).catch(() => {});
    const job = outcomes([pool.run(readAll, { input })]);
    await pool.stop({ drain: false, timeoutMs: 0 });
    return job;
  },
  'is cancelled while it runs': async (input) => {
    const pool = createPool({ workers: 1 });
    const controller = new AbortController();
    return outcomes([
      pool.run(
        async ({ input, emit }) => {
          for await (const _value of input) emit('read');
          await new Promise(() => setInterval(() => {}, 1000));
        },
        {
          input,
          signal: controller.signal,
          onMessage: () => controller.abort(),
        },
      ),
    ]);
  },
  'leaves early': (input) =>
    outcomes([
      createPool().run(
        async ({ input }) => {
          for await (const value of input) return value;
        },
        { input },
      ),
    ]),
};

describe.each(Object.keys(KINDS))('%s is free when its job', (kind) => {
  test.each(Object.keys(ENDS))('%s', async (end) => {
    const { input, isFree } = KINDS[kind]();
    const outcome = await ENDS[end](input);
    expect(outcome).toEqual([
      end === 'leaves early'
        ? 'resolved'
        : expect.stringMatching(/^SLOPPY_E_|TypeError/),
    ]);
    while (!isFree()) await turn();
  });
});

test('a web stream is free although its source never says more', async () => {
  const input = new ReadableStream({ start: (c) => c.enqueue(1) });
  const result = await createPool().run(
    async ({ input }) => {
      for await (const value of input) return value;
    },
    { input },
  );
  expect(result).toBe(1);
  while (input.locked) await turn();
});

test('jobs cancelled in the queue leave no descriptors', async () => {
  const pool = createPool({ workers: 1 });
  await occupy(pool).started;
  const controller = new AbortController();
  const { signal } = controller;
  const streams = Array.from({ length: 40 }, () =>
    createReadStream(__filename),
  );
  const jobs = streams.map((input) => pool.run(readAll, { input, signal }));
  const open = Promise.all(
    streams.map((stream) => new Promise((r) => stream.once('open', r))),
  );
  await open;
  controller.abort();
  expect(new Set(await outcomes(jobs))).toEqual(new Set([Code.JobCancelled]));
  while (streams.some((stream) => !stream.closed)) await turn();
  const held = readdirSync('/proc/self/fd').length;
  expect(held).toBeLessThan(200);
});

test('a source is opened when its job starts', async () => {
  const pool = createPool({ workers: 1 });
  const controller = new AbortController();
  const { started } = occupy(pool, { signal: controller.signal });
  await started;
  const input = new ReadableStream({
    start(c) {
      c.enqueue(1);
      c.close();
    },
  });
  const job = pool.run(readAll, { input });
  expect(input.locked).toBe(false);
  controller.abort();
  expect(await job).toBe(1);
});

test('one that cannot be opened is told to the job', async () => {
  const input = new ReadableStream();
  input.getReader();
  const error = await rejection(createPool().run(readAll, { input }));
  expect(error.code).toBe(Code.JobFailed);
  expect(error.cause.name).toBe('TypeError');
});

describe('with a small maxPayloadBytes', () => {
  const options = { maxPayloadBytes: 16384 };
  const text = 'x'.repeat(20_000);

  test('the long message of a source arrives', async () => {
    const input = {
      [Symbol.asyncIterator]: () => ({
        next: () => Promise.reject(new RangeError(text)),
      }),
    };
    const error = await rejection(createPool(options).run(readAll, { input }));
    expect(error.cause.name).toBe('RangeError');
    expect(error.cause.message).toBe(text);
  });

  test('and that of a value which is too large', async () => {
    const input = Readable.from([text]);
    const error = await rejection(createPool(options).run(readAll, { input }));
    expect(error.cause.code).toBe(Code.ResourceLimit);
  });

  test.each([
    [
      'thrown',
      () => {
        throw new RangeError(text);
      },
      text,
    ],
    ['rejected', () => Promise.reject(new RangeError(text)), text],
    ['too large', () => text, expect.stringContaining('maxPayloadBytes')],
  ])('the answer of a host function: %s', async (_name, fn, message) => {
    const pool = createPool({ ...options, host: { fn } });
    const error = await rejection(pool.run(({ host }) => host.fn()));
    expect(error.cause.message).toEqual(message);
  });

  test('a message of millions is cut', async () => {
    const fn = () => {
      const error = new Error('é'.repeat(3_000_000));
      error.name = 'n'.repeat(3_000_000);
      error.code = 'c'.repeat(3_000_000);
      throw error;
    };
    const pool = createPool({ ...options, host: { fn } });
    const length = await pool.run(async ({ host }) => {
      try {
        await host.fn();
      } catch (error) {
        return error.message.length;
      }
      return 0;
    });
    expect(length).toBe(65536);
  });
});

describe('an iterator of results', () => {
  const script = (body) => `
    const { WorkerPool } = require('./lib/index.js');
    const pool = WorkerPool.create('p', { runtime: '${runtime}', workers: 1 });
    async function* endless() { for (let i = 0; ; i += 1) yield i; }
    async function* slow() {
      for (let i = 0; ; i += 1) {
        yield i;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
    (async () => { ${body} })();
  `;

  test.each(['endless', 'slow'])(
    'that is left does not keep the process alive: %s',
    (name) => {
      const body = `console.log(await pool.stream(${name}).next());`;
      expect(runNode(['-e', script(body)])).toBe('{ value: 0, done: false }\n');
    },
  );

  test('that is waited for does', () => {
    const body = `
      const values = pool.stream(slow);
      for (let i = 0; i < 5; i += 1) console.log((await values.next()).value);
      await new Promise((resolve) => setTimeout(resolve, 50));
      console.log((await values.next()).value);
      console.log(await values.return('left'));
      console.log(await pool.run(() => 'free'));
    `;
    const printed = runNode(['-e', script(body)]);
    expect(printed).toBe(
      "0\n1\n2\n3\n4\n5\n{ value: 'left', done: true }\nfree\n",
    );
  });

  test('that was collected leaves its worker to others', () => {
    const body = `
      await pool.stream(slow).next();
      const free = pool.run(() => 'free');
      let isOver = false;
      free.then(() => { isOver = true; });
      while (!isOver) {
        gc();
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      console.log(await free);
    `;
    expect(runNode(['--expose-gc', '-e', script(body)])).toBe('free\n');
  });

  test('whose job fails while its consumer is busy rejects once', () => {
    const body = `
      const values = pool.stream(async function* () {
        yield 1;
        throw new RangeError('later');
      });
      await values.next();
      await new Promise((resolve) => setTimeout(resolve, 50));
      await values.next().catch((error) => console.log(error.cause.message));
    `;
    expect(runNode(['-e', script(body)])).toBe('later\n');
  });
});
