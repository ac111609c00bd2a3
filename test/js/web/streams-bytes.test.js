'use strict';

/* global thrown, rejected, later */
const { standard } = require('./support.js');

standard('byte streams', {
  'a request is filled, respond tells how much': [
    async () => {
      const log = [];
      const stream = new ReadableStream({
        type: 'bytes',
        pull(c) {
          const { view } = c.byobRequest;
          log.push([view.constructor.name, view.byteOffset, view.byteLength]);
          view[0] = 7;
          c.byobRequest.respond(1);
        },
      });
      const reader = stream.getReader({ mode: 'byob' });
      const buffer = new ArrayBuffer(8);
      const { value, done } = await reader.read(new Uint8Array(buffer, 2, 4));
      log.push(
        [...value],
        value.byteOffset,
        value.buffer.byteLength,
        buffer.byteLength,
        done,
      );
      return log;
    },
    [['Uint8Array', 2, 4], [7], 2, 8, 0, false],
  ],
  'elements of several bytes wait for whole ones': [
    async () => {
      const pieces = [[1], [2, 3], [4]];
      const stream = new ReadableStream({
        type: 'bytes',
        pull(c) {
          const piece = pieces.shift();
          if (piece) c.enqueue(Uint8Array.from(piece));
        },
      });
      const reader = stream.getReader({ mode: 'byob' });
      const one = await reader.read(new Uint16Array(2));
      const two = await reader.read(new Uint16Array(1));
      return [[...one.value], [...two.value], one.value.constructor.name];
    },
    [[0x0201], [0x0403], 'Uint16Array'],
  ],
  'min waits for that many elements': [
    async () => {
      let next = 0;
      const stream = new ReadableStream({
        type: 'bytes',
        pull(c) {
          next += 1;
          c.enqueue(Uint8Array.of(next));
        },
      });
      const reader = stream.getReader({ mode: 'byob' });
      const { value } = await reader.read(new Uint8Array(5), { min: 3 });
      return [
        [...value],
        await rejected(reader.read(new Uint8Array(1), { min: 0 })),
        await rejected(reader.read(new Uint8Array(1), { min: 2 })),
        await rejected(reader.read(new Uint16Array(1), { min: 2 })),
        await rejected(
          reader.read(new DataView(new ArrayBuffer(2)), { min: 3 }),
        ),
      ];
    },
    [[1, 2, 3], 'TypeError', 'RangeError', 'RangeError', 'RangeError'],
  ],
  'wrong views are refused': [
    async () => {
      const reader = new ReadableStream({ type: 'bytes' }).getReader({
        mode: 'byob',
      });
      const detached = new Uint8Array(1);
      structuredClone(0, { transfer: [detached.buffer] });
      const results = [];
      for (const view of [
        undefined,
        null,
        5,
        new ArrayBuffer(1),
        new Uint8Array(0),
        detached,
      ])
        results.push(await rejected(reader.read(view)));
      results.push(
        await rejected(reader.read()),
        thrown(() => new ReadableStream().getReader({ mode: 'byob' })),
        thrown(() => new ReadableStream().getReader({ mode: 'x' })),
        thrown(() => new ReadableStreamBYOBReader(new ReadableStream())),
      );
      return results;
    },
    Array.from({ length: 10 }, () => 'TypeError'),
  ],
  'enqueue and respond check what they are given': [
    async () => {
      const log = [];
      const stream = new ReadableStream({
        type: 'bytes',
        start(c) {
          log.push(
            thrown(() => c.enqueue(1)),
            thrown(() => c.enqueue()),
            thrown(() => c.enqueue(new Uint8Array(0))),
            c.byobRequest,
          );
        },
        pull(c) {
          const request = c.byobRequest;
          log.push(
            thrown(() => request.respond(0)),
            thrown(() => request.respond(5)),
            thrown(() => request.respond()),
            thrown(() => request.respondWithNewView(new Uint8Array(5))),
            thrown(() => request.respondWithNewView({})),
          );
          request.respond(1);
          log.push(
            thrown(() => request.respond(1)),
            request.view,
          );
        },
      });
      await stream.getReader({ mode: 'byob' }).read(new Uint8Array(2));
      return log;
    },
    [
      'TypeError',
      'TypeError',
      'TypeError',
      null,
      'TypeError',
      'RangeError',
      'TypeError',
      'RangeError',
      'TypeError',
      'TypeError',
      null,
    ],
  ],
  'closing answers waiting requests with empty views': [
    async () => {
      let controller;
      const stream = new ReadableStream({
        type: 'bytes',
        start(c) {
          controller = c;
        },
      });
      const reader = stream.getReader({ mode: 'byob' });
      const pending = reader.read(new Uint8Array(3));
      await later(1);
      controller.close();
      controller.byobRequest.respond(0);
      const { value, done } = await pending;
      const after = await reader.read(new Uint8Array(2));
      return [
        value.constructor.name,
        value.byteLength,
        value.buffer.byteLength,
        done,
        after.value.byteLength,
        after.done,
        await rejected(reader.closed),
      ];
    },
    ['Uint8Array', 0, 3, true, 0, true, ['none', undefined]],
  ],
  'autoAllocateChunkSize gives a request to default readers': [
    async () => {
      const stream = new ReadableStream({
        type: 'bytes',
        autoAllocateChunkSize: 4,
        pull(c) {
          const { view } = c.byobRequest;
          view[0] = view.byteLength;
          c.byobRequest.respond(1);
        },
      });
      const { value } = await stream.getReader().read();
      return [[...value], value.buffer.byteLength];
    },
    [[4], 4],
  ],
  'chunks are moved, in the queue and in a tee copied': [
    async () => {
      const chunk = Uint8Array.of(1, 2);
      const stream = new ReadableStream({
        type: 'bytes',
        start(c) {
          c.enqueue(chunk);
          c.close();
        },
      });
      const [a, b] = stream.tee();
      const one = await a.getReader({ mode: 'byob' }).read(new Uint8Array(4));
      const two = await b.getReader().read();
      one.value[0] = 9;
      return [chunk.byteLength, [...one.value], [...two.value]];
    },
    [0, [9, 2], [1, 2]],
  ],
  'cancelling with a request in flight': [
    async () => {
      const reader = new ReadableStream({ type: 'bytes' }).getReader({
        mode: 'byob',
      });
      const pending = reader.read(new Uint8Array(2));
      await reader.cancel();
      return [await pending];
    },
    [{ value: undefined, done: true }],
  ],
});
