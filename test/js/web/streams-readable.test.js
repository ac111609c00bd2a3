'use strict';

/* global thrown, rejected, collect, later */
const { standard } = require('./support.js');

standard('ReadableStream', {
  'the source is started, pulled and asked in order': [
    async () => {
      const log = [];
      const stream = new ReadableStream(
        {
          start(c) {
            log.push(`start ${c.desiredSize}`);
          },
          pull(c) {
            log.push('pull');
            c.enqueue(log.length);
            if (log.length > 3) c.close();
          },
          cancel(reason) {
            log.push(`cancel ${reason}`);
          },
        },
        { highWaterMark: 2 },
      );
      log.push('made');
      return [await collect(stream), log];
    },
    [
      [3, 4],
      ['start 2', 'made', 'pull', 'pull'],
    ],
  ],
  'the arguments are checked': [
    () => [
      thrown(() => new ReadableStream(null)),
      thrown(() => new ReadableStream({ start: 1 })),
      thrown(() => new ReadableStream({ pull: 'x' })),
      thrown(() => new ReadableStream({ type: 'other' })),
      thrown(() => new ReadableStream({ type: '' })),
      thrown(() => new ReadableStream({}, { highWaterMark: -1 })),
      thrown(() => new ReadableStream({}, { highWaterMark: Number.NaN })),
      thrown(() => new ReadableStream({ type: 'bytes' }, { size() {} })),
      thrown(
        () => new ReadableStream({ type: 'bytes', autoAllocateChunkSize: 0 }),
      ),
      thrown(() => new ReadableStream({}, { size: 5 })),
      thrown(() => ReadableStream()),
      thrown(() => new ReadableStreamDefaultController()),
      thrown(() => new ReadableStreamBYOBRequest()),
      thrown(
        () =>
          new ReadableStream({
            start() {
              throw new SyntaxError('s');
            },
          }),
      ),
      thrown(() => ReadableStream.prototype.locked),
    ],
    [
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      'RangeError',
      'RangeError',
      'RangeError',
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      'SyntaxError',
      'TypeError',
    ],
  ],
  locks: [
    async () => {
      const stream = new ReadableStream();
      const reader = stream.getReader();
      const log = [
        stream.locked,
        thrown(() => stream.getReader()),
        await rejected(stream.cancel()),
        thrown(() => stream.tee()),
        await rejected(stream.pipeTo(new WritableStream())),
        thrown(() => stream.pipeThrough(new TransformStream())),
        thrown(() => stream[Symbol.asyncIterator]()),
      ];
      const pending = rejected(reader.read());
      reader.releaseLock();
      log.push(
        await pending,
        stream.locked,
        await rejected(reader.read()),
        await rejected(reader.closed),
        await rejected(reader.cancel()),
        thrown(() => reader.releaseLock()),
      );
      stream.getReader();
      return log;
    },
    [
      true,
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      false,
      'TypeError',
      'TypeError',
      'TypeError',
      ['none', undefined],
    ],
  ],
  'closed, errored and their readers': [
    async () => {
      let controller;
      const stream = new ReadableStream({
        start(c) {
          controller = c;
        },
      });
      const reader = stream.getReader();
      const pending = rejected(reader.read());
      controller.enqueue('a');
      controller.close();
      const log = [
        await pending,
        await reader.read(),
        await rejected(reader.closed),
        thrown(() => controller.enqueue('b')),
        thrown(() => controller.close()),
        controller.desiredSize,
        controller.error(1),
      ];
      const bad = new ReadableStream({
        start(c) {
          c.enqueue(1);
          c.error(new RangeError('e'));
          log.push(c.desiredSize);
        },
      });
      const badReader = bad.getReader();
      log.push(
        await rejected(badReader.read()),
        await rejected(badReader.closed),
        await rejected(badReader.cancel()),
      );
      return log;
    },
    [
      ['none', { value: 'a', done: false }],
      { value: undefined, done: true },
      ['none', undefined],
      'TypeError',
      'TypeError',
      0,
      undefined,
      null,
      'RangeError',
      'RangeError',
      'RangeError',
    ],
  ],
  'cancel waits for the source and loses what is queued': [
    async () => {
      const log = [];
      const stream = new ReadableStream({
        start(c) {
          c.enqueue(1);
        },
        async cancel(reason) {
          await later(1);
          log.push(reason);
          return 'ignored';
        },
      });
      const reader = stream.getReader();
      log.push(
        await reader.cancel('why'),
        await reader.read(),
        await rejected(reader.closed),
        await rejected(reader.cancel('again')),
      );
      const bad = new ReadableStream({
        cancel() {
          throw new RangeError('c');
        },
      });
      log.push(await rejected(bad.cancel()));
      return log;
    },
    [
      'why',
      undefined,
      { value: undefined, done: true },
      ['none', undefined],
      ['none', undefined],
      'RangeError',
    ],
  ],
  'a size function decides the backpressure, and may fail': [
    async () => {
      const sizes = [];
      new ReadableStream(
        {
          start(c) {
            sizes.push(c.desiredSize);
            c.enqueue('abc');
            sizes.push(c.desiredSize);
          },
        },
        { highWaterMark: 5, size: (chunk) => chunk.length },
      );
      const bad = async (size) => {
        let answer;
        const stream = new ReadableStream(
          {
            start(c) {
              answer = thrown(() => c.enqueue(1));
            },
          },
          { size },
        );
        return [answer, await rejected(stream.getReader().read())];
      };
      return [
        sizes,
        await bad(() => {
          throw new SyntaxError('x');
        }),
        await bad(() => -1),
        await bad(() => Number.NaN),
        await bad(() => Number.POSITIVE_INFINITY),
      ];
    },
    [
      [5, 2],
      ['SyntaxError', 'SyntaxError'],
      ['RangeError', 'RangeError'],
      ['RangeError', 'RangeError'],
      ['RangeError', 'RangeError'],
    ],
  ],
  'pull is called once at a time, and again after enqueue in it': [
    async () => {
      let running = 0;
      let most = 0;
      let calls = 0;
      const stream = new ReadableStream({
        async pull(c) {
          running += 1;
          calls += 1;
          most = Math.max(most, running);
          c.enqueue(calls);
          await later(1);
          running -= 1;
          if (calls === 4) c.close();
        },
      });
      return [await collect(stream), most];
    },
    [[1, 2, 3, 4], 1],
  ],
  'a pull that throws errors the stream': [
    async () => {
      const stream = new ReadableStream({
        pull() {
          return Promise.reject(new RangeError('p'));
        },
      });
      return [await rejected(stream.getReader().read())];
    },
    ['RangeError'],
  ],
  'both branches of tee get all, and cancel together': [
    async () => {
      const log = [];
      const stream = new ReadableStream(
        {
          pull(c) {
            c.enqueue(log.length);
          },
          cancel(reasons) {
            log.push(reasons);
          },
        },
        { highWaterMark: 0 },
      );
      const [a, b] = stream.tee();
      const readerA = a.getReader();
      const readerB = b.getReader();
      log.push(
        (await readerA.read()).value,
        (await readerA.read()).value,
        (await readerB.read()).value,
      );
      const first = readerA.cancel('a');
      log.push((await readerB.read()).value);
      await Promise.all([first, readerB.cancel('b')]);
      return log;
    },
    [0, 0, 0, 0, ['a', 'b']],
  ],
  'tee gives the same chunk to both, and an error to both': [
    async () => {
      const chunk = { x: 1 };
      let controller;
      const [a, b] = new ReadableStream({
        start(c) {
          controller = c;
          c.enqueue(chunk);
        },
      }).tee();
      const [ra, rb] = [a.getReader(), b.getReader()];
      const same = (await ra.read()).value === (await rb.read()).value;
      controller.error(new RangeError('t'));
      return [same, await rejected(ra.closed), await rejected(rb.closed)];
    },
    [true, 'RangeError', 'RangeError'],
  ],
});
