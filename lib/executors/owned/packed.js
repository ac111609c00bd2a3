'use strict';

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

module.exports = { Packed };
