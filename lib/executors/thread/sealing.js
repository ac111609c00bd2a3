'use strict';
// Messages of owner and thread whose value is written already: what is posted
// has its bytes.

const { Packed, ToldShapes } = require('../owned/packed.js');
const { bufferFrom } = require('../../wire/buffers.js');
const { Unpacker, createPackingCodec } = require('../owned/packing-codec.js');

// A clone of a part of Node's slab would have all of it.
const Octets = Uint8Array;
const alone = (bytes) =>
  bytes.length === bytes.buffer.byteLength ? bytes : new Octets(bytes);

/** @returns {object} the codec of both ends: see createPackingCodec */
const createCodec = (usual) => createPackingCodec(usual, { clones: true });

/** One end of a port, on which messages stay in order. */
class Sealing {
  #told = new ToldShapes();
  #unpacker = new Unpacker();

  /** @returns {object} the message as it is posted */
  seal(message) {
    const of = message.input instanceof Packed ? 'input' : 'value';
    const packed = message[of];
    if (!(packed instanceof Packed)) return message;
    const shapes = this.#told.next(packed);
    const bytes = alone(packed.bytes);
    return { ...message, [of]: undefined, sealed: { of, bytes, shapes } };
  }

  /**
   * @returns {object} the message that the other end has sealed
   * @throws {FrameError} for another one
   */
  open(message) {
    const { sealed } = message;
    if (sealed === undefined) return message;
    const { of, bytes, shapes } = sealed;
    this.#unpacker.learn(shapes);
    const { buffer, byteOffset, length } = bytes;
    const value = this.#unpacker.read(bufferFrom(buffer, byteOffset, length));
    return { ...message, [of]: value };
  }
}

module.exports = { Sealing, createCodec };
