'use strict';
// The payload codec: the one place that knows the wire grammar
// (codec/grammar.js). The same files run on the owner (as CommonJS modules) and
// in every worker realm (embedded by the build, loaded by
// src/isolate/builtin_script.cc), so both directions obey the same rules. They
// capture the realm's built-ins while they are loaded (codec/captured.js), in a
// worker before any job's code runs.

const { createDecoder } = require('./codec/decoder.js');
const { createEncoder } = require('./codec/encoder.js');
const { Refusal } = require('./codec/grammar.js');
const { createShapes } = require('./codec/shapes.js');

const noClones = () => {
  throw new TypeError('there are no clones here');
};

/**
 * @param {object} host `defineShape(text)` and `shapeText(id)` keep the
 *   process's shapes, `compileFunction(parameter, body)` makes a function or
 *   returns null, `isUntransferable(buffer)`, if there is one, is true for
 *   buffers that are never moved.
 * @param {{ reason: number }} [refused] what encode() throws
 * @param {object} [nodeBuffers] `is(octets)` whether a Uint8Array is one of
 *   Node's Buffers, `make(buffer, offset, length)` one, `adopt(octets)` one of a Uint8Array;
 *   default: there are none
 * @param {() => object} [clones] gives the functions of
 *   src/isolate/payload_clone.h
 * @returns {object} `encode(value, maxBytes, transferList, carry)`,
 *   `decode(kind, number, run, from, text, more)`, `newBatch()`,
 *   `decodeShort(run, from, text, textFrom)`, `last()`, and `refused`, its
 *   `reason` one of Refusal when it was thrown.
 */
function createCodec(
  host,
  refused = { reason: 0 },
  nodeBuffers = {},
  clones = noClones,
) {
  const shapes = createShapes(host);
  const { encode, last } = createEncoder(
    host,
    shapes,
    refused,
    nodeBuffers.is,
    clones,
  );
  const { decode, decodeShort, newBatch } = createDecoder(
    shapes,
    nodeBuffers,
    clones,
  );
  return { encode, decode, decodeShort, newBatch, last, refused };
}

module.exports = { createCodec, Refusal };
