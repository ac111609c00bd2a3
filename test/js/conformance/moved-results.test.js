'use strict';
// context.move: buffers of results and messages are moved, not copied.

const { createPool, rejection, startWorker, stopAll } = require('./support.js');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');

afterEach(stopAll);

// The length of the job's own buffer after the job.
const left = () => globalThis.mine.byteLength;

test.each([
  [
    'an ArrayBuffer',
    (context) => {
      globalThis.mine = new ArrayBuffer(8);
      return context.move(globalThis.mine);
    },
  ],
  [
    'in a promise',
    async ({ move }) => {
      globalThis.mine = new ArrayBuffer(8);
      return move(globalThis.mine);
    },
  ],
  [
    'after a while',
    async ({ move }) => {
      globalThis.mine = new ArrayBuffer(8);
      await new Promise((resolve) => setTimeout(resolve, 5));
      return move(globalThis.mine);
    },
  ],
])('%s', async (_what, fn) => {
  const pool = createPool();
  const result = await pool.run(fn);
  expect(result).toBeInstanceOf(ArrayBuffer);
  expect(result.byteLength).toBe(8);
  expect(await pool.run(left)).toBe(0);
});

test.each(['plain', 'clone'])(
  'a view, whole, with payload %p',
  async (payload) => {
    const pool = createPool({ payload });
    const result = await pool.run(({ move }) => {
      const bytes = new Uint8Array(1000).fill(7);
      globalThis.mine = bytes.buffer;
      return move(bytes);
    });
    expect(result).toEqual(new Uint8Array(1000).fill(7));
    expect(await pool.run(left)).toBe(0);
  },
);

test.each(['plain', 'clone'])(
  'several in an object, with payload %p',
  async (payload) => {
    const pool = createPool({ payload });
    const result = await pool.run(({ move }) => {
      const pixels = new Float64Array([1.5, 2.5]);
      const mask = new Uint8Array([1, 2, 3]);
      const kept = new Uint8Array([9]);
      globalThis.all = [pixels.buffer, mask.buffer, kept.buffer];
      const value = {
        name: 'x',
        pixels,
        view: new DataView(pixels.buffer),
        mask,
        kept,
      };
      return move(value, [pixels.buffer, mask.buffer]);
    });
    expect([...result.pixels]).toEqual([1.5, 2.5]);
    expect(result.view.getFloat64(8, true)).toBe(2.5);
    expect([...result.mask, ...result.kept]).toEqual([1, 2, 3, 9]);
    expect(result.name).toBe('x');
    const lengths = () => globalThis.all.map((each) => each.byteLength);
    expect(await pool.run(lengths)).toEqual([0, 0, 1]);
  },
);

test('without it, buffers are copied, also inside of what was moved once', async () => {
  const pool = createPool();
  const result = await pool.run(() => {
    globalThis.mine = new ArrayBuffer(4);
    return globalThis.mine;
  });
  expect(result.byteLength).toBe(4);
  expect(await pool.run(left)).toBe(4);
  await pool.run(({ move }) => {
    move(globalThis.mine);
    return { inside: globalThis.mine };
  });
  expect(await pool.run(left)).toBe(4);
});

test('messages and streams move too', async () => {
  const pool = createPool();
  const messages = [];
  await pool.run(
    ({ emit, move }) => {
      globalThis.mine = new ArrayBuffer(16);
      emit(move(globalThis.mine));
    },
    { onMessage: (value) => messages.push(value.byteLength) },
  );
  expect(messages).toEqual([16]);
  expect(await pool.run(left)).toBe(0);
  const sizes = [];
  const stream = pool.stream(function* ({ move }) {
    for (let size = 1; size <= 3; size += 1) {
      globalThis.mine = new ArrayBuffer(size);
      yield move(globalThis.mine);
    }
  });
  for await (const { byteLength } of stream) sizes.push(byteLength);
  expect(sizes).toEqual([1, 2, 3]);
  expect(await pool.run(left)).toBe(0);
});

test('an export of a Worker, with all that a copy has', async () => {
  const worker = await startWorker(`
    let mine;
    export function make(size, { move }) {
      mine = new Uint8Array(size).fill(3);
      return move({ mine, at: new Date(5).getTime() }, [mine.buffer]);
    }
    export const left = (_, context) => mine.byteLength;
  `);
  const { mine, at } = await worker.invoke('make', 5_000_000);
  expect([mine.length, mine[4_999_999], at]).toEqual([5_000_000, 3, 5]);
  expect(await worker.invoke('left')).toBe(0);
});

test('a buffer that stays is copied: the memory of WebAssembly', async () => {
  const pool = createPool();
  const result = await pool.run(({ move }) => {
    globalThis.memory = new WebAssembly.Memory({ initial: 1, maximum: 1 });
    const { buffer } = globalThis.memory;
    new Uint8Array(buffer)[5] = 6;
    return move(buffer);
  });
  expect(result.byteLength).toBe(65_536);
  expect(new Uint8Array(result)[5]).toBe(6);
  const stays = () => globalThis.memory.buffer.byteLength;
  expect(await pool.run(stays)).toBe(65_536);
});

test('one that has been moved before cannot be read', async () => {
  const pool = createPool();
  const error = await rejection(
    pool.run(({ emit, move }) => {
      const value = move(new ArrayBuffer(8));
      emit(value);
      return value;
    }),
  );
  expect(error.code).toBe(Code.SerializationFailed);
  expect(await pool.run(() => 'next')).toBe('next');
});

test('over the limit it is refused, and stays', async () => {
  const pool = createPool({ maxResultBytes: 1000 });
  const error = await rejection(
    pool.run(({ move }) => {
      globalThis.mine = new ArrayBuffer(2000);
      return move(globalThis.mine);
    }),
  );
  expect(error.code).toBe(Code.ResourceLimit);
  expect(await pool.run(left)).toBe(2000);
});

test.each([
  ['a number', ({ move }) => move(5)],
  ['null', ({ move }) => move(null)],
  ['an object without a list', ({ move }) => move({ a: 1 })],
  ['a list of something else', ({ move }) => move({}, [{}])],
  ['shared memory', ({ move }) => move(new SharedArrayBuffer(8))],
])('%s is a TypeError in the job', async (_what, fn) => {
  const error = await rejection(createPool().run(fn));
  expect(error.code).toBe(Code.JobFailed);
  expect(error.cause).toBeInstanceOf(TypeError);
  expect(error.cause.message).toBe(
    'context.move takes an object, and an array of its ArrayBuffers',
  );
});

test('is not listed, and may be taken off', async () => {
  const pool = createPool();
  expect(await pool.run((context) => 'move' in { ...context })).toBe(false);
  const size = await pool.run((context) => {
    const { move } = context;
    return move(new ArrayBuffer(3));
  });
  expect(size.byteLength).toBe(3);
});
