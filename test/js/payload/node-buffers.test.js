'use strict';
// A Buffer that is sent arrives as one, there and back; a Uint8Array stays one.

const { WorkerPool, WorkQueue } = require('../../../lib/index.js');

const kindsOf = (value) => [
  Buffer.isBuffer(value.bytes),
  Buffer.isBuffer(value.list[0]),
  Buffer.isBuffer(value.octets),
];

describe.each(['isolate', 'thread'])('runtime %s', (runtime) => {
  let pool;
  beforeAll(() => {
    pool = WorkerPool.create('buffers', { runtime });
  });
  afterAll(() => pool.stop());

  const value = () => ({
    bytes: Buffer.from('ab'),
    list: [Buffer.alloc(0)],
    octets: Uint8Array.of(1, 2),
  });

  test('there, nested, and back', async () => {
    const there = await pool.run(
      ({ input }) => [
        Buffer.isBuffer(input.bytes),
        Buffer.isBuffer(input.list[0]),
        Buffer.isBuffer(input.octets),
        input.bytes.toString('hex'),
      ],
      { input: value() },
    );
    expect(there).toEqual([true, true, false, '6162']);
    const back = await pool.run(({ input }) => input, { input: value() });
    expect(kindsOf(back)).toEqual([true, true, false]);
    expect(back.bytes.toString()).toBe('ab');
    expect(back.octets.constructor).toBe(Uint8Array);
  });

  test('in a function that names no Buffer', async () => {
    const hex = await pool.run(({ input }) => input.toString('hex'), {
      input: Buffer.from('ab'),
    });
    expect(hex).toBe('6162');
  });

  test('made there', async () => {
    const made = await pool.run(() => Buffer.from('made'));
    expect([Buffer.isBuffer(made), `${made}`]).toEqual([true, 'made']);
  });

  test('moved', async () => {
    const input = Buffer.from(new ArrayBuffer(8), 2, 3).fill('x');
    const answer = await pool.run(
      ({ input: { bytes } }) => [`${bytes}`, bytes.byteOffset],
      { input: { bytes: input }, transfer: [input.buffer] },
    );
    expect(answer).toEqual(['xxx', 2]);
    expect(input.length).toBe(0);
  });

  test('in messages and streams', async () => {
    const got = [];
    await pool.run((ctx) => ctx.emit({ bytes: Buffer.from('m') }), {
      onMessage: (message) => got.push(message.bytes),
    });
    for await (const item of pool.stream(function* stream() {
      yield Buffer.from('s');
    })) {
      got.push(item);
    }
    expect(got.map((bytes) => [Buffer.isBuffer(bytes), `${bytes}`])).toEqual([
      [true, 'm'],
      [true, 's'],
    ]);
  });
});

test('where the worker has replaced its Buffer', async () => {
  const pool = WorkerPool.create('replaced');
  await pool.run(async () => {
    const module = await import('node:buffer');
    module.default.Buffer = globalThis.Buffer = undefined;
  });
  const input = Buffer.from('ab');
  expect(await pool.run(({ input }) => input.length, { input })).toBe(2);
  expect(await pool.run(() => 1)).toBe(1);
  await pool.stop();
});

test('the data of init', async () => {
  for (const runtime of ['isolate', 'thread']) {
    const pool = WorkerPool.create('init', {
      runtime,
      init: {
        module: require.resolve('./init-buffer.fixture.cjs'),
        data: { key: Buffer.from('k') },
      },
    });
    expect(await pool.run(() => globalThis.initKey)).toEqual([true, 'k']);
    await pool.stop();
  }
});

test('of a queue with a handler', async () => {
  const queue = WorkQueue.create('buffers').process(({ data }) => [
    Buffer.isBuffer(data),
    `${data}`,
  ]);
  const answer = await queue.enqueue(Buffer.from('q'));
  expect(answer).toEqual([true, 'q']);
  await queue.stop();
});
