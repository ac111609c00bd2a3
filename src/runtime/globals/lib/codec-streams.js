'use strict';

/* global host */
const { accessor, enumerable, tag } = require('./webidl.js');

/** The two halves of a TransformStream as an interface's own attributes. */
function exposeHalves(Class, read) {
  for (const half of ['readable', 'writable']) {
    const { get } = {
      get() {
        return read(this)[half];
      },
    };
    accessor(Class.prototype, half, get);
  }
  tag(Class);
}

/**
 * The operations of our own streams, safe from prototypes that user code
 * changed.
 */
function streamOperations({
  TransformStream,
  TransformStreamDefaultController,
}) {
  const { call } = Function.prototype;
  return {
    enqueue: call.bind(TransformStreamDefaultController.prototype.enqueue),
    transformOf: (methods) =>
      new TransformStream({ __proto__: null, ...methods }),
  };
}

/** TextEncoderStream and TextDecoderStream over Node's classes. */
function createCodecStreams(streams) {
  const { TextDecoder } = require('sw:internal/encoding');
  const decode = Function.prototype.call.bind(TextDecoder.prototype.decode);
  const { enqueue, transformOf } = streamOperations(streams);

  class TextEncoderStream {
    #transform;

    constructor() {
      // A high surrogate at a piece's end waits for its other half.
      let pending = '';
      this.#transform = transformOf({
        transform(chunk, controller) {
          const text = `${pending}${chunk}`;
          const last = text.charCodeAt(text.length - 1);
          const split = last >= 0xd800 && last <= 0xdbff;
          pending = split ? text[text.length - 1] : '';
          const whole = split ? text.slice(0, -1) : text;
          if (whole !== '') enqueue(controller, host.utf8Encode(whole));
        },
        flush(controller) {
          if (pending !== '') enqueue(controller, host.utf8Encode(pending));
        },
      });
    }

    get encoding() {
      void this.#transform;
      return 'utf-8';
    }

    static halves(stream) {
      return stream.#transform;
    }
  }

  class TextDecoderStream {
    #transform;
    #decoder;

    constructor(label = 'utf-8', options = {}) {
      const decoder = new TextDecoder(label, options);
      this.#decoder = decoder;
      this.#transform = transformOf({
        transform(chunk, controller) {
          // Absent means something else to decode().
          if (chunk === undefined) {
            throw new TypeError('The chunk is no ArrayBuffer or view of one');
          }
          const text = decode(decoder, chunk, { stream: true });
          if (text !== '') enqueue(controller, text);
        },
        flush(controller) {
          const text = decode(decoder);
          if (text !== '') enqueue(controller, text);
        },
      });
    }

    get encoding() {
      return this.#decoder.encoding;
    }

    get fatal() {
      return this.#decoder.fatal;
    }

    get ignoreBOM() {
      return this.#decoder.ignoreBOM;
    }

    static halves(stream) {
      return stream.#transform;
    }
  }

  for (const Class of [TextEncoderStream, TextDecoderStream]) {
    const { halves } = Class;
    delete Class.halves;
    exposeHalves(Class, halves);
  }
  enumerable(TextEncoderStream, ['encoding']);
  enumerable(TextDecoderStream, ['encoding', 'fatal', 'ignoreBOM']);
  return { TextDecoderStream, TextEncoderStream };
}

module.exports = { createCodecStreams, exposeHalves, streamOperations };
