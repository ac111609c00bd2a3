'use strict';

const streams = require('web-streams-polyfill');

const { createCodecStreams } = require('../lib/codec-streams.js');
const { createCompression } = require('../lib/compression-streams.js');

const { enumerable } = require('../lib/webidl.js');

const { ReadableStream, TransformStream } = streams;

// Without arguments the library rejects with a text.
const { pipeTo } = ReadableStream.prototype;
Object.assign(ReadableStream.prototype, {
  pipeTo(destination, ...options) {
    if (arguments.length === 0) {
      return Promise.reject(
        new TypeError('ReadableStream.pipeTo: a destination is required'),
      );
    }
    return pipeTo.call(this, destination, ...options);
  },
});
enumerable(ReadableStream, ['pipeTo']);

// The library makes a prototype of its own for its iterators to inherit from.
const { getPrototypeOf } = Object;
const asyncIterators = getPrototypeOf(
  getPrototypeOf(async function* none() {}).prototype,
);
Object.setPrototypeOf(
  getPrototypeOf(new ReadableStream().values()),
  asyncIterators,
);

module.exports = {
  ...streams,
  ...createCodecStreams(TransformStream),
  ...createCompression(TransformStream),
};

// For bodies: whether a stream was read from or cancelled. Not for
// node:stream/web, which has all that is enumerable here.
Object.defineProperty(module.exports, 'isDisturbed', {
  value: (stream) => stream._disturbed === true,
});
