'use strict';

const { from, prototype } = Buffer;
const { getPrototypeOf, setPrototypeOf } = Object;

/** Node's Buffers, for lib/protocol/codec.js and copies. */
const nodeBuffers = {
  is: (octets) => getPrototypeOf(octets) === prototype,
  adopt: (octets) => setPrototypeOf(octets, prototype),
  make: (buffer, offset, length) => from(buffer, offset, length),
};

module.exports = { nodeBuffers };
