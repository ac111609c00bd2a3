'use strict';
// Large buffers of a process's values, which are written as they are.

const { createPool, stopAll } = require('./support.js');

afterEach(stopAll);

const MB = 2 ** 20;

test('a moved result is what the job has made, and empty there', async () => {
  const pool = createPool({ workers: 1 });
  const result = await pool.run(({ move }) => {
    const bytes = new Uint8Array(5_000_000);
    for (let i = 0; i < bytes.length; i += 1) bytes[i] = i % 251;
    const wide = new Float64Array(100_000).fill(0.5);
    globalThis.mine = [bytes.buffer, wide.buffer];
    const value = { bytes, part: bytes.subarray(9, 12), small: 'x', wide };
    return move(value, globalThis.mine);
  });
  expect(result.bytes.length).toBe(5_000_000);
  expect(result.bytes.every((byte, at) => byte === at % 251)).toBe(true);
  expect(result.wide.every((each) => each === 0.5)).toBe(true);
  expect([...result.part]).toEqual([9, 10, 11]);
  expect(result.part.buffer).toBe(result.bytes.buffer);
  const left = () => globalThis.mine.map((buffer) => buffer.byteLength);
  expect(await pool.run(left)).toEqual([0, 0]);
});

test('messages are what they were when they were sent', async () => {
  const pool = createPool({ workers: 1 });
  const heard = [];
  const last = await pool.run(
    ({ emit }) => {
      const bytes = new Uint8Array(2 ** 20);
      for (let n = 1; n <= 5; n += 1) {
        bytes.fill(n);
        emit(bytes);
      }
      return bytes;
    },
    { onMessage: (bytes) => heard.push([bytes[0], bytes.at(-1)]) },
  );
  expect(heard).toEqual([1, 2, 3, 4, 5].map((n) => [n, n]));
  expect([last.length, last[0]]).toEqual([MB, 5]);
});

test.each(['plain', 'clone'])(
  'there and back with payload %p',
  async (payload) => {
    const pool = createPool({ workers: 1, payload });
    const input = { a: new Uint8Array(3 * MB).fill(1), b: Buffer.alloc(MB, 2) };
    for (let times = 0; times < 3; times += 1) {
      const { a, b } = await pool.run(({ input: value }) => value, { input });
      expect([a.length, a[0], b.length, b[0]]).toEqual([3 * MB, 1, MB, 2]);
    }
  },
);

test('texts of every length are what they were, also when others come', async () => {
  const pool = createPool({ workers: 1, maxQueued: 100 });
  const sizes = [1024, 1025, 16_383, 16_384, 65_515, 131_072, 131_073, MB];
  const texts = [...sizes, 3 * MB].flatMap((size, at) =>
    ['a', 'é', 'ж'].map((end) =>
      String.fromCharCode(98 + at)
        .repeat(size - 1)
        .concat(end),
    ),
  );
  const echo = ({ input }) => input;
  for (let times = 0; times < 2; times += 1) {
    const results = await Promise.all(
      texts.map((input) => pool.run(echo, { input })),
    );
    // Not toEqual, which would print them.
    expect(results.map((text, at) => text === texts[at])).not.toContain(false);
  }
});

test('buffers that no value follows end the process', async () => {
  const pool = createPool({ workers: 1, maxResultBytes: 1000 });
  const flood = () => {
    const { writeSync } =
      process.getBuiltinModule?.('node:fs') ??
      process.mainModule.require('node:fs');
    const body = Buffer.alloc(100_000);
    const header = Buffer.from('535746310a00000000000000a0860100', 'hex');
    const frame = Buffer.concat([header, body]);
    for (let at = 0; ; ) {
      try {
        at += writeSync(3, frame, at);
        if (at === frame.length) at = 0;
      } catch {}
    }
  };
  await expect(pool.run(flood)).rejects.toMatchObject({
    code: 'SLOPPY_E_WORKER_CRASHED',
  });
  expect(await pool.run(() => 'next')).toBe('next');
});
