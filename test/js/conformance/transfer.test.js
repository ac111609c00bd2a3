'use strict';
// Buffers that a call gives away: `{ input, transfer }`.

const { markAsUntransferable } = require('node:worker_threads');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { createPool, occupy, rejection, stopAll } = require('./support.js');

afterEach(stopAll);

const numbers = (...bytes) => Uint8Array.from(bytes).buffer;
/** @returns {Promise<() => void>} ends the job that keeps the pool busy */
async function keepBusy(pool) {
  const ending = new AbortController();
  await occupy(pool, { signal: ending.signal }).started;
  return () => ending.abort();
}

const asList = ({ input }) => [...new Uint8Array(input)];

describe('moved', () => {
  test('arrive, and are gone here', async () => {
    const buffer = numbers(1, 2, 3);
    const job = createPool().run(asList, { input: buffer, transfer: [buffer] });
    expect(buffer.byteLength).toBe(0);
    expect(await job).toEqual([1, 2, 3]);
  });

  test('whole, and one for all views of it', async () => {
    const buffer = new ArrayBuffer(64);
    const input = {
      bytes: new Uint8Array(buffer, 8, 8).fill(5),
      words: new Uint16Array(buffer, 16, 2).fill(258),
      view: new DataView(buffer, 4, 8),
      buffer,
    };
    const job = ({ input: { bytes, words, view, buffer } }) => [
      [bytes, words, view].every((each) => each.buffer === buffer),
      [bytes.byteOffset, words.byteOffset, view.byteOffset],
      [bytes.length, words.length, view.byteLength, buffer.byteLength],
      [bytes[0], words[1], view.getUint8(4)],
    ];
    const result = createPool().run(job, { input, transfer: [buffer] });
    expect(input.bytes.byteLength).toBe(0);
    expect(await result).toEqual([
      true,
      [8, 16, 4],
      [8, 2, 8, 64],
      [5, 258, 5],
    ]);
  });

  test('by who only sends a view', async () => {
    const { buffer } = Uint8Array.of(1, 2, 3, 4);
    const input = new Uint8Array(buffer, 1, 2);
    const job = ({ input }) => [[...input], input.byteOffset];
    const options = { input, transfer: [buffer] };
    expect(await createPool().run(job, options)).toEqual([[2, 3], 1]);
    expect(buffer.byteLength).toBe(0);
  });

  test('once, also when listed twice', async () => {
    const buffer = numbers(1, 2);
    const options = { input: buffer, transfer: [buffer, buffer] };
    expect(await createPool().run(asList, options)).toEqual([1, 2]);
    expect(buffer.byteLength).toBe(0);
  });

  test('when the job is submitted, not when it starts', async () => {
    const pool = createPool({ maxQueued: 2, overflow: 'backpressure' });
    const end = await keepBusy(pool);
    const buffers = [numbers(1), numbers(2), numbers(3)];
    const jobs = buffers.map((buffer) =>
      pool.run(asList, { input: buffer, transfer: [buffer] }),
    );
    expect(buffers.map((buffer) => buffer.byteLength)).toEqual([0, 0, 0]);
    end();
    expect(await Promise.all(jobs)).toEqual([[1], [2], [3]]);
  });
});

describe('kept', () => {
  test('what is listed, but not sent', async () => {
    const [sent, other] = [numbers(1), numbers(2)];
    const transfer = [other, null, 5, new SharedArrayBuffer(8)];
    const options = { input: [sent], transfer };
    expect(await createPool().run(({ input }) => input.length, options)).toBe(
      1,
    );
    expect([sent.byteLength, other.byteLength]).toEqual([1, 1]);
  });

  const refusals = {
    'a value that cannot be sent': { input: (b) => [b, () => 1] },
    'an option of the wrong kind': { priority: 9 },
    'a signal that says no': { signal: AbortSignal.abort() },
  };
  test.each(Object.keys(refusals))('by a call with %s', async (name) => {
    const { input = (b) => b, ...options } = refusals[name];
    const buffer = numbers(1, 2);
    await rejection(
      createPool().run(asList, {
        ...options,
        input: input(buffer),
        transfer: [buffer],
      }),
    );
    expect(buffer.byteLength).toBe(2);
  });

  test('by a call that finds the queue full', async () => {
    const pool = createPool({ maxQueued: 1 });
    const end = await keepBusy(pool);
    const first = pool.run(() => 1);
    const buffer = numbers(1, 2);
    const job = pool.run(asList, { input: buffer, transfer: [buffer] });
    expect((await rejection(job)).code).toBe(Code.QueueFull);
    expect(buffer.byteLength).toBe(2);
    end();
    expect(await first).toBe(1);
  });
});

describe('copied, because they cannot be moved', () => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const marked = numbers(1, 2);
  markAsUntransferable(marked);
  const kinds = {
    'the memory of WebAssembly': memory.buffer,
    'the slab that small Buffers share': Buffer.from('abc').buffer,
    'one that was marked so': marked,
  };

  test.each(Object.keys(kinds))('%s', async (name) => {
    const buffer = kinds[name];
    const size = buffer.byteLength;
    const movable = numbers(7);
    const pool = createPool();
    const sizes = await pool.run(
      ({ input }) => input.map((b) => b.byteLength),
      {
        input: [buffer, movable],
        transfer: [buffer, movable],
      },
    );
    expect(sizes).toEqual([size, 1]);
    expect([buffer.byteLength, movable.byteLength]).toEqual([size, 0]);
    await pool.stop();
  });

  test('and small Buffers can be made as before', async () => {
    const input = Buffer.from('abc');
    const options = { input, transfer: [input.buffer] };
    const job = ({ input }) => [input.length, input[0]];
    expect(await createPool().run(job, options)).toEqual([3, 97]);
    expect(`${input} ${Buffer.from('def')}`).toBe('abc def');
  });
});

test('a buffer that an option detaches costs its own job alone', async () => {
  const pool = createPool();
  const buffer = numbers(1, 2);
  const options = {
    input: buffer,
    transfer: [buffer],
    get priority() {
      structuredClone(buffer, { transfer: [buffer] });
      return 4;
    },
  };
  const first = await pool.run(asList, options).catch(({ code }) => code);
  expect([[], Code.SerializationFailed]).toContainEqual(first);
  expect(await pool.run(asList, { input: numbers(3) })).toEqual([3]);
  await pool.stop();
});
