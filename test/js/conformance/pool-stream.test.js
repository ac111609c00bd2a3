'use strict';
// Jobs that are generators: `pool.stream` in all runtimes.

const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { createPool, moduleFile, rejection, stopAll } = require('./support.js');

afterEach(stopAll);

const MODULE = `
  let calls = 0;
  export const count = () => { calls += 1; return calls; };
  export function double(n) { return n * 2; }
  export async function failing(text) { throw new RangeError(text); }
  export async function* numbers(n) {
    for (let i = 0; i < n; i += 1) yield i;
    return 'end';
  }
  export const version = 3;
`;
const modulePool = (options) =>
  createPool({ module: moduleFile(MODULE), ...options });

async function collect(iterable) {
  const values = [];
  for await (const value of iterable) values.push(value);
  return values;
}

describe('stream', () => {
  test('a value that cannot travel ends it as such a result does', async () => {
    const pool = createPool();
    const values = pool.stream(async function* () {
      try {
        yield 1;
        yield () => {};
      } finally {
        globalThis.closed = true;
      }
    });
    expect(await values.next()).toEqual({ done: false, value: 1 });
    expect((await rejection(values.next())).message).toBe(
      'SLOPPY_E_WORKER_MESSAGE_SERIALIZATION_FAILED: ' +
        'worker result serialization failed',
    );
    expect(await pool.run(() => globalThis.closed)).toBe(true);
    const small = createPool({ maxResultBytes: 100 });
    const large = small.stream(function* () {
      yield 'x'.repeat(1000);
    });
    expect((await rejection(large.next())).code).toBe(Code.ResourceLimit);
  });

  test('gives what a generator yields, and its result', async () => {
    const pool = createPool();
    const stream = pool.stream(
      async function* ({ input }) {
        for (let i = 0; i < input; i += 1) yield { i };
        return 'end';
      },
      { input: 100 },
    );
    const seen = [];
    let step = await stream.next();
    while (!step.done) {
      seen.push(step.value.i);
      step = await stream.next();
    }
    expect(seen).toEqual(Array.from({ length: 100 }, (_, i) => i));
    expect(step.value).toBe('end');
  });

  test('of sync generators and exports', async () => {
    const sync = createPool().stream(function* () {
      yield 1;
      yield 2;
    });
    expect(await collect(sync)).toEqual([1, 2]);
    expect(await collect(modulePool().stream('numbers', { input: 3 }))).toEqual(
      [0, 1, 2],
    );
  });

  test('a failure ends it after what came before', async () => {
    const seen = [];
    const consume = async () => {
      const stream = createPool().stream(async function* () {
        yield 1;
        throw new RangeError('x');
      });
      for await (const value of stream) seen.push(value);
    };
    const error = await rejection(consume());
    expect(error.code).toBe(Code.JobFailed);
    expect(error.cause).toBeInstanceOf(RangeError);
    expect(seen).toEqual([1]);
  });

  test('the worker does not run far ahead', async () => {
    const pool = createPool({ workers: 1 });
    let made = 0;
    const stream = pool.stream(
      async function* ({ emit }) {
        for (let i = 0; i < 200; i += 1) {
          emit(i);
          yield i;
        }
      },
      {
        onMessage: () => {
          made += 1;
        },
      },
    );
    let taken = 0;
    for await (const _value of stream) {
      taken += 1;
      expect(made - taken).toBeLessThanOrEqual(33);
    }
    expect(taken).toBe(200);
  });

  test('leaving the loop runs the finally of the generator', async () => {
    const pool = createPool();
    let told;
    const finished = new Promise((resolve) => {
      told = resolve;
    });
    const stream = pool.stream(
      async function* ({ emit }) {
        try {
          for (let i = 0; ; i += 1) yield i;
        } finally {
          emit('finally');
        }
      },
      { onMessage: told },
    );
    for await (const value of stream) if (value === 2) break;
    expect(await finished).toBe('finally');
    expect(await pool.run(() => 1)).toBe(1);
  });

  test('input that streams, too', async () => {
    async function* source() {
      for (let i = 0; i < 50; i += 1) yield i;
    }
    const sum = await createPool().run(
      async ({ input }) => {
        let total = 0;
        for await (const value of input) total += value;
        return total;
      },
      { input: source() },
    );
    expect(sum).toBe(1225);
  });
});
