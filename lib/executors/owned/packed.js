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
   */
  constructor(bytes, shapes) {
    this.bytes = bytes;
    this.shapes = shapes;
  }
}

/** @returns {string[]} the shapes that an end has not told, which has told some */
function untold({ shapes }, told) {
  const texts = [];
  for (let i = told; i < shapes.length; i += 1) append(texts, shapes[i]);
  return texts;
}

module.exports = { Packed, untold };
