'use strict';

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

/** TextEncoderStream and TextDecoderStream over the encoding bundle. */
function createCodecStreams(TransformStream) {
  const { TextDecoder, TextEncoder } = require('sw:encoding');

  class TextEncoderStream {
    #transform;

    constructor() {
      const encoder = new TextEncoder();
      // A high surrogate at a piece's end waits for its other half.
      let pending = '';
      this.#transform = new TransformStream({
        transform(chunk, controller) {
          const text = `${pending}${chunk}`;
          const last = text.charCodeAt(text.length - 1);
          const split = last >= 0xd800 && last <= 0xdbff;
          pending = split ? text[text.length - 1] : '';
          const whole = split ? text.slice(0, -1) : text;
          if (whole !== '') controller.enqueue(encoder.encode(whole));
        },
        flush(controller) {
          if (pending !== '') controller.enqueue(encoder.encode(pending));
        },
      });
    }

    get encoding() {
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
      this.#transform = new TransformStream({
        transform(chunk, controller) {
          // Absent means something else to decode().
          if (chunk === undefined) {
            throw new TypeError('The chunk is no ArrayBuffer or view of one');
          }
          const text = decoder.decode(chunk, { stream: true });
          if (text !== '') controller.enqueue(text);
        },
        flush(controller) {
          const text = decoder.decode();
          if (text !== '') controller.enqueue(text);
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

module.exports = { createCodecStreams, exposeHalves };
