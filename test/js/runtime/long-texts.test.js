'use strict';
// Long texts become buffers of memory that nobody clears first: bytes, sizes and
// errors are those of Node, and nothing of what was there before is left.

const { WorkerPool } = require('../../../lib/index.js');

// Runs in both places. Gives a line for each text.
function answers() {
  const { createHash } = process.getBuiltinModule('node:crypto');
  const hash = (bytes) => createHash('sha256').update(bytes).digest('hex');
  const out = [];
  const parts = ['a', '\u00e9', '\u20ac', '\u{1f600}', '\ud800', '4a', 'YWJj'];
  for (const size of [65_535, 65_536, 65_537, 131_071, 200_001]) {
    for (const part of parts) {
      const whole = part.repeat(Math.ceil(size / part.length)).slice(0, size);
      const half = size >> 1;
      const texts = [
        whole,
        `${whole.slice(0, half)} \n${whole.slice(half)}`,
        `${whole.slice(0, half)}\u00e9=${whole.slice(half)}`,
        `${whole}\udc00`,
      ];
      for (const [index, text] of texts.entries()) {
        for (const encoding of [
          'utf8',
          'latin1',
          'ascii',
          'utf16le',
          'base64',
          'base64url',
        ]) {
          const bytes = Buffer.from(text, encoding);
          out.push(
            [
              `${size} ${part} ${index} ${encoding}: ${bytes.length}`,
              `${bytes.byteOffset} ${bytes.buffer.byteLength} ${hash(bytes)}`,
              `${Buffer.isBuffer(bytes)} ${bytes.constructor.name}`,
            ].join(' '),
          );
        }
      }
      const digits = 'c0ffee'.repeat(size / 3);
      for (const at of [digits.length, half, 1, 0]) {
        const bytes = Buffer.from(
          `${digits.slice(0, at)}${at === digits.length ? '' : 'xx'}${digits.slice(at)}`,
          'hex',
        );
        out.push(`${size} hex ${at}: ${bytes.length} ${hash(bytes)}`);
      }
    }
  }
  return out;
}

// The bytes that are not zero behind those that were written.
function left({ input: size }) {
  const found = [];
  for (let round = 0; round < 200; round += 1) {
    // What another buffer leaves behind.
    Buffer.allocUnsafeSlow(size).fill(0x5a);
    for (const [text, encoding] of [
      [`4a${'zz'.repeat(size)}`, 'hex'],
      [`YWJj${' '.repeat(size * 2)}`, 'base64'],
    ]) {
      const bytes = Buffer.from(text, encoding);
      const rest = Buffer.from(bytes.buffer).subarray(bytes.length);
      if (rest.length < size / 2) found.push(`${encoding} has no rest`);
      if (rest.some((byte) => byte !== 0)) found.push(`${encoding} ${round}`);
    }
  }
  return found;
}

describe('long texts', () => {
  let pool;
  beforeAll(() => {
    pool = WorkerPool.create('long-texts', { workers: 1, memoryLimitMb: 64 });
  });
  afterAll(() => pool.stop());

  test('become the bytes that Node makes of them', async () => {
    const here = answers();
    const there = await pool.run(answers);
    expect(there.length).toBe(here.length);
    expect(here.length).toBeGreaterThan(800);
    const different = there.flatMap((line, i) =>
      line === here[i] ? [] : [[line, here[i]]],
    );
    expect(different.slice(0, 10)).toEqual([]);
  });

  test('leave nothing of what was in their memory', async () => {
    expect(await pool.run(left, { input: 100_000 })).toEqual([]);
  });

  test('count in the memory limit', async () => {
    const many = () => {
      const kept = [];
      const text = 'abcd'.repeat(1 << 20);
      for (let i = 0; i < 64; i += 1) kept.push(Buffer.from(text));
      return kept.length;
    };
    await expect(pool.run(many)).rejects.toMatchObject({
      code: 'SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED',
    });
    expect(await pool.run(left, { input: 70_000 })).toEqual([]);
  });
});
