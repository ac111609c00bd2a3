'use strict';

/* global thrown, rejected, later */
const { AS_NODE, standard } = require('./support.js');

standard('WritableStream', {
  'writes one after the other, then closes': [
    async () => {
      const log = [];
      const stream = new WritableStream({
        start(c) {
          log.push(['start', c.constructor.name]);
        },
        async write(chunk) {
          log.push(`begin ${chunk}`);
          await later(1);
          log.push(`end ${chunk}`);
        },
        close() {
          log.push('close');
        },
      });
      const writer = stream.getWriter();
      writer.write(1);
      writer.write(2);
      await writer.close();
      return [
        log,
        await rejected(writer.closed),
        await rejected((async () => writer.write(3))()),
        await rejected(writer.close()),
      ];
    },
    AS_NODE,
  ],
  'the arguments are checked': [
    () => [
      thrown(() => new WritableStream(null)),
      thrown(() => new WritableStream({ type: 'bytes' })),
      thrown(() => new WritableStream({ type: '' })),
      thrown(() => new WritableStream({ write: 1 })),
      thrown(() => new WritableStream({}, { highWaterMark: -1 })),
      thrown(
        () =>
          new WritableStream({
            start() {
              throw new SyntaxError('s');
            },
          }),
      ),
      thrown(() => new WritableStreamDefaultController()),
      thrown(() => new WritableStreamDefaultWriter({})),
    ],
    [
      'TypeError',
      'RangeError',
      'RangeError',
      'TypeError',
      'RangeError',
      'SyntaxError',
      'TypeError',
      'TypeError',
    ],
  ],
  'ready and desiredSize show backpressure': [
    async () => {
      let go;
      const stream = new WritableStream(
        {
          write: () =>
            new Promise((resolve) => {
              go = resolve;
            }),
        },
        { highWaterMark: 2 },
      );
      const writer = stream.getWriter();
      const log = [writer.desiredSize];
      await writer.ready;
      writer.write('a');
      log.push(writer.desiredSize);
      writer.write('b');
      log.push(writer.desiredSize);
      let ready = false;
      writer.ready.then(() => {
        ready = true;
      });
      await later(1);
      log.push(ready);
      go();
      await later(1);
      log.push(ready, writer.desiredSize);
      return log;
    },
    [2, 1, 0, false, true, 1],
  ],
  locks: [
    async () => {
      const stream = new WritableStream();
      const writer = stream.getWriter();
      const log = [
        stream.locked,
        thrown(() => stream.getWriter()),
        await rejected(stream.abort()),
        await rejected(stream.close()),
      ];
      writer.releaseLock();
      log.push(
        stream.locked,
        await rejected(writer.write()),
        await rejected(writer.close()),
        await rejected(writer.abort()),
        await rejected(writer.closed),
        await rejected(writer.ready),
        thrown(() => writer.desiredSize),
        await rejected(stream.close()),
      );
      return log;
    },
    [
      true,
      'TypeError',
      'TypeError',
      'TypeError',
      false,
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      ['none', undefined],
    ],
  ],
  'a failing write errors it for good': [
    async () => {
      const log = [];
      const stream = new WritableStream({
        write() {
          throw new RangeError('w');
        },
        abort() {
          log.push('abort');
        },
        close() {
          log.push('close');
        },
      });
      const writer = stream.getWriter();
      const first = rejected(writer.write(1));
      const second = rejected(writer.write(2));
      log.push(
        await first,
        await second,
        await rejected(writer.closed),
        await rejected(writer.ready),
        await rejected(writer.close()),
        writer.desiredSize,
        await rejected(writer.abort()),
      );
      return log;
    },
    [
      'RangeError',
      'RangeError',
      'RangeError',
      'RangeError',
      'TypeError',
      null,
      ['none', undefined],
    ],
  ],
  'abort: signal, reason, what is queued and what is under way': [
    async () => {
      const log = [];
      let signal;
      let finish;
      const stream = new WritableStream({
        start(c) {
          ({ signal } = c);
        },
        write: () =>
          new Promise((resolve) => {
            finish = resolve;
          }),
        abort(reason) {
          log.push(`abort ${reason}`);
        },
      });
      const writer = stream.getWriter();
      await writer.ready;
      const first = rejected(writer.write(1));
      const second = rejected(writer.write(2));
      const aborted = writer.abort('why');
      log.push(
        signal.aborted,
        signal.reason,
        await rejected(writer.ready),
        writer.desiredSize,
      );
      finish();
      log.push(
        await first,
        await second,
        await rejected(aborted),
        await rejected(writer.closed),
        await rejected(writer.abort('again')),
      );
      return log;
    },
    [
      true,
      'why',
      ['value', 'why'],
      null,
      'abort why',
      ['none', undefined],
      ['value', 'why'],
      ['none', undefined],
      ['value', 'why'],
      ['none', undefined],
    ],
  ],
  'the controller can error it': [
    async () => {
      let controller;
      const stream = new WritableStream({
        start(c) {
          controller = c;
        },
      });
      const writer = stream.getWriter();
      controller.error(new RangeError('c'));
      controller.error(new TypeError('later'));
      return [
        await rejected(writer.closed),
        await rejected(writer.write(1)),
        await rejected(stream.getWriter === undefined ? null : writer.ready),
      ];
    },
    ['RangeError', 'RangeError', 'RangeError'],
  ],
  'a failing close, and abort after close': [
    async () => {
      const bad = new WritableStream({
        close() {
          throw new RangeError('x');
        },
      }).getWriter();
      const good = new WritableStream().getWriter();
      await good.close();
      return [
        await rejected(bad.close()),
        await rejected(bad.closed),
        await rejected(good.abort()),
        good.desiredSize,
      ];
    },
    ['RangeError', 'RangeError', ['none', undefined], 0],
  ],
  'a size that fails errors it': [
    async () => {
      const writer = new WritableStream(
        {},
        {
          size() {
            throw new SyntaxError('s');
          },
        },
      ).getWriter();
      return [await rejected(writer.write(1)), await rejected(writer.closed)];
    },
    ['SyntaxError', 'SyntaxError'],
  ],
});
