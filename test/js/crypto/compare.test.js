'use strict';

const { WorkerPool } = require('../../../lib/index.js');

let pool;
beforeAll(() => {
  pool = WorkerPool.create('compare');
});
afterAll(() => pool.stop());

test('timingSafeEqual sees each byte of each length', async () => {
  const wrong = await pool.run(() => {
    const { timingSafeEqual } = process.getBuiltinModule('node:crypto');
    const seen = [];
    for (let size = 0; size <= 100; size += 1) {
      const bytes = Uint8Array.from({ length: size }, (_, at) => at * 7);
      const other = bytes.slice();
      if (!timingSafeEqual(bytes, other)) seen.push([size, 'equal']);
      for (let at = 0; at < size; at += 1) {
        other[at] ^= 1 << (at % 8);
        if (timingSafeEqual(bytes, other)) seen.push([size, at]);
        other[at] = bytes[at];
      }
    }
    return seen;
  });
  expect(wrong).toEqual([]);
});
