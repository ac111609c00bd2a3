'use strict';

const { createCodec: createAny } = require('../../protocol/codec.js');
const { nodeBuffers } = require('../../base/node-buffers.js');

const NO_CLONES = () => {
  throw new TypeError('nothing is cloned here');
};

/** @returns {object} a codec without shapes: a process knows none of ours, and we
 *   believe none of its */
function createCodec() {
  const host = {
    defineShape: () => -1,
    shapeText: NO_CLONES,
    compileFunction: () => null,
  };
  return createAny(host, undefined, nodeBuffers);
}

module.exports = { createCodec };
