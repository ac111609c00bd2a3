'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. The payload codec, the
// same files that the owner requires.
const { createCodec } = require('../../lib/internal/codec.js');

runtime.codec = createCodec(native);
