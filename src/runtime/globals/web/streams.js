'use strict';

const streams = require('web-streams-polyfill');

const { createCodecStreams } = require('../lib/codec-streams.js');
const { createCompression } = require('../lib/compression-streams.js');

const { TransformStream } = streams;

module.exports = {
  ...streams,
  ...createCodecStreams(TransformStream),
  ...createCompression(TransformStream),
};
