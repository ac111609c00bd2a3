'use strict';

const { isMap } = require('node:util').types;

// A structured clone makes a Uint8Array of a Buffer, but it keeps that two
// places have one object. No payload is a Map with such a key.
const MARK = '\0sloppy-workers/node-buffers';

/**
 * @param {{ value: unknown, nodeBuffers: Buffer[] }} found the Buffers in the
 *   value
 * @returns {unknown} what to clone, for `unmarked`
 */
function marked({ value, nodeBuffers }) {
  if (nodeBuffers.length === 0) return value;
  return new Map([
    [MARK, Array.from(nodeBuffers)],
    ['value', value],
  ]);
}

function unmarked(value) {
  if (!isMap(value)) return value;
  const octets = value.get(MARK);
  if (octets === undefined) return value;
  for (const bytes of octets) Object.setPrototypeOf(bytes, Buffer.prototype);
  return value.get('value');
}

module.exports = { marked, unmarked };
