'use strict';

const { readWith, ...streams } = require('web-streams-polyfill');

const { createCodecStreams } = require('../lib/codec-streams.js');
const { createCompression } = require('../lib/compression-streams.js');
const { createInternals } = require('../lib/stream-internals.js');

const { ReadableStream, WritableStreamDefaultController } = streams;

// The library makes a prototype of its own for its iterators to inherit from,
// and shows more than the standard has.
const { getPrototypeOf } = Object;
const asyncIterators = getPrototypeOf(
  getPrototypeOf(async function* none() {}).prototype,
);
const iterators = getPrototypeOf(new ReadableStream().values());
Object.setPrototypeOf(iterators, asyncIterators);
delete iterators[Symbol.asyncIterator];
Object.defineProperty(iterators, Symbol.toStringTag, {
  value: 'ReadableStream AsyncIterator',
  configurable: true,
});
delete WritableStreamDefaultController.prototype.abortReason;

module.exports = {
  ...streams,
  ...createCodecStreams(streams),
  ...createCompression(streams),
};

// For bodies. Not for node:stream/web, which has all that is enumerable here.
const internals = { ...createInternals(streams, readWith), readWith };
for (const [name, value] of Object.entries(internals)) {
  Object.defineProperty(module.exports, name, { value });
}
