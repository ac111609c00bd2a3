'use strict';

const { createPackingCodec } = require('../owned/packing-codec.js');
const { canTravel } = require('./frames.js');
const { PACKED_MARK } = require('./small-frames.js');

const TRAVEL = { canTravel, before: PACKED_MARK };

/** @returns {object} the owner's codec: see createPackingCodec */
const createCodec = (usual) => createPackingCodec(usual, TRAVEL);

/** @returns {object} that of the process, which writes at once what it tells */
const createRealmCodec = (usual) =>
  createPackingCodec(usual, {
    ...TRAVEL,
    borrows: process.platform !== 'win32',
  });

module.exports = { createCodec, createRealmCodec };
