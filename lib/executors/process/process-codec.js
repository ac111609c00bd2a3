'use strict';

const { createPackingCodec } = require('../owned/packing-codec.js');
const { canTravel } = require('./frames.js');
const { PACKED_MARK } = require('./small-frames.js');

/** @returns {object} the codec of both ends: see createPackingCodec */
const createCodec = (usual) =>
  createPackingCodec(usual, { canTravel, before: PACKED_MARK });

module.exports = { createCodec };
