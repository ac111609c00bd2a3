'use strict';
// `concurrentJobsPerWorker`: jobs that await share a worker.

const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { gate, shared, until, waits } = require('./shared-support.js');
const { createPool, moduleFile, outcomes, stopAll } = require('./support.js');

afterEach(stopAll);

describe('the option', () => {
  test.each([0, -1, 1.5, '2', null, Infinity])('refuses %p', (value) => {
    expect(() => createPool({ concurrentJobsPerWorker: value })).toThrow(
      new TypeError(
        'WorkerPool.concurrentJobsPerWorker must be a positive integer.',
      ),
    );
  });

  test.each([
    { isolation: 'context' },
    { isolation: 'isolate' },
    { cpuLimitMs: 100 },
  ])('above 1 excludes %p', (options) => {
    expect(() => shared(options)).toThrow(TypeError);
    createPool({ ...options, concurrentJobsPerWorker: 1 });
  });

  test('multiplies what runs at once, also after resize', async () => {
    const pool = shared({ workers: 2 });
    expect(pool.state.queue.concurrency).toBe(8);
    pool.resize(3);
    expect(pool.state.queue.concurrency).toBe(12);
    expect(pool.state.workers).toBe(3);
  });
});

describe('jobs that await', () => {
  test('run at once in one worker, as many as asked for', async () => {
    const { host, open } = gate();
    let entered = 0;
    const pool = shared({
      host: {
        wait: () => {
          entered += 1;
          return host.wait();
        },
      },
    });
    const jobs = Array.from({ length: 9 }, (_, input) =>
      pool.run(waits, { input }),
    );
    await until(() => entered === 4);
    expect(pool.state.queue.active).toBe(4);
    // Time for a fifth, if there were one.
    await pool.run(() => 1, { priority: 0, timeoutMs: 20 }).catch(() => {});
    expect(entered).toBe(4);
    open();
    expect(await Promise.all(jobs)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test('with timers, and others that do not await among them', async () => {
    const pool = shared();
    const jobs = Array.from({ length: 60 }, (_, input) =>
      input % 2
        ? pool.run(({ input }) => input, { input })
        : pool.run(
            ({ input }) =>
              new Promise((resolve) =>
                setTimeout(resolve, 1 + (input % 5), input),
              ),
            { input },
          ),
    );
    expect(await Promise.all(jobs)).toEqual(jobs.map((_, i) => i));
    expect(pool.state.queue.stats.completed).toBe(60);
  });

  test('emit, host calls and errors stay with their job', async () => {
    const pool = shared({ host: { double: async (x) => x * 2 } });
    const runs = Array.from({ length: 12 }, async (_, input) => {
      const heard = [];
      const outcome = await pool
        .run(
          async ({ input, emit, host }) => {
            emit(input);
            const doubled = await host.double(input);
            emit(doubled);
            await new Promise((resolve) => setTimeout(resolve, input % 3));
            emit(input);
            if (input % 2) throw new RangeError(`no ${input}`);
            return doubled;
          },
          { input, onMessage: (value) => heard.push(value) },
        )
        .catch((error) => error.cause.message);
      return [heard, outcome];
    });
    const all = await Promise.all(runs);
    all.forEach(([heard, outcome], i) => {
      expect(heard).toEqual([i, 2 * i, i]);
      expect(outcome).toBe(i % 2 ? `no ${i}` : 2 * i);
    });
  });

  test('streams in and out, several at once', async () => {
    const pool = shared();
    const read = async (name) => {
      const out = [];
      const stream = pool.stream(
        async function* ({ input }) {
          for await (const value of input) yield value * 2;
        },
        {
          input: (async function* () {
            for (let i = 0; i < 50; i += 1) yield i + name;
          })(),
        },
      );
      for await (const value of stream) out.push(value);
      return out;
    };
    const all = await Promise.all([0, 100, 200].map(read));
    all.forEach((out, n) => {
      expect(out).toEqual(
        Array.from({ length: 50 }, (_, i) => (i + n * 100) * 2),
      );
    });
  });

  test('leaving one stream early leaves the others alone', async () => {
    const pool = shared();
    const endless = async function* () {
      for (let i = 0; ; i += 1) yield i;
    };
    const other = pool.stream(endless);
    expect((await other.next()).value).toBe(0);
    for await (const value of pool.stream(endless)) if (value === 40) break;
    for (let i = 1; i < 40; i += 1) expect((await other.next()).value).toBe(i);
    await other.return();
    expect(await pool.run(() => 'free')).toBe('free');
  });

  test('a module that loads for the first of them serves all', async () => {
    const pool = shared({
      module: moduleFile(`
        await new Promise((resolve) => setTimeout(resolve, 5));
        let n = 0;
        export const next = async () => { await null; return n++; };
      `),
    });
    const got = await Promise.all([1, 2, 3].map(() => pool.invoke('next')));
    expect(got.sort()).toEqual([0, 1, 2]);
  });

  test('that nothing can settle any more end', async () => {
    const pool = shared();
    const never = () => new Promise(() => {});
    expect(await outcomes([pool.run(never), pool.run(never)])).toEqual([
      Code.JobTimeout,
      Code.JobTimeout,
    ]);
    expect(await pool.run(() => 1)).toBe(1);
  });
});
