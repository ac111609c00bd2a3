'use strict';

const { append } = require('../../protocol/codec/captured.js');

/**
 * A value that is written already, for a process or a thread, and stands where
 * plain-codec.js has a copy: writing costs less than copying, and leaves the
 * garbage collector one object.
 */
class Packed {
  /**
   * @param {Buffer} bytes
   * @param {string[]} shapes that the bytes refer to by number; more may come
   * @param {Uint8Array[]} [large] buffers of the value that travel before the
   *   bytes, and are the value's own: send it at once
   */
  constructor(bytes, shapes, large) {
    this.bytes = bytes;
    this.shapes = shapes;
    this.large = large;
  }
}

/** The shapes that one end of a line has told the other one. */
class ToldShapes {
  #count = 0;

  /** @returns {string[]} those that it has to tell before this value, or with it */
  next({ shapes }) {
    const texts = [];
    for (let i = this.#count; i < shapes.length; i += 1) {
      append(texts, shapes[i]);
    }
    this.#count = shapes.length;
    return texts;
  }
}

module.exports = { Packed, ToldShapes };
