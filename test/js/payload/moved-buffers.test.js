'use strict';
// Buffers that have moved between isolates, and what code does with them there.

const { WorkerPool } = require('../../../lib/index.js');

const KB = 1024;
const canTransfer = ArrayBuffer.prototype.transfer !== undefined;

const pools = [];
function poolWith(options) {
  const pool = WorkerPool.create('buffers', { workers: 1, ...options });
  pools.push(pool);
  return pool;
}
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.stop();
});

const filled = (size) => new Uint8Array(size).fill(7);

// Each gives the length and some bytes of what comes of a buffer of 64 KB.
const WAYS = {
  grown: 'buffer.transfer(100000)',
  shrunk: 'buffer.transfer(10)',
  'of the same length': 'buffer.transfer()',
  empty: 'buffer.transfer(0)',
  'grown to a fixed length': 'buffer.transferToFixedLength(100000)',
  'grown twice': 'buffer.transfer(100000).transfer(200000)',
  cloned: 'structuredClone(buffer, { transfer: [buffer] })',
  'cloned and grown':
    'structuredClone(buffer, { transfer: [buffer] }).transfer(100000)',
  sliced: 'buffer.slice(0, 20)',
};

(canTransfer ? describe : describe.skip).each([['structured'], ['clone']])(
  'payload %s',
  (payload) => {
    const options = payload === 'clone' ? { payload } : {};

    test.each(Object.entries(WAYS))('an input is %s', async (_, way) => {
      const input = filled(64 * KB);
      const code = new Function(
        'c',
        `const buffer = c.input.buffer; const before = ${way};
         const out = new Uint8Array(before);
         return [out.length, out[0] ?? 0, out[9] ?? 0, out[out.length - 1] ?? 0];`,
      );
      const expected = code({ input: filled(64 * KB) });
      const pool = poolWith(options);
      for (let i = 0; i < 3; ++i) {
        const again = i === 0 ? input : filled(64 * KB);
        expect(
          await pool.run(code, { input: again, transfer: [again.buffer] }),
        ).toEqual(expected);
      }
    });

    test('a result is grown by its owner', async () => {
      const pool = poolWith(options);
      const made = await pool.run(() => new Uint8Array(65536).fill(7));
      const grown = new Uint8Array(made.buffer.transfer(100_000));
      expect([grown.length, grown[65_535], grown[99_999]]).toEqual([
        100_000, 7, 0,
      ]);
    });

    test('bytes that go to and fro can be grown at each end', async () => {
      const pool = poolWith(options);
      let bytes = filled(64 * KB);
      for (let i = 0; i < 50; ++i) {
        bytes = await pool.run(({ input }) => input, {
          input: bytes,
          transfer: [bytes.buffer],
        });
      }
      const length = await pool.run(
        ({ input }) => new Uint8Array(input.buffer.transfer(200_000)).length,
        { input: bytes, transfer: [bytes.buffer] },
      );
      expect(length).toBe(200_000);
    });

    test('an ended worker leaves its bytes usable', async () => {
      const pool = poolWith(options);
      const made = await pool.run(() => new Uint8Array(65536).fill(7));
      await pool.stop();
      const grown = made.buffer.transfer(100_000);
      expect(new Uint8Array(grown)[0]).toBe(7);
    });
  },
);

test('resizable buffers are resized where they arrive', async () => {
  const pool = poolWith();
  const buffer = new ArrayBuffer(KB, { maxByteLength: 64 * KB });
  const input = new Uint8Array(buffer);
  const sizes = await pool.run(
    (c) => {
      const { buffer: mine } = c.input;
      const before = mine.byteLength;
      if (mine.resizable) mine.resize(2048);
      return [before, mine.byteLength >= 1024];
    },
    { input },
  );
  expect(sizes).toEqual([KB, true]);
});
