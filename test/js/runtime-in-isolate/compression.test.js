'use strict';

const { promisify } = require('node:util');
const zlib = require('node:zlib');

const { WorkerPool } = require('../../../lib/index.js');

const TEXT = 'the same words again and again, '.repeat(4000);

let pool;

beforeAll(() => {
  pool = WorkerPool.create('compression', { workers: 1 });
});

afterAll(() => pool.stop());

const WAYS = [
  ['gzip', 'gunzip'],
  ['deflate', 'inflate'],
  ['deflateRaw', 'inflateRaw'],
  ['gzip', 'unzip'],
  ['brotliCompress', 'brotliDecompress'],
  ['zstdCompress', 'zstdDecompress'],
].filter(([pack]) => zlib[pack] !== undefined);

test.each(WAYS)('%s and %s answer as in Node', async (pack, unpack) => {
  const [once, later, streamed, back] = await pool.run(
    async ({ input: [text, packer, unpacker] }) => {
      const own = process.getBuiltinModule('node:zlib');
      const { buffer } = process.getBuiltinModule('node:stream/consumers');
      const { promisify: later } = process.getBuiltinModule('node:util');
      const Class = packer[0].toUpperCase() + packer.slice(1);
      const stream = new own[Class]();
      for (let at = 0; at < text.length; at += 10_000) {
        stream.write(text.slice(at, at + 10_000));
      }
      stream.end();
      const bytes = own[`${packer}Sync`](text);
      return [
        bytes,
        await later(own[packer])(text),
        await buffer(stream),
        String(own[`${unpacker}Sync`](bytes)),
      ];
    },
    { input: [TEXT, pack, unpack] },
  );
  const expected = zlib[`${pack}Sync`](TEXT);
  expect(Buffer.from(once).equals(expected)).toBe(true);
  const inTurns = await promisify(zlib[pack])(TEXT);
  expect(Buffer.from(later).equals(inTurns)).toBe(true);
  expect(String(zlib[`${unpack}Sync`](streamed))).toBe(TEXT);
  expect(back).toBe(TEXT);
});

test('errors and names are those of Node', async () => {
  const facts = (own) => {
    const errors = [
      () => own.gunzipSync(Buffer.from('no gzip at all')),
      () => own.gunzipSync(own.gzipSync('text').subarray(0, 15)),
      () => own.gzipSync('text', { level: 20 }),
      () => own.brotliDecompressSync(Buffer.from('no brotli at all')),
      () => own.gzipSync(5),
    ].map((call) => {
      try {
        call();
        return 'none';
      } catch ({ name, message, code, errno }) {
        return [name, message, code, errno ?? 'none'];
      }
    });
    const names = Object.keys(own)
      .sort()
      .map((name) => `${name} ${typeof own[name]}`);
    const constants = Object.entries(own.constants).map(String).sort();
    return [errors, names, constants, own.crc32?.('text', 5) ?? 0];
  };
  const inside = await pool.run(
    ({ input }) =>
      new Function('own', `return (${input})(own)`)(
        process.getBuiltinModule('node:zlib'),
      ),
    { input: `${facts}` },
  );
  expect(inside).toEqual(facts(zlib));
});

test('parameters change in the middle, and no output is lost', async () => {
  const change = async ({ input }) => {
    const { createDeflate } = process.getBuiltinModule('node:zlib');
    const { buffer } = process.getBuiltinModule('node:stream/consumers');
    const stream = createDeflate({ level: 9 });
    const all = buffer(stream);
    stream.write(input);
    await new Promise((resolve, reject) => {
      stream.params(0, 2, (error) => (error ? reject(error) : resolve()));
    });
    stream.end(input);
    return all;
  };
  const bytes = await pool.run(change, { input: TEXT });
  expect(String(zlib.inflateSync(bytes))).toBe(TEXT + TEXT);
});

// Node's own text flushes before, and would lose it.
test('parameters change without a flush, and no output is lost', async () => {
  const change = ({ input }) => {
    const stream = process
      .getBuiltinModule('node:zlib')
      .createDeflate({ level: 9 });
    const { _handle: handle, _writeState: left } = stream;
    const pieces = [];
    const write = (flush, text) => {
      const bytes = Buffer.from(text);
      let start = 0;
      do {
        const room = Buffer.alloc(100);
        const size = bytes.length - start;
        handle.writeSync(flush, bytes, start, size, room, 0, 100);
        start = bytes.length - left[1];
        pieces.push(room.subarray(0, 100 - left[0]));
      } while (left[0] === 0);
    };
    write(0, input);
    handle.params(0, 2);
    write(0, input);
    write(4, '');
    return Buffer.concat(pieces);
  };
  const text = Array.from({ length: 5000 }, (_, i) => (i * i) % 997).join();
  const bytes = await pool.run(change, { input: text });
  expect(String(zlib.inflateSync(bytes))).toBe(text + text);
});

test.each(['gzipSync', 'brotliCompressSync', 'crc32'])(
  '%s ends at the time limit',
  async (name) => {
    const job = pool.run(
      ({ input }) => {
        const own = process.getBuiltinModule('node:zlib');
        const bytes = Buffer.alloc(1 << 26, 'words that are not all the same ');
        for (;;) own[input]?.(bytes);
      },
      { input: name, runTimeoutMs: 300 },
    );
    await expect(job).rejects.toMatchObject({ name: 'SloppyWorkerError' });
    expect(await pool.run(() => 'next')).toBe('next');
  },
);

test('the memory of streams counts', async () => {
  const small = WorkerPool.create('small', { workers: 1, memoryLimitMb: 32 });
  const open = () => {
    const own = process.getBuiltinModule('node:zlib');
    const kept = [];
    const room = Buffer.alloc(99);
    for (let i = 0; i < 4000; i += 1) {
      const stream = own.createGzip({ memLevel: 9 });
      kept.push(stream);
      stream._handle.writeSync(0, room, 0, 1, room, 50, 40);
    }
    return kept.length;
  };
  await expect(small.run(open)).rejects.toMatchObject({
    code: expect.any(String),
  });
  expect(await small.run(() => 'next')).toBe('next');
  await small.stop();
});
