'use strict';

/* global thrown, rejected */
const { AS_NODE, standard } = require('./support.js');

// The streams do not see what user code does to prototypes and globals.
standard('streams in a realm that was changed', {
  'nothing is read from Object.prototype': [
    () => {
      const names = ['highWaterMark', 'size', 'type', 'start', 'transform'];
      const read = [];
      const get = (name) => () => {
        read.push(name);
      };
      for (const name of names) {
        Object.defineProperty(Object.prototype, name, {
          get: get(name),
          configurable: true,
        });
      }
      try {
        new ReadableStream().tee();
        new WritableStream();
        new TransformStream();
        new TextEncoderStream();
        new TextDecoderStream();
        new Blob(['x']).stream();
      } finally {
        for (const name of names) delete Object.prototype[name];
      }
      return read;
    },
    AS_NODE,
  ],
  'bodies are read past methods named then': [
    async () => {
      const name = 'then';
      const texts = [];
      const stream = () =>
        new ReadableStream({
          start(c) {
            c.enqueue(Uint8Array.of(0x68, 0x69));
            c.close();
          },
        });
      const answers = [undefined, 1, { done: false, value: Uint8Array.of(0) }];
      for (const body of [() => 'hi', stream]) {
        for (const answer of answers) {
          Object.prototype[name] = (resolve) => {
            delete Object.prototype[name];
            resolve(answer);
          };
          try {
            texts.push(await new Response(body()).text());
          } finally {
            delete Object.prototype[name];
          }
        }
      }
      return texts;
    },
    ['hi', 'hi', 'hi', 'hi', 'hi', 'hi'],
  ],
  'bodies are read past the methods of readers': [
    async () => {
      const { getReader } = ReadableStream.prototype;
      const { read } = ReadableStreamDefaultReader.prototype;
      const stop = () => {
        throw new Error('was called');
      };
      const stream = ReadableStream.from([Uint8Array.of(0x68, 0x69)]);
      ReadableStream.prototype.getReader = stop;
      ReadableStreamDefaultReader.prototype.read = stop;
      try {
        return await new Response(stream).text();
      } finally {
        ReadableStream.prototype.getReader = getReader;
        ReadableStreamDefaultReader.prototype.read = read;
      }
    },
    'hi',
  ],
  'streams, bodies and text keep the classes that they began with': [
    async () => {
      const names = ['ArrayBuffer', 'DataView', 'Promise', 'Uint8Array'];
      const real = names.map((name) => globalThis[name]);
      const [Buffer, , , Bytes] = real;
      const stop = class {
        constructor() {
          throw new Error('was called');
        }
      };
      const started = [];
      for (const name of names) globalThis[name] = stop;
      try {
        const stream = new ReadableStream({
          type: 'bytes',
          autoAllocateChunkSize: 2,
          pull(c) {
            c.byobRequest.view[0] = 104;
            c.byobRequest.respond(1);
            c.close();
          },
        });
        const [one, two] = stream.tee();
        started.push(new Response(one).text(), new Response(two).text());
        started.push(
          new Response('hi').text(),
          new Blob([new Buffer(1), new Bytes(1)]).text(),
          new TextDecoder('latin1').decode(new Buffer(1)),
        );
      } finally {
        names.forEach((name, index) => {
          globalThis[name] = real[index];
        });
      }
      return Promise.all(started);
    },
    ['h', 'h', 'hi', '\0\0', '\0'],
  ],
  'text and random bytes survive another Uint8Array': [
    () => {
      const real = Uint8Array;
      globalThis.Uint8Array = class {};
      try {
        return [
          thrown(() => typeof new TextDecoder().decode()),
          thrown(() => crypto.getRandomValues(new real(4))),
        ];
      } finally {
        globalThis.Uint8Array = real;
      }
    },
    [['none', 'string'], 'TypeError'],
  ],
});

standard('streams and what they are given', {
  'null is no transformer': [
    () => thrown(() => new TransformStream(null)),
    'TypeError',
  ],
  'pipeTo without a destination': [
    async () => [
      await rejected(new ReadableStream().pipeTo()),
      await rejected(new ReadableStream().pipeTo(undefined)),
    ],
    ['TypeError', 'TypeError'],
  ],
  'memory that cannot be moved': [
    async () => {
      const wasm = new WebAssembly.Memory({ initial: 1 });
      const views = [
        new Uint8Array(wasm.buffer, 0, 1),
        new Uint8Array(new SharedArrayBuffer(1)),
      ];
      const names = [];
      for (const view of views) {
        let controller;
        const stream = new ReadableStream({
          type: 'bytes',
          start(c) {
            controller = c;
          },
        });
        names.push(
          thrown(() => controller.enqueue(view)),
          await rejected(stream.getReader({ mode: 'byob' }).read(view)),
        );
      }
      return [names, wasm.buffer.byteLength];
    },
    [['TypeError', 'TypeError', 'TypeError', 'TypeError'], 65_536],
  ],
  'an empty buffer is not a detached one': [
    () => {
      let controller;
      const stream = new ReadableStream({
        type: 'bytes',
        start(c) {
          controller = c;
        },
      });
      stream.getReader({ mode: 'byob' }).read(new Uint8Array(3));
      controller.close();
      return thrown(() =>
        controller.byobRequest.respondWithNewView(new Uint8Array(0)),
      );
    },
    'RangeError',
  ],
  'interfaces have the members of the standard': [
    () => {
      const iterators = Object.getPrototypeOf(new ReadableStream().values());
      return [
        'abortReason' in WritableStreamDefaultController.prototype,
        Object.getOwnPropertyNames(iterators),
        Object.hasOwn(iterators, Symbol.asyncIterator),
        iterators[Symbol.toStringTag],
      ];
    },
    AS_NODE,
  ],
  'an attribute of another object': [
    () => {
      const { get } = Object.getOwnPropertyDescriptor(
        TextEncoderStream.prototype,
        'encoding',
      );
      return thrown(() => get.call({}));
    },
    'TypeError',
  ],
});
