'use strict';
// payload: 'clone': what a structured clone keeps, arrives, in both runtimes.

const { types } = require('node:util');
const v8 = require('node:v8');
const fc = require('fast-check');

const { Worker, WorkerPool } = require('../../../lib/index.js');

// All that a structured clone keeps. The first clone removes differences that
// only engines see.
const kept = (value) =>
  v8.serialize(v8.deserialize(v8.serialize(value))).toString('latin1');

const identity = ({ input }) => input;

describe.each(['isolate', 'thread'])('runtime: %s', (runtime) => {
  let pool;
  beforeAll(() => {
    pool = WorkerPool.create('clone', { runtime, payload: 'clone' });
  });
  afterAll(() => pool.stop());

  const there = (input, options) => pool.run(identity, { ...options, input });

  const VALUES = {
    date: new Date(86_400_000),
    'date that is none': new Date(Number.NaN),
    regexp: /a(b)+/giu,
    bigint: 2n ** 70n,
    'boxed bigint': Object(3n),
    'boxed number': Object(-0),
    'boxed string': Object('text'),
    'boxed boolean': Object(false),
    nan: Number.NaN,
    infinity: Number.NEGATIVE_INFINITY,
    'minus zero': -0,
    undefined,
    null: null,
    map: new Map([[{ k: 1 }, new Set([1n, new Date(3)])]]),
    'property that is undefined': { a: undefined, b: [undefined] },
    'sparse array': [1],
    'array with a name': Object.assign([1], { name: 'x' }),
    floats: new Float64Array([1.5, Number.NaN]),
    bigints: new BigUint64Array([2n ** 64n - 1n]),
    bytes: new Uint8Array([1, 2, 3]).buffer,
    view: new DataView(new ArrayBuffer(8), 2, 4),
    text: 'ä€😀'.repeat(3000),
    flat: { id: 1, name: 'ä', ok: true, none: null, zero: -0, big: 1e308 },
    'flat but for undefined': { id: 1, none: undefined },
    'flat but for a bigint': { id: 1n, name: 'x' },
    'flat with odd keys': JSON.parse('{"__proto__":1,"a b":2,"0":3}'),
  };

  VALUES['sparse array'][2] = 3;

  test.each(Object.keys(VALUES))('%s', async (name) => {
    const result = await there(VALUES[name]);
    expect(kept(result)).toBe(kept(VALUES[name]));
    expect(Object.is(result, VALUES[name])).toBe(
      typeof VALUES[name] !== 'object' || VALUES[name] === null,
    );
  });

  test('a result that the job made', async () => {
    const result = await pool.run(() => ({
      at: new Date(5),
      map: new Map([['k', new Set([/x/g, 10n])]]),
      nan: Object.assign([Number.NaN], { 2: undefined }),
    }));
    expect(types.isDate(result.at)).toBe(true);
    expect(result.at.getTime()).toBe(5);
    const [pattern, big] = [...result.map.get('k')];
    expect([`${pattern}`, big]).toEqual(['/x/g', 10n]);
    expect(result.nan[0]).toBeNaN();
    expect(1 in result.nan).toBe(false);
    expect(2 in result.nan).toBe(true);
  });

  test('what the job sees has the classes of its own realm', async () => {
    const seen = ({ input }) => [
      input.date instanceof Date,
      input.map instanceof Map,
      input.error instanceof TypeError,
      input.error.cause instanceof RangeError,
      input.view instanceof DataView,
      Buffer.isBuffer(input.node),
      `${input.node}`,
    ];
    const input = {
      date: new Date(),
      map: new Map(),
      error: new TypeError('a', { cause: new RangeError('b') }),
      view: new DataView(new ArrayBuffer(1)),
      node: Buffer.from('bytes'),
    };
    expect(await pool.run(seen, { input })).toEqual([
      true,
      true,
      true,
      true,
      true,
      true,
      'bytes',
    ]);
  });

  test('errors with their causes', async () => {
    const input = new TypeError('outer', { cause: new RangeError('inner') });
    const result = await there(input);
    expect(types.isNativeError(result)).toBe(true);
    expect([result.name, result.message]).toEqual(['TypeError', 'outer']);
    expect(result.cause.message).toBe('inner');
    expect(result.stack).toBe(input.stack);
  });

  test('a getter whose values differ', async () => {
    let reads = 0;
    const input = {
      get at() {
        reads += 1;
        return reads === 1 ? 1 : new Date(5);
      },
    };
    const { at } = await there(input);
    expect(at === 1 || at.getTime() === 5).toBe(true);
  });

  test('cycles and shared references', async () => {
    const shared = { n: 1 };
    const input = { list: [shared, shared], map: new Map() };
    input.self = input;
    input.map.set('all', input);
    const result = await there(input);
    expect(result.self).toBe(result);
    expect(result.map.get('all')).toBe(result);
    expect(result.list[0]).toBe(result.list[1]);
  });

  test('two views keep their common buffer', async () => {
    const buffer = new ArrayBuffer(16);
    const input = [new Uint8Array(buffer, 4, 8), new DataView(buffer), buffer];
    const [bytes, view, whole] = await there(input);
    expect(bytes.buffer).toBe(view.buffer);
    expect(bytes.buffer).toBe(whole);
    expect([bytes.byteOffset, bytes.length, view.byteLength]).toEqual([
      4, 8, 16,
    ]);
  });

  test('large views, of one buffer and of several', async () => {
    const buffer = new ArrayBuffer(50_000);
    const input = [
      new Uint8Array(buffer, 10, 40_000).fill(1),
      new Float64Array(buffer),
      new Float64Array(5000).fill(2),
      buffer,
      Buffer.alloc(20_000, 'x'),
      Buffer.alloc(60_000, 'y').subarray(100, 30_100),
    ];
    const result = await there(input);
    expect(kept(result.slice(0, 4))).toBe(kept(input.slice(0, 4)));
    expect(result[0].buffer).toBe(result[3]);
    expect(buffer.byteLength).toBe(50_000);
    expect(result[4].equals(input[4])).toBe(true);
    expect(result[5].equals(input[5])).toBe(true);
  });

  test('views that follow a resizable buffer still do', async () => {
    const buffer = new ArrayBuffer(8, { maxByteLength: 16 });
    const input = [new Uint8Array(buffer), new Uint8Array(buffer, 0, 4)];
    const [follows, fixed] = await there(input);
    follows.buffer.resize(12);
    expect([follows.length, fixed.length]).toEqual([12, 4]);
  });

  test('Buffers stay Buffers, both ways', async () => {
    const result = await pool.run(
      ({ input }) => [Buffer.isBuffer(input[0]), input[0], Buffer.from('b')],
      { input: [Buffer.from('a')] },
    );
    expect(result[0]).toBe(true);
    expect(Buffer.isBuffer(result[1])).toBe(true);
    expect(`${result[1]}${result[2]}`).toBe('ab');
  });

  test('class instances become what they own', async () => {
    class Row {
      id = 1;
      at = new Date(2);
    }
    const result = await there(new Row());
    expect(Object.keys(result)).toEqual(['id', 'at']);
    expect(types.isDate(result.at)).toBe(true);
  });

  test('other ways of a value: modules, streams, messages, hosts', async () => {
    const asked = [];
    const all = WorkerPool.create('all', {
      runtime,
      payload: 'clone',
      workers: 2,
      minWorkers: 2,
      module: `${__dirname}/clone.fixture.mjs`,
      init: { data: new Map([['since', new Date(7)]]) },
      host: {
        ask(at, set) {
          asked.push(at, set);
          return new Map([[at, undefined]]);
        },
      },
    });
    expect(await all.invoke('year', new Date(0))).toBe(1970);
    expect(await all.invoke('since')).toEqual(new Date(7));
    expect(await all.tasks.kind()).toBe('undefined');

    const years = [];
    const dates = [new Date(0), undefined, new Map([[1, new Date(9)]])];
    for await (const kind of all.map(dates, 'kind')) years.push(kind);
    expect(years).toEqual(['Date', 'undefined', 'Map']);

    const heard = [];
    const told = all.run(
      async ({ emit, host }) => {
        emit(new Set([1n]));
        emit(undefined);
        const map = await host.ask(new Date(4), new Set());
        return [...map.keys()][0];
      },
      { onMessage: (message) => heard.push(message) },
    );
    expect(await told).toEqual(new Date(4));
    expect(heard.map((each) => types.isSet(each) && [...each])).toEqual([
      [1n],
      false,
    ]);
    expect(heard[1]).toBeUndefined();
    expect(types.isDate(asked[0]) && types.isSet(asked[1])).toBe(true);

    async function* source() {
      yield new Date(1);
      yield new Map([[2n, undefined]]);
    }
    const streamed = [];
    const stream = all.stream(
      async function* ({ input }) {
        for await (const value of input) {
          yield value instanceof Date ? value : [...value];
        }
        yield undefined;
      },
      { input: source() },
    );
    for await (const value of stream) streamed.push(value);
    expect(streamed).toEqual([new Date(1), [[2n, undefined]], undefined]);

    const memory = new SharedArrayBuffer(8);
    const input = { memory, rows: new Map([[1n, Buffer.alloc(90_000, 'x')]]) };
    const ends = await all.broadcast(
      ({ input }) => {
        Atomics.add(new Int32Array(input.memory), 0, 1);
        return input.rows.get(1n).length;
      },
      { input },
    );
    expect(ends.map(({ value }) => value)).toEqual(ends.map(() => 90_000));
    expect(new Int32Array(memory)[0]).toBe(ends.length);
    await all.stop();
  });

  test('of a Worker', async () => {
    const worker = await Worker.start(`${__dirname}/clone.fixture.mjs`, {
      runtime,
      payload: 'clone',
      init: { data: new Map([['since', new Date(8)]]) },
    });
    expect(await worker.invoke('since')).toEqual(new Date(8));
    expect(await worker.invoke('kind', 1n)).toBe('bigint');
    await worker.stop();
  });

  test('a job that waits in Atomics.wait is ended in time', async () => {
    const input = new Int32Array(new SharedArrayBuffer(4));
    const job = ({ input }) => Atomics.wait(input, 0, 0);
    await expect(pool.run(job, { input, timeoutMs: 50 })).rejects.toThrow(
      'SLOPPY_E_WORK_JOB_TIMEOUT',
    );
    expect(await there(new Date(1))).toEqual(new Date(1));
  });

  test('poisoned built-ins do not matter', async () => {
    const job = ({ input }) => {
      const { getOwnPropertyNames, getOwnPropertyDescriptor } = Object;
      const poison = () => {
        throw new Error('poisoned');
      };
      for (const { prototype } of [Map, Set, Date, Array, Object]) {
        for (const name of getOwnPropertyNames(prototype)) {
          const { value } = getOwnPropertyDescriptor(prototype, name);
          if (typeof value !== 'function' || name === 'constructor') continue;
          prototype[name] = poison;
        }
      }
      Object.defineProperty(Object.prototype, 'k', { set: poison });
      Map.prototype[Symbol.iterator] = poison;
      globalThis.structuredClone = globalThis.Float64Array = poison;
      return input;
    };
    const input = { k: new Map([[1, new Date(2)]]), list: [new Set([1])] };
    const one = WorkerPool.create('poison', {
      payload: 'clone',
      runtime,
      recycleAfterJobs: 1,
    });
    // The runtime of threads is Node's, which they poison too.
    if (runtime === 'isolate') {
      const result = await one.run(job, { input });
      expect(kept(result)).toBe(kept(input));
    }
    await one.stop();
  });

  test('an error keeps properties of all kinds', async () => {
    const job = () => {
      throw Object.assign(new RangeError('no'), { at: new Date(4) });
    };
    const { cause } = await pool.run(job).catch((error) => error);
    expect(cause.at.getTime()).toBe(4);
  });

  test('structuredClone(x) is what comes back', async () => {
    const leaf = fc.oneof(
      fc.anything({
        withBigInt: true,
        withDate: true,
        withMap: true,
        withSet: true,
        withSparseArray: true,
        withTypedArray: true,
        withBoxedValues: true,
        withNullPrototype: false,
      }),
      fc.date({ noInvalidDate: false }),
      fc.bigInt(),
      fc.constantFrom(Number.NaN, -0, Infinity, undefined),
    );
    await fc.assert(
      fc.asyncProperty(leaf, leaf, async (a, b) => {
        const value = { a, list: [a, b, a], map: new Map([[b, a]]) };
        value.self = value;
        const result = await there(value);
        expect(result.self).toBe(result);
        expect(kept(result)).toBe(kept(value));
      }),
      { numRuns: 60 },
    );
  });
});
