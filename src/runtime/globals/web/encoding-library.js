'use strict';

// Streaming and the legacy encodings, with their tables.

const { TextDecoder } = require('@exodus/bytes/encoding.js');

module.exports = { TextDecoder };
