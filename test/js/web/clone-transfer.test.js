'use strict';

/* global thrown, collect, later */
const { AS_NODE, standard } = require('./support.js');

standard('structuredClone: transferable platform objects', {
  'a port moves, and takes waiting messages along': [
    async () => {
      const { port1, port2 } = new MessageChannel();
      port1.postMessage('early');
      const { moved } = structuredClone(
        { moved: port2 },
        { transfer: [port2] },
      );
      port1.postMessage('late');
      const got = [];
      await new Promise((resolve) => {
        moved.onmessage = ({ data }) => {
          got.push(data);
          if (got.length === 2) resolve();
        };
      });
      port1.close();
      return [
        moved !== port2,
        moved instanceof MessagePort,
        got,
        thrown(() => structuredClone(0, { transfer: [port2] })),
      ];
    },
    [true, true, ['early', 'late'], 'DOM DataCloneError'],
  ],
  'a readable stream moves': [
    async () => {
      const from = ReadableStream.from(['a', { b: 1 }]);
      const to = structuredClone(from, { transfer: [from] });
      return [
        from.locked,
        to !== from,
        to instanceof ReadableStream,
        await collect(to),
        thrown(() => typeof structuredClone(from, { transfer: [from] })),
      ];
    },
    AS_NODE,
  ],
  'a writable stream moves': [
    async () => {
      const got = [];
      let closed = false;
      const from = new WritableStream({
        write(chunk) {
          got.push(chunk);
        },
        close() {
          closed = true;
        },
      });
      const to = structuredClone(from, { transfer: [from] });
      const writer = to.getWriter();
      await writer.write({ x: 1 });
      await writer.close();
      await later(20);
      return [from.locked, got, closed];
    },
    AS_NODE,
  ],
  'a transform stream moves': [
    async () => {
      const from = new TransformStream({
        transform(chunk, controller) {
          controller.enqueue(chunk * 2);
        },
      });
      const to = structuredClone(from, { transfer: [from] });
      const doubled = ReadableStream.from([1, 2, 3]).pipeThrough(to);
      return [to instanceof TransformStream, await collect(doubled)];
    },
    [true, [2, 4, 6]],
  ],
  'a locked stream does not move': [
    () => {
      const from = new ReadableStream();
      from.getReader();
      return thrown(() => structuredClone(from, { transfer: [from] }));
    },
    'DOM DataCloneError',
  ],
  'the error of a stream that moved is a copy': [
    async () => {
      const from = new ReadableStream({
        start(controller) {
          controller.error(new RangeError('why'));
        },
      });
      const to = structuredClone(from, { transfer: [from] });
      try {
        await to.getReader().read();
        return 'none';
      } catch (error) {
        return [error.name, error.message];
      }
    },
    ['RangeError', 'why'],
  ],
});
