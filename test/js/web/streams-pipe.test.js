'use strict';

/* global thrown, rejected, collect, later */
const { standard } = require('./support.js');

standard('pipeTo', {
  'moves everything, closes, and unlocks': [
    async () => {
      const got = [];
      const from = ReadableStream.from([1, 2]);
      const to = new WritableStream({
        write(chunk) {
          got.push(chunk);
        },
        close() {
          got.push('close');
        },
      });
      const done = from.pipeTo(to);
      const locked = [from.locked, to.locked];
      return [locked, await done, from.locked, to.locked, got];
    },
    [[true, true], undefined, false, false, [1, 2, 'close']],
  ],
  'each end, with and without its prevention': [
    async () => {
      const outcome = async (kind, options) => {
        const log = [];
        const from = new ReadableStream({
          start(c) {
            if (kind === 'error') c.error(new RangeError('from'));
            if (kind === 'close') c.close();
          },
          pull(c) {
            if (kind === 'write') c.enqueue(1);
          },
          cancel(reason) {
            log.push(`cancel ${reason.name}`);
          },
        });
        const to = new WritableStream({
          write() {
            if (kind === 'write') throw new SyntaxError('to');
          },
          close() {
            log.push('close');
          },
          abort(reason) {
            log.push(`abort ${reason.name}`);
          },
        });
        const answer = await rejected(from.pipeTo(to, options));
        return [Array.isArray(answer) ? 'ok' : answer, ...log].join(' ');
      };
      return [
        await outcome('close'),
        await outcome('close', { preventClose: true }),
        await outcome('error'),
        await outcome('error', { preventAbort: true }),
        await outcome('write'),
        await outcome('write', { preventCancel: true }),
      ];
    },
    [
      'ok close',
      'ok',
      'RangeError abort RangeError',
      'RangeError',
      'SyntaxError cancel SyntaxError',
      'SyntaxError',
    ],
  ],
  'into what is closed already': [
    async () => {
      const log = [];
      const to = new WritableStream();
      await to.close();
      const from = new ReadableStream({
        cancel(reason) {
          log.push(reason.name);
        },
      });
      log.push(await rejected(from.pipeTo(to)));
      return log;
    },
    ['TypeError', 'TypeError'],
  ],
  'a signal ends it, both sides or neither': [
    async () => {
      const outcome = async (options, early) => {
        const log = [];
        const controller = new AbortController();
        if (early) controller.abort(new RangeError('r'));
        const from = new ReadableStream({
          cancel(reason) {
            log.push(`cancel ${reason.name}`);
          },
        });
        const to = new WritableStream({
          abort(reason) {
            log.push(`abort ${reason.name}`);
          },
        });
        const done = rejected(
          from.pipeTo(to, { ...options, signal: controller.signal }),
        );
        await later(1);
        if (!early) controller.abort(new RangeError('r'));
        return [await done, ...log.sort()].join(' ');
      };
      return [
        await outcome({}, true),
        await outcome({}, false),
        await outcome({ preventCancel: true }, false),
        await outcome({ preventAbort: true }, false),
        await outcome({ preventAbort: true, preventCancel: true }, true),
      ];
    },
    [
      'RangeError abort RangeError cancel RangeError',
      'RangeError abort RangeError cancel RangeError',
      'RangeError abort RangeError',
      'RangeError cancel RangeError',
      'RangeError',
    ],
  ],
  'the writes under way end before it does': [
    async () => {
      const log = [];
      const controller = new AbortController();
      const to = new WritableStream({
        async write(chunk) {
          controller.abort();
          await later(2);
          log.push(`wrote ${chunk}`);
        },
        abort() {
          log.push('abort');
        },
      });
      const answer = await rejected(
        ReadableStream.from([1, 2]).pipeTo(to, { signal: controller.signal }),
      );
      return [...log, answer];
    },
    ['wrote 1', 'abort', 'DOM AbortError'],
  ],
  'the arguments are checked': [
    async () => {
      const from = () => new ReadableStream();
      return [
        await rejected(from().pipeTo()),
        await rejected(from().pipeTo({})),
        await rejected(from().pipeTo(new WritableStream(), { signal: {} })),
        await rejected(from().pipeTo(new WritableStream(), { signal: null })),
        await rejected(from().pipeTo(new WritableStream(), 5)),
        await rejected(
          ReadableStream.prototype.pipeTo.call({}, new WritableStream()),
        ),
        thrown(() => from().pipeThrough()),
        thrown(() => from().pipeThrough({ readable: from() })),
        thrown(() => from().pipeThrough({ writable: new WritableStream() })),
        thrown(() =>
          from().pipeThrough({ readable: {}, writable: new WritableStream() }),
        ),
      ];
    },
    Array.from({ length: 10 }, () => 'TypeError'),
  ],
  'respects backpressure': [
    async () => {
      let pulled = 0;
      let written = 0;
      const from = new ReadableStream(
        {
          pull(c) {
            pulled += 1;
            c.enqueue(pulled);
          },
        },
        { highWaterMark: 0 },
      );
      const to = new WritableStream({
        write() {
          written += 1;
          return new Promise(() => {});
        },
      });
      from.pipeTo(to);
      await later(5);
      return [pulled, written];
    },
    [1, 1],
  ],
});

standard('pipeThrough', {
  'gives the readable side, and swallows the error of the pipe': [
    async () => {
      const pair = new TransformStream();
      const out = ReadableStream.from([1]).pipeThrough(pair);
      const same = out === pair.readable;
      const bad = new ReadableStream({
        start(c) {
          c.error(new RangeError('p'));
        },
      }).pipeThrough(new TransformStream());
      return [same, await collect(out), await rejected(collect(bad))];
    },
    [true, [1], 'RangeError'],
  ],
  'prevention and signal go through': [
    async () => {
      const pair = new TransformStream();
      ReadableStream.from([]).pipeThrough(pair, { preventClose: true });
      await later(2);
      const writer = pair.writable.getWriter();
      writer.close();
      const aborted = new ReadableStream().pipeThrough(new TransformStream(), {
        signal: AbortSignal.abort(new RangeError('s')),
      });
      return [
        await collect(pair.readable),
        await rejected(aborted.getReader().read()),
      ];
    },
    [[], 'RangeError'],
  ],
});
