'use strict';
// payload: 'clone': memory that is shared or moved, refusals and limits, in both
// runtimes.

const { types } = require('node:util');

const { Worker, WorkerPool } = require('../../../lib/index.js');

const identity = ({ input }) => input;

describe.each(['isolate', 'thread'])('runtime: %s', (runtime) => {
  let pool;
  beforeAll(() => {
    pool = WorkerPool.create('clone', { runtime, payload: 'clone' });
  });
  afterAll(() => pool.stop());

  const there = (input, options) => pool.run(identity, { ...options, input });

  describe('shared memory', () => {
    test('is shared, in both directions', async () => {
      const counter = new Int32Array(new SharedArrayBuffer(8));
      const add = ({ input }) => Atomics.add(input.counter, 0, 5);
      expect(await pool.run(add, { input: { counter } })).toBe(0);
      expect(await pool.run(add, { input: { counter } })).toBe(5);
      expect(counter[0]).toBe(10);
      const theirs = await pool.run(() => {
        globalThis.mine = new Int32Array(new SharedArrayBuffer(4));
        return { memory: globalThis.mine.buffer };
      });
      expect(types.isSharedArrayBuffer(theirs.memory)).toBe(true);
      new Int32Array(theirs.memory)[0] = 7;
      expect(await pool.run(() => Atomics.load(globalThis.mine, 0))).toBe(7);
    });

    test('wakes a worker that waits', async () => {
      const flag = new Int32Array(new SharedArrayBuffer(8));
      const waiting = pool.run(
        ({ input }) => {
          Atomics.store(input, 1, 1);
          return Atomics.wait(input, 0, 0);
        },
        { input: flag },
      );
      while (Atomics.load(flag, 1) === 0) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      Atomics.store(flag, 0, 1);
      Atomics.notify(flag, 0);
      expect(['ok', 'not-equal']).toContain(await waiting);
    });

    test('outlives its worker', async () => {
      const other = WorkerPool.create('other', { runtime, payload: 'clone' });
      const memory = await other.run(() => {
        const made = new SharedArrayBuffer(1 << 20);
        new Uint8Array(made).fill(3);
        return made;
      });
      await other.stop();
      expect(new Uint8Array(memory).every((byte) => byte === 3)).toBe(true);
    });

    test('stays shared while a job waits for its place', async () => {
      const small = WorkerPool.create('small', {
        runtime,
        payload: 'clone',
        maxQueued: 1,
        overflow: 'backpressure',
      });
      const counter = new Int32Array(new SharedArrayBuffer(4));
      const add = ({ input }) =>
        Atomics.add(input.counter, 0, input.bytes[39_999]);
      const jobs = [];
      for (let i = 0; i < 3; i++) {
        const bytes = new Uint8Array(40_000).fill(1);
        const input = { counter, bytes, at: new Date() };
        jobs.push(small.run(add, { input }));
      }
      await Promise.allSettled(jobs);
      const ran = jobs.length;
      expect(counter[0]).toBe(ran);
      await small.stop();
    });
  });

  describe('transfer', () => {
    test('moves a buffer, and the views on it', async () => {
      const buffer = new ArrayBuffer(32);
      new Uint8Array(buffer)[5] = 9;
      const input = { view: new Uint8Array(buffer, 5), map: new Map() };
      const result = await there(input, { transfer: [buffer, buffer] });
      expect(buffer.byteLength).toBe(0);
      expect([result.view[0], result.view.byteOffset]).toEqual([9, 5]);
    });

    test('of the buffer of a Buffer', async () => {
      const bytes = Buffer.alloc(10_000, 'x');
      const result = await there(bytes, { transfer: [bytes.buffer] });
      expect(bytes.length).toBe(0);
      expect(Buffer.isBuffer(result)).toBe(true);
      expect(result.length).toBe(10_000);
    });

    test('leaves the slab of small Buffers alone', async () => {
      const bytes = Buffer.from('small');
      const result = await there(bytes, { transfer: [bytes.buffer] });
      expect(`${result}${bytes}`).toBe('smallsmall');
    });

    test('a refused value keeps its buffers', async () => {
      const buffer = new ArrayBuffer(8);
      const input = { buffer, fn() {} };
      await expect(there(input, { transfer: [buffer] })).rejects.toThrow(
        'UNSUPPORTED_PAYLOAD',
      );
      expect(buffer.byteLength).toBe(8);
    });
  });

  describe('what cannot travel', () => {
    const weak = new WeakMap();
    const REFUSED = [
      [() => 1, 'input is a function'],
      [{ rows: [1, 2, 3, { fn() {} }] }, 'input.rows[3].fn is a function'],
      [new Map([['k', { s: Symbol('secret') }]]), 'input[…].s is a symbol'],
      [new Set([{ p: Promise.resolve() }]), 'input[…].p is a Promise'],
      [{ at: new Date(), weak }, 'input.weak is a WeakMap'],
      [new Error('x', { cause: { f() {} } }), 'input.cause.f is a function'],
    ];

    test.each(REFUSED)('%#: its place', async (value, place) => {
      const error = await there(value).catch((reason) => reason);
      expect(error.code).toBe('SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD');
      expect(error.hint).toContain(place);
      expect(`${error.message}${error.hint}`).not.toContain('secret');
    });

    test('a cycle around it', async () => {
      const value = { list: [] };
      value.list.push(value, { bad() {} });
      await expect(there(value)).rejects.toMatchObject({
        hint: expect.stringContaining('input.list[1].bad is a function'),
      });
    });

    test('a getter that throws', async () => {
      const value = {
        get bad() {
          throw new Error('secret');
        },
      };
      await expect(there(value)).rejects.toMatchObject({
        code: 'SLOPPY_E_WORKER_MESSAGE_SERIALIZATION_FAILED',
        hint: expect.stringContaining('input.bad'),
      });
    });

    test('a result', async () => {
      const job = () => ({ rows: new Map([[1, { f() {} }]]), at: new Date() });
      await expect(pool.run(job)).rejects.toMatchObject({
        code: 'SLOPPY_E_WORKER_MESSAGE_SERIALIZATION_FAILED',
        hint: expect.stringContaining('result.rows[…].f is a function'),
      });
      expect(await there(1)).toBe(1);
    });

    test('an input whose stack ends', async () => {
      let deep = new Date();
      for (let i = 0; i < 200_000; i++) deep = [deep];
      await expect(there(deep)).rejects.toMatchObject({
        code: 'SLOPPY_E_WORKER_MESSAGE_SERIALIZATION_FAILED',
      });
    });
  });

  describe('limits count', () => {
    let tight;
    beforeAll(() => {
      tight = WorkerPool.create('tight', {
        runtime,
        payload: 'clone',
        maxPayloadBytes: 10_000,
        maxResultBytes: 10_000,
      });
    });
    afterAll(() => tight.stop());
    const TOO_LARGE = { code: 'SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED' };

    test.each([
      ['a Map', new Map(Array.from({ length: 2000 }, (_, i) => [i, `${i}xx`]))],
      ['a text', [new Date(), 'x'.repeat(10_001)]],
      ['bytes', { m: new Map(), b: new Uint8Array(10_001) }],
    ])('%s', async (_name, input) => {
      await expect(tight.run(identity, { input })).rejects.toMatchObject(
        TOO_LARGE,
      );
    });

    test('moved bytes', async () => {
      const buffer = new ArrayBuffer(10_001);
      const options = { input: [buffer, new Date()], transfer: [buffer] };
      await expect(tight.run(identity, options)).rejects.toMatchObject(
        TOO_LARGE,
      );
      expect(buffer.byteLength).toBe(10_001);
    });

    test('a result', async () => {
      const job = () => new Map([[1, new Uint8Array(10_001)]]);
      await expect(tight.run(job)).rejects.toMatchObject(TOO_LARGE);
    });

    test('but not shared memory', async () => {
      const memory = new SharedArrayBuffer(100_000);
      const result = await tight.run(identity, { input: [memory] });
      expect(result[0].byteLength).toBe(100_000);
    });
  });
});

test('a plain pool says that there are clones', async () => {
  const pool = WorkerPool.create('plain');
  const kinds = [new Date(), new Map(), 1n, [Number.NaN], new Error('x')];
  for (const input of kinds) {
    await expect(pool.run(identity, { input })).rejects.toMatchObject({
      hint: expect.stringContaining("payload: 'clone'"),
    });
  }
  await pool.stop();
});

test('the option', async () => {
  for (const payload of ['cloned', 1, null, 'toString']) {
    expect(() => WorkerPool.create('bad', { payload })).toThrow(
      new TypeError('WorkerPool.payload must be "plain" or "clone".'),
    );
  }
  expect(() => WorkerPool.create('bad', { payloads: 'clone' })).toThrow(
    'did you mean "payload"?',
  );
  const plain = WorkerPool.create('plain', { payload: 'plain' });
  await expect(plain.run(identity, { input: 1n })).rejects.toThrow(
    'UNSUPPORTED_PAYLOAD',
  );
  await plain.stop();
  const started = Worker.start('x', { payload: 'x' });
  await expect(started).rejects.toThrow('Worker.payload must be');
});
