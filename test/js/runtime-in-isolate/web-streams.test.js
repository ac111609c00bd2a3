'use strict';

// Node's own web streams inside an isolate: what they answer and throw is what
// this Node's answer and throw.

const { WorkerPool } = require('../../../lib');

// Runs in a worker and in this thread.
const answers = async () => {
  const [stream, web, util, consumers, { finished, pipeline }] = [
    'stream',
    'stream/web',
    'util',
    'stream/consumers',
    'stream/promises',
  ].map(process.getBuiltinModule);
  const told = async (work) => {
    try {
      return util.inspect(await work(), { depth: 3 });
    } catch (error) {
      return [error.name, error.code, error.message];
    }
  };
  const bytes = (...values) => Uint8Array.from(values);
  const both = (from, to) => consumers.text(from.pipeThrough(to));
  const works = [
    () => Object.keys(web).sort(),
    () => new ReadableStream(),
    () => new WritableStream({}, { highWaterMark: 3 }).getWriter(),
    () => new TransformStream(),
    () => new TextDecoderStream('utf-16le'),
    () => new ByteLengthQueuingStrategy({ highWaterMark: 1 }),
    () => new CountQueuingStrategy({}),
    () => new ReadableStream(1),
    () => new ReadableStream({}, { highWaterMark: -1 }),
    () => new ReadableStream({ type: 'other' }),
    () => ReadableStream.from(1),
    () => ReadableStream.prototype.locked,
    () => new ReadableStreamDefaultController(),
    () => new TextDecoderStream('none'),
    () => new ReadableStream({ type: 'bytes' }).getReader({ mode: 'x' }),
    () => new WritableStream().getWriter().write.call({}, 1),
    async () => {
      const { readable, writable } = new TransformStream({
        transform(chunk, controller) {
          controller.enqueue(chunk * 2);
          if (chunk === 2) throw new RangeError('two');
        },
      });
      const writer = writable.getWriter();
      const log = [];
      for (const chunk of [1, 2, 3]) {
        writer.write(chunk).then(
          () => log.push(chunk),
          (error) => log.push(error.message),
        );
      }
      const reader = readable.getReader();
      log.push((await reader.read()).value);
      await reader.read().catch((error) => log.push(error.message));
      await reader.read().catch((error) => log.push(error.message));
      return log;
    },
    async () => {
      const [a, b] = ReadableStream.from(['x', 'y']).tee();
      return [await consumers.text(a), await consumers.text(b)];
    },
    async () => {
      const source = new ReadableStream({
        type: 'bytes',
        pull(controller) {
          controller.byobRequest.view[0] = 65;
          controller.byobRequest.respond(1);
        },
      });
      const reader = source.getReader({ mode: 'byob' });
      return [
        await reader.read(Buffer.alloc(2)),
        await reader.read(new Uint16Array(1)),
      ];
    },
    () =>
      both(ReadableStream.from(['\ud83d', '\ude00']), new TextEncoderStream()),
    () =>
      both(
        ReadableStream.from([bytes(0xf0, 0x9f), bytes(0x98)]),
        new TextDecoderStream(),
      ),
    ...['gzip', 'deflate', 'deflate-raw', 'brotli'].map(
      (format) => () =>
        both(
          new Blob(['text '.repeat(9)])
            .stream()
            .pipeThrough(new CompressionStream(format)),
          new DecompressionStream(format),
        ),
    ),
    () => both(new Blob(['no gzip']).stream(), new DecompressionStream('gzip')),
    () =>
      consumers.text(stream.Readable.toWeb(stream.Readable.from(['a', 'b']))),
    () =>
      consumers.text(stream.Readable.fromWeb(ReadableStream.from(['a', 'b']))),
    async () => {
      const got = [];
      const sink = new WritableStream({
        write: (chunk) => void got.push(chunk),
      });
      await pipeline(
        stream.Readable.from([1, 2]),
        stream.Writable.fromWeb(sink, { objectMode: true }),
      );
      return got;
    },
    async () => {
      const { readable, writable } = stream.Duplex.toWeb(
        new stream.PassThrough(),
      );
      const writer = writable.getWriter();
      writer.write(bytes(104, 105));
      writer.close();
      return consumers.text(readable);
    },
    () =>
      finished(
        new ReadableStream({ start: (c) => c.error(new TypeError('told')) }),
      ),
    () => [new ReadableStream(), 1].map(stream.isReadable),
    () => stream.isDisturbed(new ReadableStream()),
    () =>
      new ReadableStream().pipeTo(new WritableStream(), {
        signal: AbortSignal.abort(),
      }),
    () => new ReadableStream().pipeThrough({}),
    async () => {
      const from = ReadableStream.from([new Map([[1, 2]]), () => {}]);
      const reader = structuredClone(from, { transfer: [from] }).getReader();
      return [
        await reader.read(),
        await reader.read().catch((error) => error.name),
      ];
    },
  ];
  const results = [];
  for (const work of works) results.push(await told(work));
  return JSON.stringify(results);
};

test('answers and errors are those of this Node', async () => {
  const pool = WorkerPool.create('web-streams', { workers: 1 });
  const threads = WorkerPool.create('web-threads', {
    workers: 1,
    runtime: 'thread',
  });
  try {
    const expected = JSON.parse(await threads.run(answers));
    expect(expected.length).toBeGreaterThan(30);
    expect(JSON.parse(await pool.run(answers))).toEqual(expected);
  } finally {
    await pool.stop();
    await threads.stop();
  }
});

test('they load after a job has wrapped built-ins', async () => {
  const pool = WorkerPool.create('web-wrapped', { workers: 1 });
  const wrapped = async () => {
    let calls = 0;
    const wrap = (object, name) => {
      const method = object[name];
      object[name] = function called(...args) {
        calls += 1;
        return Reflect.apply(method, this, args);
      };
    };
    wrap(Array.prototype, 'push');
    wrap(Array.prototype, 'shift');
    wrap(ArrayBuffer.prototype, 'slice');
    wrap(Promise.prototype, 'then');
    wrap(Object, 'defineProperties');
    let text = '';
    const source = new Blob(['wrapped']).stream();
    const packed = source.pipeThrough(new CompressionStream('gzip'));
    const unpacked = packed.pipeThrough(new DecompressionStream('gzip'));
    const decoded = unpacked.pipeThrough(new TextDecoderStream());
    for await (const chunk of decoded) text += chunk;
    return [text, calls > 0];
  };
  try {
    expect(await pool.run(wrapped)).toEqual(['wrapped', true]);
  } finally {
    await pool.stop();
  }
});

test('a stream as a result is refused', async () => {
  const pool = WorkerPool.create('web-result', { workers: 1 });
  try {
    await expect(
      pool.run(() => ({ stream: new ReadableStream() })),
    ).rejects.toMatchObject({
      code: 'SLOPPY_E_WORKER_MESSAGE_SERIALIZATION_FAILED',
      hint: expect.stringContaining('result.stream is a ReadableStream'),
    });
  } finally {
    await pool.stop();
  }
});
