'use strict';
// The values that a worker's pool shares with it; see shared-parts.js. Runs in
// the worker, and is loaded when the first of them comes.

const { compileFunction } = require('../../base/compile-function.js');
const { createCodec } = require('../../protocol/codec.js');
const { nodeBuffers } = require('../../base/node-buffers.js');

/** @returns {ArrayBuffer} this worker's own copy */
function copyOf(memory) {
  const bytes = new Uint8Array(memory.byteLength);
  bytes.set(new Uint8Array(memory));
  return bytes.buffer;
}

const textOf = ({ memory, encoding }) => Buffer.from(memory).toString(encoding);

class SharedStore {
  #shapes = [];
  #parts = new Map();
  #codec = createCodec(
    {
      defineShape: () => -1,
      shapeText: (id) => this.#shapes[id],
      compileFunction,
    },
    undefined,
    nodeBuffers,
  );

  /** @param {object} sent `{ shapes, parts }` */
  take({ shapes, parts }) {
    this.#shapes = shapes;
    for (const part of parts) this.#parts.set(part.number, part);
  }

  has(number) {
    return this.#parts.has(number);
  }

  /**
   * @returns {unknown} the value, for the `decode` of the plain codec. REQUIRES:
   *   `has(number)`
   */
  read(number) {
    const part = this.#parts.get(number);
    if ('clone' in part) return part.clone;
    const { kind, value, slots, texts, buffers } = part;
    const [first, ...further] = texts.map(textOf);
    const own = buffers.map(({ memory, isCopied }) =>
      isCopied ? copyOf(memory) : memory,
    );
    const more = [slots, further, own];
    return this.#codec.decode(kind, value, slots, 0, first, more);
  }

  drop(numbers) {
    for (const number of numbers) this.#parts.delete(number);
  }
}

module.exports = { SharedStore };
