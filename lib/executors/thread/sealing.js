'use strict';
// Messages of owner and thread whose value is written already: what is posted
// has its bytes.

const { Packed, ToldShapes } = require('../owned/packed.js');
const { bufferFrom } = require('../../wire/buffers.js');
const { Unpacker, createPackingCodec } = require('../owned/packing-codec.js');

// A clone of a part of Node's slab would have all of it.
const Octets = Uint8Array;
// Read now, because jobs share the thread's realm.
const { hasOwn } = Object;
const alone = (bytes) =>
  bytes.length === bytes.buffer.byteLength ? bytes : new Octets(bytes);

/** @returns {object} the codec of both ends: see createPackingCodec */
const createCodec = (usual) => createPackingCodec(usual, { clones: true });

const isPacked = (message, of) =>
  hasOwn(message, of) && message[of] instanceof Packed;

/** @returns {boolean} whether it is one whose value is written */
const isSealed = (message) => hasOwn(message, 'sealed');

/** One end of a port, on which messages stay in order. */
class Sealing {
  #told = new ToldShapes();
  #unpacker = new Unpacker();

  /** @returns {object} the message as it is posted */
  seal(message) {
    const of = isPacked(message, 'input') ? 'input' : 'value';
    if (!isPacked(message, of)) return message;
    const packed = message[of];
    const shapes = this.#told.next(packed);
    const bytes = alone(packed.bytes);
    return { ...message, [of]: undefined, sealed: { of, bytes, shapes } };
  }

  /**
   * @returns {object} the message that the other end has sealed
   * @throws {FrameError} for another one
   */
  open(message) {
    if (!isSealed(message)) return message;
    const { of, bytes, shapes } = message.sealed;
    this.#unpacker.learn(shapes);
    const { buffer, byteOffset, length } = bytes;
    const value = this.#unpacker.read(bufferFrom(buffer, byteOffset, length));
    return { ...message, [of]: value };
  }
}

module.exports = { Sealing, createCodec, isSealed };
