'use strict';
// WebAssembly.Module in payloads of pools with payload: 'clone'.

const { WorkerPool } = require('../../../lib/index.js');

// (module (func (export "add") (param i32 i32) (result i32)
//   local.get 0 local.get 1 i32.add))
const ADD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 7, 1, 96, 2, 127, 127, 1, 127, 3, 2, 1, 0, 7,
  7, 1, 3, 97, 100, 100, 0, 0, 10, 9, 1, 7, 0, 32, 0, 32, 1, 106, 11,
]);
// (module (memory (export "m") 1) (func (export "grow") (result i32)
//   i32.const 16 memory.grow))
const GROWS = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 127, 3, 2, 1, 0, 5, 3, 1, 0,
  1, 7, 12, 2, 1, 109, 2, 0, 4, 103, 114, 111, 119, 0, 0, 10, 8, 1, 6, 0, 65,
  16, 64, 0, 11,
]);

const add = ({ input }) =>
  new WebAssembly.Instance(input.code).exports.add(20, 22);
const sum = (module) => new WebAssembly.Instance(module).exports.add(1, 2);

describe.each(['isolate', 'thread'])('runtime: %s', (runtime) => {
  let pool;
  beforeAll(() => {
    pool = WorkerPool.create('wasm', {
      runtime,
      payload: 'clone',
      workers: 2,
      host: { code: () => new WebAssembly.Module(ADD) },
    });
  });
  afterAll(() => pool.stop());

  test('to a job', async () => {
    const code = new WebAssembly.Module(ADD);
    expect(await pool.run(add, { input: { code } })).toBe(42);
    // It can be sent as often as wanted, and stays the caller's.
    const all = Array.from({ length: 8 }, () => ({ code }));
    const results = [];
    for await (const result of pool.map(all, add)) results.push(result);
    expect(results).toEqual(Array(8).fill(42));
    expect(sum(code)).toBe(3);
  });

  test('from a job', async () => {
    const made = await pool.run(({ input }) => new WebAssembly.Module(input), {
      input: ADD,
    });
    expect(`${made}`).toBe('[object WebAssembly.Module]');
    expect(WebAssembly.Module.exports(made)[0].name).toBe('add');
    expect(sum(made)).toBe(3);
  });

  test('as a value by itself, twice, and among others', async () => {
    const code = new WebAssembly.Module(ADD);
    const flag = new Int32Array(new SharedArrayBuffer(4));
    const input = {
      code,
      again: new Map([['code', code]]),
      flag,
      other: new WebAssembly.Module(GROWS),
      at: new Date(5),
      bytes: new Uint8Array(100_000).fill(7),
    };
    const seen = ({ input }) => {
      Atomics.store(input.flag, 0, 9);
      return {
        same: input.code === input.again.get('code'),
        names: [input.code, input.other].map((module) =>
          WebAssembly.Module.exports(module).map(({ name }) => name),
        ),
        code: input.code,
        bytes: input.bytes.reduce((a, b) => a + b),
      };
    };
    const result = await pool.run(seen, { input });
    expect(result.same).toBe(true);
    expect(result.names).toEqual([['add'], ['m', 'grow']]);
    expect(result.bytes).toBe(700_000);
    expect(sum(result.code)).toBe(3);
    expect(flag[0]).toBe(9);
    expect(sum(await pool.run(({ input }) => input, { input: code }))).toBe(3);
  });

  test('of a host function, and in a message', async () => {
    const sent = [];
    const job = async ({ host, emit }) => {
      const code = await host.code();
      emit({ code });
      return new WebAssembly.Instance(code).exports.add(2, 2);
    };
    const onMessage = ({ code }) => sent.push(sum(code));
    expect(await pool.run(job, { onMessage })).toBe(4);
    expect(sent).toEqual([3]);
  });

  test('asynchronously, by the name of the function', async () => {
    const code = await WebAssembly.compile(ADD);
    const job = async ({ input }) =>
      (await WebAssembly.instantiate(input)).exports.add(3, 4);
    expect(await pool.run(job, { input: code })).toBe(7);
  });

  test('shared by all workers', async () => {
    const own = WorkerPool.create('shares', {
      runtime,
      payload: 'clone',
      workers: 2,
    });
    const shared = own.share('lib', { code: new WebAssembly.Module(ADD) });
    const use = ({ shared: { lib } }) =>
      new WebAssembly.Instance(lib.code).exports.add(5, 6);
    const all = Array.from({ length: 6 }, () => own.run(use));
    expect(await Promise.all(all)).toEqual(Array(6).fill(11));
    const values = await own.broadcast(use);
    expect(values.map(({ value }) => value)).toContain(11);
    shared.update({ code: new WebAssembly.Module(ADD) });
    expect(await own.run(use)).toBe(11);
    shared.release();
    await own.stop();
  });

  test('while it waits for a place, and for its key', async () => {
    const own = WorkerPool.create('waits', {
      runtime,
      payload: 'clone',
      workers: 1,
      maxQueued: 2,
      overflow: 'backpressure',
      maxBackpressureWaiters: 100,
    });
    const flag = new Int32Array(new SharedArrayBuffer(4));
    const code = new WebAssembly.Module(ADD);
    const bytes = new Uint8Array(50_000);
    const input = { code, flag, bytes };
    const jobs = Array.from({ length: 12 }, (_, i) =>
      own.run(add, { input, ...(i % 2 === 0 && { key: 'a' }) }),
    );
    expect(await Promise.all(jobs)).toEqual(Array(12).fill(42));
    await own.stop();
  });

  test('outlives the pool that made it', async () => {
    const other = WorkerPool.create('ends', { runtime, payload: 'clone' });
    const make = ({ input }) => new WebAssembly.Module(input);
    const made = await other.run(make, { input: ADD });
    await other.stop();
    expect(sum(made)).toBe(3);
    expect(await pool.run(add, { input: { code: made } })).toBe(42);
  });
});

describe('in isolates', () => {
  test('its memory cannot grow past the limit', async () => {
    const pool = WorkerPool.create('limited', {
      payload: 'clone',
      memoryLimitMb: 32,
      workers: 1,
    });
    const grow = ({ input }) => {
      const { exports } = new WebAssembly.Instance(input);
      let calls = 0;
      while (exports.grow() !== -1) calls += 1;
      return calls;
    };
    const input = new WebAssembly.Module(GROWS);
    await expect(pool.run(grow, { input })).rejects.toThrow(
      'RESOURCE_LIMIT_EXCEEDED',
    );
    const later = async ({ input }) => {
      const { exports } = await WebAssembly.instantiate(input);
      while (exports.grow() !== -1);
    };
    await expect(pool.run(later, { input })).rejects.toThrow(
      'RESOURCE_LIMIT_EXCEEDED',
    );
    // The caller's has no maximum of theirs.
    expect(new WebAssembly.Instance(input).exports.grow()).toBe(1);
    await pool.stop();
  });

  test.each(['context', 'isolate'])('isolation: %s', async (isolation) => {
    const pool = WorkerPool.create('own', { payload: 'clone', isolation });
    const input = { code: new WebAssembly.Module(ADD) };
    for (let i = 0; i < 3; i += 1) {
      expect(await pool.run(add, { input })).toBe(42);
    }
    await pool.stop();
  });

  test('allowWasm: false refuses it, with its place', async () => {
    const pool = WorkerPool.create('none', {
      payload: 'clone',
      allowWasm: false,
    });
    const code = new WebAssembly.Module(ADD);
    const input = { parts: [new Date(1), { code }] };
    await expect(
      pool.run(({ input: v }) => v, { input }),
    ).rejects.toMatchObject({
      hint: expect.stringContaining('input.parts[1].code is a Module'),
    });
    expect(() => pool.share('code', { code })).toThrow('UNSUPPORTED_PAYLOAD');
    const { at } = await pool.run(({ input: v }) => v, {
      input: { at: new Date(5) },
    });
    expect(at.getTime()).toBe(5);
    await pool.stop();
  });

  test('a plain pool refuses it', async () => {
    const pool = WorkerPool.create('plain');
    const input = new WebAssembly.Module(ADD);
    await expect(pool.run(add, { input })).rejects.toThrow(
      'UNSUPPORTED_PAYLOAD',
    );
    await pool.stop();
  });
});
